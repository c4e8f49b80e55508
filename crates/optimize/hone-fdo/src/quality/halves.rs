//! What a recording says of the next one, by the overlap of its halves.

use super::figures::percent;
use super::gain::gain_share;
use super::{Figure, Limits, Verdict};
use crate::halves::{Halves, Unit};
use crate::overlap::{Overlap, overlap, shared};
use crate::sample_profile::SampleProfile;

/// Name of the figure that decides.
pub const SPLIT_HALF: &str = "split-half overlap";
/// Name of the figure on the order of time.
const OVER_TIME: &str = "over time";

/// Returns the overlap of two recordings, as it is to be expected by the overlap of the halves of one of them.
///
/// Halves have half of the observations each, so they overlap less than two recordings of full length: where a share is the mean of n
/// observations, it differs by some power of n. Two formulas are too hopeful. Where each place was seen often, the mean difference of two
/// shares is as their standard error, which is 1/sqrt(2) as large for twice the observations (Berend and Kontorovich, *A sharp estimate of
/// the binomial mean absolute deviation with applications*, Statistics and Probability Letters 83, 2013). Where most places were seen once
/// or never, twice the observations share no more than the formula for tests of double length says: 2 r / (1 + r) (Spearman,
/// *Correlation calculated from faulty data*, and Brown, *Some experimental results in the correlation of mental abilities*, both British
/// Journal of Psychology 3, 1910). The smaller of both is an upper estimate. A lower one takes the power as r / 2: none where nothing
/// overlaps, and a half where all does. The mean of both was within 2 points (root mean square; 5 at most) of the truth for
/// draws of 8 to 4,000 observations from Zipf's and three other distributions, some of them in clusters as walks are.
pub fn expected(halves: f64) -> f64 {
    let halves = halves.clamp(0.0, 1.0);
    let upper = (1.0 - halves) / (1.0 + halves).min(std::f64::consts::SQRT_2);
    let lower = (1.0 - halves) * (-0.5 * halves).exp2();
    1.0 - 0.5 * (upper + lower)
}

/// Returns how many times as long a recording has to be for this overlap, by that which is expected now: the difference
/// falls with the square root of the time.
pub fn times_as_long(expected: f64, wanted: f64) -> f64 {
    let ratio = (1.0 - expected).max(0.0) / (1.0 - wanted).max(f64::EPSILON);
    (ratio * ratio).max(1.0)
}

/// Times as long beyond which the number says nothing: no recording reaches what is asked for.
pub const LONGER_MAX: f64 = 1_000.0;

/// Says so many times as long, rounded up: what falls short by a hair is not told to be recorded once more as it was.
pub fn longer(times: f64) -> String {
    if times > LONGER_MAX {
        return "far longer".to_owned();
    }
    // A number that is whole but for its last digit stays.
    let tenths = (times * 10.0 - 1e-6).ceil().max(11.0);
    format!("{:.1} times as long", tenths / 10.0)
}

/// Returns the mean overlap of halves that were made in several ways; `None` if no way left something in both.
pub fn overlap_of_halves(ways: &[[SampleProfile; 2]]) -> Option<Overlap> {
    let is_whole = |way: &&[SampleProfile; 2]| way.iter().all(|half| half.total() > 0);
    let found: Vec<Overlap> = ways
        .iter()
        .filter(is_whole)
        .map(|[one, other]| overlap(one, other))
        .collect();
    let mean = |of: fn(&Overlap) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let first = *found.first()?;
    Some(Overlap {
        blocks: mean(|overlap| overlap.blocks),
        blocks_as_inlined: mean(|overlap| overlap.blocks_as_inlined),
        functions: mean(|overlap| overlap.functions),
        ..first
    })
}

