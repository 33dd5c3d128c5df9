//! Timing two programs fairly on a machine that does other things too.
//!
//! Speeds drift with load and clock, so a ratio is only taken between samples that lie next to each
//! other: a round is one sample of either side, back to back, the sides taking turns to go first.
//! What is reported is the median over the rounds, of the speeds and of the rounds' ratios.
//! The clock is the processor time of the thread: what others take away does not count.

use std::time::Duration;

use anyhow::Result;
use cpu_time::ThreadTime;

/// Something to time. Each call does one unit of work and says how many things it counted.
pub type Work<'a> = dyn FnMut() -> Result<u64> + 'a;

/// How often and how long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many samples of either side.
    pub rounds: u32,
    /// How long a sample takes at least.
    pub sample: Duration,
}

/// What a comparison came to.
#[derive(Clone, Copy, Debug)]
pub struct Duel {
    /// Our speed, things a second.
    pub ours: f64,
    /// The peer's.
    pub peer: f64,
    /// How many times as fast we are.
    pub ratio: f64,
}

impl Plan {
    /// The speed of `work`, things a second.
    pub fn speed(self, work: &mut Work) -> Result<f64> {
        let speeds = (0..self.rounds).map(|_| self.sample(work)).collect::<Result<_>>()?;
        Ok(median(speeds))
    }

    /// Our speed and the peer's, taken in turns.
    pub fn duel(self, ours: &mut Work, mut peer: impl FnMut() -> Result<f64>) -> Result<Duel> {
        let (mut our_speeds, mut peer_speeds) = (Vec::new(), Vec::new());
        for round in 0..self.rounds {
            if round % 2 == 0 {
                our_speeds.push(self.sample(ours)?);
                peer_speeds.push(peer()?);
            } else {
                peer_speeds.push(peer()?);
                our_speeds.push(self.sample(ours)?);
            }
        }
        let ratios = our_speeds.iter().zip(&peer_speeds).map(|(ours, peer)| ours / peer).collect();
        Ok(Duel { ours: median(our_speeds), peer: median(peer_speeds), ratio: median(ratios) })
    }

    /// One sample: work repeated until the sample's time is over.
    pub fn sample(self, work: &mut Work) -> Result<f64> {
        let start = ThreadTime::now();
        let mut things = 0;
        loop {
            things += work()?;
            let elapsed = start.elapsed();
            if elapsed >= self.sample {
                return Ok(things as f64 / elapsed.as_secs_f64());
            }
        }
    }
}

/// The middle value; of two middle ones the lower.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_mind_outliers_or_order() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn the_sides_of_a_duel_take_turns_to_go_first() {
        let plan = Plan { rounds: 3, sample: Duration::ZERO };
        let order = std::cell::RefCell::new(String::new());
        let mut ours = || {
            order.borrow_mut().push('o');
            Ok(1)
        };
        let peer = || {
            order.borrow_mut().push('p');
            Ok(1.0)
        };
        plan.duel(&mut ours, peer).expect("nothing fails");
        assert_eq!(order.into_inner(), "oppoop");
    }

    #[test]
    fn a_failure_ends_the_measurement() {
        let plan = Plan { rounds: 3, sample: Duration::ZERO };
        assert!(plan.speed(&mut || anyhow::bail!("wrong count")).is_err());
        assert!(plan.duel(&mut || Ok(1), || anyhow::bail!("peer is gone")).is_err());
    }
}
