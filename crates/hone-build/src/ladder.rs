//! Which rung the next step stands on.

use crate::lever::Lever;

/// What a measurement said of one lever on top of the rung below.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// The lever.
    pub lever: &'static Lever,
    /// Whether the gain is proven: the whole interval lies above 1.
    pub proven: bool,
    /// Estimated gain, CPU old / new.
    pub gain: f64,
}

/// The alternative that a step keeps: of the proven ones the one with the largest gain, or none.
///
/// Choosing the largest of several estimates flatters it; that is why the winner of the whole ladder is
/// measured afresh before it is announced.
pub fn choose(alternatives: &[Judgement]) -> Option<&'static Lever> {
    alternatives
        .iter()
        .filter(|judgement| judgement.proven && !judgement.lever.reference_only)
        .max_by(|a, b| a.gain.total_cmp(&b.gain))
        .map(|judgement| judgement.lever)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::by_id;

    fn judgement(id: &str, proven: bool, gain: f64) -> Judgement {
        Judgement {
            lever: by_id(id).unwrap(),
            proven,
            gain,
        }
    }

    #[test]
    fn only_what_is_proven_is_kept() {
        assert_eq!(choose(&[judgement("thinlto", false, 1.5)]), None);
        let chosen = choose(&[
            judgement("autofdo", true, 1.1),
            judgement("pgo", false, 1.9),
        ]);
        assert_eq!(chosen.unwrap().id, "autofdo");
    }

    #[test]
    fn the_larger_proven_gain_wins_but_never_a_reference() {
        let chosen = choose(&[
            judgement("autofdo-ip", true, 2.0),
            judgement("autofdo", true, 1.1),
            judgement("pgo", true, 1.2),
        ]);
        assert_eq!(chosen.unwrap().id, "pgo");
    }
}
