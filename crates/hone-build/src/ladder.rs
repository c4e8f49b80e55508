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
}

/// Returns the alternative that a step keeps: the proven one with the largest gain, or none.
///
/// The largest of several estimates is likely to be too large; therefore the winner of the whole ladder is
/// measured afresh before it is announced.
pub fn choose<'a>(alternatives: impl IntoIterator<Item = &'a Judgement>) -> Option<&'a Bundle> {
    alternatives
        .into_iter()
        .filter(|judgement| judgement.proven && !judgement.bundle.is_reference())
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
    fn the_larger_proven_gain_wins_but_never_a_reference() {
        let judged = [
            judgement("autofdo-ip", true, 2.0),
            judgement("autofdo", true, 1.1),
            judgement("memops+pgo", true, 1.2),
        ];
        assert_eq!(choose(&judged).unwrap().id(), "memops+pgo");
    }
}
