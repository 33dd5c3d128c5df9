//! Logarithms and powers that are the same to the last bit on every machine.
//!
//! C libraries differ in the last digit of these functions, and a search that compares such numbers then goes another way. These are
//! computed in Rust everywhere, so that one seed and one limit of nodes give one move, natively and in a browser. Square roots need no
//! such care: they are exact.

/// The natural logarithm of 3.
pub const LN_3: f64 = 1.098_612_288_668_109_8;

/// The natural logarithm.
#[inline]
pub fn ln(number: f64) -> f64 {
    libm::log(number)
}

/// The power of e.
#[inline]
pub fn exp(exponent: f64) -> f64 {
    libm::exp(exponent)
}

/// The power of e in single precision.
#[inline]
pub fn exp_f32(exponent: f32) -> f32 {
    libm::expf(exponent)
}

/// The power of any base.
#[inline]
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_same_to_the_last_bit_everywhere() {
        let mut sum = 0_u64;
        for step in 1..=1000_u32 {
            let number = f64::from(step) / 7.0;
            let values =
                [ln(number), exp(number / 10.0), pow(3.0, -number), f64::from(exp_f32(-(step as f32) / 9.0))];
            for value in values {
                sum = sum.rotate_left(5) ^ value.to_bits();
            }
        }
        assert_eq!(sum, 3_174_546_906_273_331_679, "a hash of the bits, found on x86-64");
        assert!((ln(3.0) - LN_3).abs() < 1e-15);
    }
}
