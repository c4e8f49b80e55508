//! Waits before the next attempt.
//!
//! Exponential backoff with full jitter ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015): the wait is drawn
//! evenly between nothing and a bound that doubles, so that a million agents do not come back at once.

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// Bounds of waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retry {
    /// Bound of the first wait.
    pub first: Duration,
    /// Longest wait, except a wait that a back end asks for.
    pub longest: Duration,
    /// Longest wait that a back end can ask for by `Retry-After`.
    pub asked_longest: Duration,
}

impl Default for Retry {
    /// Bounds of one second, doubling up to one minute, and ten minutes where the back end asks.
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            asked_longest: Duration::from_secs(600),
        }
    }
}

impl Retry {
    /// Returns the wait after the given number of failures in a row (1 is the first). The time that the back end asks
    /// for is a lower bound, to which the jitter of a first wait is added, so that not all agents come at the same
    /// moment.
    pub fn wait(&self, failures: u32, asked: Option<Duration>, random: &mut impl Rng) -> Duration {
        let doubled = 2u32.saturating_pow(failures.saturating_sub(1).min(30));
        let bound = self.first.saturating_mul(doubled).min(self.longest);
        match asked {
            Some(asked) => {
                let asked = asked.min(self.asked_longest);
                asked + self.first.mul_f64(random.random_range(0.0..1.0))
            }
            None => bound.mul_f64(random.random_range(0.0..1.0)),
        }
    }
}

/// Returns a random generator with another seed in each thread of each agent: the keys of the standard library's hasher
/// come from the kernel.
pub(super) fn chance() -> StdRng {
    StdRng::seed_from_u64(RandomState::new().hash_one(0))
}

/// Parses `Retry-After`: seconds, or a moment. `None` if the value is neither.
pub fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = jiff::fmt::rfc2822::parse(value).ok()?;
    let moment = SystemTime::from(moment.timestamp());
    Some(moment.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_their_bound_and_are_spread() {
        let mut random = StdRng::seed_from_u64(7);
        let retry = Retry::default();
        for failures in 1..200 {
            let bound = Duration::from_secs(1 << (failures - 1).min(6)).min(retry.longest);
            let waits: Vec<_> = (0..100)
                .map(|_| retry.wait(failures, None, &mut random))
                .collect();
            assert!(waits.iter().all(|wait| *wait <= bound));
            assert!(waits.iter().any(|wait| *wait > bound / 2));
            assert!(waits.iter().any(|wait| *wait < bound / 2));
        }
    }

    #[test]
    fn what_is_asked_for_is_kept_up_to_a_limit() {
        let mut random = StdRng::seed_from_u64(7);
        let retry = Retry::default();
        for asked in [0, 5, 600, 86_400] {
            let wait = retry.wait(1, Some(Duration::from_secs(asked)), &mut random);
            let least = Duration::from_secs(asked.min(600));
            assert!(wait >= least && wait <= least + retry.first);
        }
    }

    #[test]
    fn seconds_and_moments_are_understood() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let seconds = |value| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(seconds(" 120 "), Some(120));
        assert_eq!(seconds("Tue, 14 Nov 2023 22:13:50 GMT"), Some(30));
        assert_eq!(seconds("Tue, 14 Nov 2023 22:13:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds("-5"), None);
    }
}
