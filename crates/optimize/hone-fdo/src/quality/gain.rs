//! The share of the gain that a profile is expected to have.
//!
//! The curve goes through what was measured with fleets of 20 hosts on three programs (`bench/results/hub/pgo.json` and
//! `pgo-first-second.json`), by the overlap of their profiles with that of recordings of whole runs. Two profiles that are both thin overlap
//! less than a thin one and a thick one, so the share that the overlap with the next profile tells is a careful one. Profiles of single
//! recordings (`bench/results/quality/gains.json`) had less than the curve says in places, and one below its beginning made its program
//! slower: so there is no share there.

/// Overlaps, and shares of the gain of a profile of whole runs. It begins a little below the thinnest profile that was measured here.
const CURVE: [(f64, f64); 6] = [
    (0.48, 0.43),
    (0.507, 0.43),
    // Two programs, of which the one with the larger overlap had 91 and the other one 92 %.
    (0.665, 0.914),
    (0.738, 0.914),
    (0.987, 0.989),
    (1.0, 1.0),
];

/// Returns the share of the gain of a profile of whole runs that is to be expected by the overlap with the next profile; `None`
/// if the profile is so thin that it may make the program slower.
pub fn gain_share(overlap: f64) -> Option<f64> {
    let overlap = overlap.min(1.0);
    if overlap < CURVE[0].0 {
        return None;
    }
    let mut pieces = CURVE.windows(2).map(|ends| (ends[0], ends[1]));
    let piece = pieces.find(|(_, to)| overlap <= to.0);
    Some(piece.map_or(1.0, |(from, to)| {
        let way = (overlap - from.0) / (to.0 - from.0);
        from.1 + (to.1 - from.1) * way
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    /// Points between what was measured and the curve.
    const NEAR: f64 = 0.02;

    #[test]
    fn the_curve_is_what_was_measured() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../bench/results/hub");
        let mut points = 0;
        for name in ["pgo.json", "pgo-first-second.json"] {
            let text = fs::read(results.join(name)).expect("results");
            let found: Value = serde_json::from_slice(&text).expect("JSON");
            for (program, row) in found["programs"].as_object().expect("programs") {
                let gain = |of: &str| row["gains"][of]["ratio"].as_f64().expect("a gain").ln();
                let share = 1.0 + gain("fleet over long") / gain("long");
                let overlap = row["overlaps"]["fleet"].as_f64().expect("an overlap");
                let expected = gain_share(overlap).expect("it was measured");
                assert!(
                    (expected - share).abs() < NEAR,
                    "{program}: {expected} {share}"
                );
                points += 1;
            }
        }
        assert!(points >= 4, "{points}");
    }

    #[test]
    fn a_profile_that_made_a_program_slower_has_no_share() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../bench/results/quality");
        let text = fs::read(results.join("gains.json")).expect("results");
        let found: Value = serde_json::from_slice(&text).expect("JSON");
        let programs = found["programs"].as_object().expect("programs");
        let rows = programs.values().filter_map(Value::as_object).flatten();
        let slower = rows.filter(|(_, row)| row["high"].as_f64().expect("an interval") < 1.0);
        let overlaps: Vec<f64> = slower
            .map(|(_, row)| row["promised"].as_f64().expect("an overlap"))
            .collect();
        assert!(!overlaps.is_empty());
        assert!(
            overlaps
                .iter()
                .all(|overlap| gain_share(*overlap).is_none()),
            "{overlaps:?}"
        );
    }

    #[test]
    fn more_overlap_never_promises_less() {
        let shares = [-1.0, 0.0, 0.4, 1.0, 2.0].map(gain_share);
        assert_eq!(shares, [None, None, None, Some(1.0), Some(1.0)]);
        let shares = (0..=1000).map(|at| gain_share(f64::from(at) / 1000.0));
        assert!(shares.is_sorted());
    }
}