/// Returns the figures of the halves of a recording.
pub fn of_halves(halves: &Halves, limits: &Limits) -> Vec<Figure> {
    let count = halves.observations;
    let found = overlap_of_halves(&halves.dealt).filter(|_| count > 1);
    let Some(found) = found else {
        return vec![alone(count, halves.unit)];
    };
    let value = expected(found.blocks);
    let of_what = match halves.unit {
        Unit::Walks => "walks",
        Unit::BranchStacks => "branch stacks",
        Unit::Samples => "samples",
    };
    let times = times_as_long(value, limits.overlap.good());
    let mut figure = Figure::new(
        SPLIT_HALF,
        value,
        format!(
            "{} overlap with the next recording, by the halves of {count} {of_what}",
            percent(value)
        ),
        limits.overlap,
        more(times, halves.unit),
    );
    figure.details.push(format!(
        "{} overlap of the halves themselves",
        percent(found.blocks)
    ));
    figure.details.push(match gain_share(value) {
        Some(share) => format!(
            "{:.0} % of the gain of a profile of whole runs is to be expected",
            100.0 * share
        ),
        None => "so thin a profile may make the program slower".into(),
    });
    let mut figures = vec![figure];
    figures.extend(over_time(halves, limits));
    figures
}

fn more(times: f64, unit: Unit) -> String {
    let often = match unit {
        Unit::Walks => "with a larger --overhead",
        Unit::BranchStacks | Unit::Samples => "sample more often",
    };
    format!(
        "Record {}, or {often}: the next recording would say something else.",
        longer(times)
    )
}

/// Returns the figure of a recording whose only observation cannot be compared with another one.
fn alone(count: u64, unit: Unit) -> Figure {
    let one = match (count, unit) {
        (0, _) => "no observation",
        (1, Unit::Walks) => "one walk",
        (1, Unit::BranchStacks) => "one branch stack",
        (1, Unit::Samples) => "one sample",
        (_, Unit::Walks) => "walks",
        (_, Unit::BranchStacks | Unit::Samples) => "samples",
    };
    let shown = match count {
        0 | 1 => format!("{one} in the binary, and nothing to compare it with"),
        _ => format!("{count} {one} in the binary, of which one half says nothing"),
    };
    Figure {
        verdict: Verdict::Unfit,
        advice: Some(match unit {
            Unit::Walks => {
                "Record for longer, or with a larger --overhead: branches of one walk are one observation.".into()
            }
            Unit::BranchStacks | Unit::Samples => "Record for longer, or sample more often.".into(),
        }),
        ..Figure::fact(SPLIT_HALF, 0.0, shown)
    }
}

/// Returns the figure of a profile whose recording is not at hand.
pub(super) fn unknown(advice: &str) -> Figure {
    Figure {
        verdict: Verdict::Unknown,
        advice: Some(advice.to_owned()),
        // Not a number, which JSON writes as null.
        ..Figure::fact(
            SPLIT_HALF,
            f64::NAN,
            "what the next recording would say".to_owned(),
        )
    }
}

