//! The normal distribution.

/// So many standard deviations either way hold 95% of a normal distribution.
pub const Z: f64 = 1.959_963_985;

/// The probability that a standard normal variable is below `x`.
///
/// Hart's rational approximation with a continued fraction for the tails, as given by West, "Better approximations to cumulative
/// normal functions" (2005): exact to about fifteen digits in the middle and to seven digits of the tails beyond seven deviations.
pub fn below(x: f64) -> f64 {
    const NUMERATOR: [f64; 7] = [
        3.526_249_659_989_11e-2,
        0.700_383_064_443_688,
        6.373_962_203_531_65,
        33.912_866_078_383,
        112.079_291_497_871,
        221.213_596_169_931,
        220.206_867_912_376,
    ];
    const DENOMINATOR: [f64; 8] = [
        8.838_834_764_831_84e-2,
        1.755_667_163_182_64,
        16.064_177_579_207,
        86.780_732_202_946_1,
        296.564_248_779_674,
        637.333_633_378_831,
        793.826_512_519_948,
        440.413_735_824_752,
    ];
    if x.is_nan() {
        return x;
    }
    let far = x.abs();
    let polynomial = |factors: &[f64]| factors.iter().fold(0.0, |sum, factor| sum * far + factor);
    let tail = if far > 37.0 {
        0.0
    } else if far < 7.071 {
        (-far * far / 2.0).exp() * polynomial(&NUMERATOR) / polynomial(&DENOMINATOR)
    } else {
        let fraction = (1..=4).rev().fold(far + 0.65, |fraction, step| far + f64::from(step) / fraction);
        (-far * far / 2.0).exp() / fraction / (2.0 * std::f64::consts::PI).sqrt()
    };
    if x > 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_tables() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (1.96, 0.975_002_104_851_780),
            (Z, 0.975),
            (3.0, 0.998_650_101_968_370),
            (-5.0, 2.866_515_718_791_94e-7),
        ] {
            let value = below(x);
            assert!((value / expected - 1.0).abs() < 1e-9, "{x}: {value}");
        }
        assert!((below(-8.0) / 6.220_960_574_271_78e-16 - 1.0).abs() < 1e-7);
        assert_eq!((below(100.0), below(-100.0)), (1.0, 0.0));
        assert!(below(f64::NAN).is_nan());
    }
}
