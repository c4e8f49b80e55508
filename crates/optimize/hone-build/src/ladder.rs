//! Choice of the rung that the next step builds on.

use crate::lever::Bundle;

/// Result of measuring one bundle of levers on top of the rung below.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The levers.
    pub bundle: Bundle,
    /// True if the gain is proven: the whole interval lies above 1.
    pub proven: bool,
    /// Estimated gain, CPU old / new.
    pub gain: f64,
    /// True if the gain has a price that nobody allowed.
    pub rejected: bool,
}

impl Judgement {
    /// Returns true if the levers may be kept.
    fn may_be_kept(&self) -> bool {
        self.proven && !self.rejected && !self.bundle.is_reference()
    }
}

/// Returns the alternative that a step keeps: the proven one with the largest gain that was not rejected, or none.
///
/// The largest of several estimates is likely to be too large; therefore the winner of the whole ladder is
/// measured afresh before it is announced.
pub fn choose<'a>(alternatives: impl IntoIterator<Item = &'a Judgement>) -> Option<&'a Bundle> {
    alternatives
        .into_iter()
        .filter(|judgement| judgement.may_be_kept())
        .max_by(|a, b| a.gain.total_cmp(&b.gain))
        .map(|judgement| &judgement.bundle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(id: &str, proven: bool, gain: f64) -> Judgement {
        Judgement {
            bundle: Bundle::parse(id).unwrap(),
            proven,
            gain,
            rejected: false,
        }
    }

    #[test]
    fn only_what_is_proven_is_kept() {
        assert_eq!(choose(&[judgement("thinlto", false, 1.5)]), None);
        let judged = [
            judgement("autofdo", true, 1.1),
            judgement("pgo", false, 1.9),
        ];
        assert_eq!(choose(&judged).unwrap().id(), "autofdo");
    }

    #[test]
    fn what_was_rejected_loses_to_what_was_not() {
        let greedy = Judgement {
            rejected: true,
            ..judgement("gogc-400", true, 1.5)
        };
        assert!(choose([&greedy]).is_none());
        let modest = judgement("gogc-200", true, 1.1);
        assert_eq!(choose([&greedy, &modest]).unwrap().id(), "gogc-200");
    }

    #[test]
    fn the_larger_proven_gain_wins_but_never_a_reference() {
        let judged = [
            judgement("autofdo-ip", true, 2.0),
            judgement("autofdo", true, 1.1),
            judgement("memops+pgo", true, 1.2),
        ];
        assert_eq!(choose(&judged).unwrap().id(), "memops+pgo");
    }
}