/// Returns the figure of how much the first half of the time says of the second. Chance deals out observations of all times to both
/// halves, so phases that the recording has not seen show here alone.
fn over_time(halves: &Halves, limits: &Limits) -> Option<Figure> {
    let [early, late] = halves.in_time.as_ref()?;
    let shared = shared(early, late);
    let shown = format!(
        "{} of the weight in functions is alike in the first and the second half of the time",
        percent(shared)
    );
    let Some(threshold) = limits.over_time else {
        return Some(Figure::fact(OVER_TIME, shared, shown));
    };
    Some(Figure::new(
        OVER_TIME,
        shared,
        shown,
        threshold,
        "The work changed meanwhile, so a recording of another moment may see other work. If this one has a whole run, from its \
         start to its end, the next run does the same; if not, record for several times as long as the phases last.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sample_profile;
    use rustc_hash::FxHashMap;

    fn profile(text: &str) -> SampleProfile {
        read_sample_profile(text.as_bytes()).unwrap().samples
    }

    fn halves(observations: u64, dealt: Vec<[&str; 2]>) -> Halves {
        Halves {
            observations,
            unit: Unit::Walks,
            dealt: dealt.into_iter().map(|way| way.map(profile)).collect(),
            in_time: None,
        }
    }

    #[test]
    fn whole_recordings_overlap_more_than_halves_and_not_more_than_either_formula() {
        assert_eq!([0.0, 1.0].map(expected), [0.0, 1.0]);
        for percent in 1..100 {
            let halves = f64::from(percent) / 100.0;
            let whole = expected(halves);
            assert!(whole > halves && whole < 1.0, "{halves} {whole}");
            assert!(whole <= 2.0 * halves / (1.0 + halves) + 1e-12);
            assert!(whole <= 1.0 - (1.0 - halves) / 2.0_f64.sqrt() + 1e-12);
        }
    }

    /// Recordings are drawn from a known distribution, and the overlap of two is what the halves of one promise.
    #[test]
    fn what_halves_promise_is_what_two_recordings_have() {
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) as usize) % n
        };
        for (places, draws) in [(100, 200), (100, 2_000), (1_000, 1_000), (1_000, 10_000)] {
            let mut drawn = |draws: usize| {
                let mut counts: FxHashMap<usize, u64> = FxHashMap::default();
                for _ in 0..draws {
                    // Low numbers come often, as hot code does.
                    let most = below(places) + 1;
                    *counts.entry(below(most)).or_default() += 1;
                }
                counts
            };
            let (mut promised, mut kept) = (0.0, 0.0);
            for _ in 0..20 {
                promised += expected(shared(&drawn(draws / 2), &drawn(draws / 2))) / 20.0;
                kept += shared(&drawn(draws), &drawn(draws)) / 20.0;
            }
            assert!(
                (promised - kept).abs() < 0.03,
                "{places} places, {draws} draws: {promised} {kept}"
            );
        }
    }

    #[test]
    fn one_walk_is_unfit_whatever_it_counts() {
        let many = "f:90000:1\n 1: 90000\n";
        let figures = of_halves(&halves(1, vec![[many, ""]]), &Limits::default());
        assert_eq!(figures.len(), 1);
        assert_eq!(
            (figures[0].name, figures[0].verdict),
            (SPLIT_HALF, Verdict::Unfit)
        );
        assert!(
            figures[0].shown.starts_with("one walk"),
            "{}",
            figures[0].shown
        );
    }

    #[test]
    fn the_overlap_of_the_halves_decides() {
        let (f, g) = ("f:100:1\n 1: 100\n", "g:100:1\n 1: 100\n");
        let both = "f:50:1\n 1: 50\ng:50:1\n 1: 50\n";
        let verdict = |ways| of_halves(&halves(4, ways), &Limits::default())[0].verdict;
        assert_eq!(verdict(vec![[both, both]]), Verdict::Good);
        assert_eq!(verdict(vec![[f, both]]), Verdict::Poor);
        assert_eq!(verdict(vec![[f, g]]), Verdict::Unfit);
        // The mean of three ways; one that leaves nothing to one half does not count.
        let found = of_halves(
            &halves(3, vec![[f, g], [both, both], [f, ""]]),
            &Limits::default(),
        );
        assert!((found[0].value - expected(0.5)).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn phases_that_follow_each_other_are_poor_however_many_walks_there_are() {
        let both = "f:50:1\n 1: 50\ng:50:1\n 1: 50\n";
        let weights = |name: &str| FxHashMap::from_iter([(name.to_owned(), 50)]);
        let mut phases = halves(1_000, vec![[both, both]]);
        phases.in_time = Some([weights("f"), weights("g")]);
        let figures = of_halves(&phases, &Limits::default());
        let verdicts: Vec<Verdict> = figures.iter().map(|figure| figure.verdict).collect();
        assert_eq!(verdicts, [Verdict::Good, Verdict::Poor]);
        let whole_runs = Limits {
            over_time: None,
            ..Limits::default()
        };
        assert_eq!(of_halves(&phases, &whole_runs)[1].verdict, Verdict::Good);
    }

    #[test]
    fn what_falls_short_by_a_hair_is_recorded_for_longer() {
        assert_eq!(
            [1.0, 1.000_1, 1.1, 2.63, 25.0].map(longer),
            [1.1, 1.1, 1.1, 2.7, 25.0].map(|times| format!("{times:.1} times as long"))
        );
        assert_eq!([1e27, f64::INFINITY].map(longer), ["far longer"; 2]);
    }

    #[test]
    fn the_time_that_is_needed_grows_with_the_square_of_the_difference() {
        assert!((times_as_long(0.6, 0.8) - 4.0).abs() < 1e-9);
        assert!((times_as_long(0.0, 0.8) - 25.0).abs() < 1e-9);
        assert_eq!(times_as_long(0.9, 0.8), 1.0);
    }
}
