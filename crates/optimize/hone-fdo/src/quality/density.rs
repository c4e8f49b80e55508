//! How often hot code was seen: a figure that is told, and decides only where somebody gives a limit.

use super::halves::longer;
use super::{Figure, Threshold, Verdict};
use crate::sample_profile::SampleProfile;

/// Share of the weight whose functions count as hot for the density, as in llvm-profgen.
const DENSITY_CUTOFF: f64 = 0.99;
const DENSITY: &str = "density";

/// Returns the figure of the density, which decides only if there is a threshold or nothing was counted.
pub(super) fn dense(density: f64, unit: &str, threshold: Option<Threshold>) -> Figure {
    let shown = format!("{density:.1} {unit} per place of hot code");
    let at_work = "It counts nothing: record while the program is at work.";
    match threshold {
        Some(threshold) => {
            let more = match density > 0.0 {
                true => {
                    let times = threshold.good() / density;
                    format!("Record {}, or sample more often.", longer(times))
                }
                false => at_work.to_owned(),
            };
            Figure::new(DENSITY, density, shown, threshold, more)
        }
        None if density <= 0.0 => Figure {
            verdict: Verdict::Unfit,
            advice: Some(at_work.to_owned()),
            ..Figure::fact(DENSITY, density, shown)
        },
        None => Figure::fact(DENSITY, density, shown),
    }
}

/// Computes llvm-profgen's profile density: the lowest density of the functions that hold 99 % of all counts. A
/// function's density is the sum of its counts divided by the number of its places, inlined calls included.
pub fn density(profile: &SampleProfile) -> f64 {
    let mut functions: Vec<(f64, u64)> = Vec::new();
    for function in profile.functions.values() {
        let (mut counts, mut places) = (0u64, 0usize);
        function.visit(&mut |samples| {
            places += samples.body.len();
            let sum = samples.body.values().map(|line| line.count);
            counts = counts.saturating_add(sum.fold(0, u64::saturating_add));
        });
        if places > 0 {
            functions.push((counts as f64 / places as f64, counts));
        }
    }
    functions.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all: f64 = functions.iter().map(|&(_, counts)| counts as f64).sum();
    let (mut sum, mut lowest) = (0.0, 0.0);
    for (density, counts) in functions {
        if sum >= all * DENSITY_CUTOFF {
            break;
        }
        sum += counts as f64;
        lowest = density;
    }
    lowest
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, of_profile};
    use super::*;
    use crate::read_sample_profile;

    fn profile(text: &str) -> SampleProfile {
        read_sample_profile(text.as_bytes()).unwrap().samples
    }

    #[test]
    fn density_is_that_of_the_thinnest_hot_function() {
        // Function a (900/3 = 300) holds 90 %, c (95/5 = 19) makes it 99.5 %, and d does not matter.
        let text = "a:1:1\n 1: 500\n 2: 400\n 3: b:1\n  1: 0\nc:1:1\n 1: 95\n 2: 0\n 3: 0\n 4: 0\n 5: 0\n\
                    d:1:1\n 1: 5\n 2: 0\n 3: 0\n";
        assert_eq!(density(&profile(text)), 19.0);
        assert_eq!(density(&profile("")), 0.0);
        let of = |limits: &Limits| of_profile(&profile(text), limits).swap_remove(1);
        // It decides only where a limit is given.
        let figure = of(&Limits::default());
        assert_eq!((figure.name, figure.verdict), (DENSITY, Verdict::Good));
        assert!(figure.threshold.is_none());
        let figure = of(&Limits {
            density: Some(Threshold::Below {
                poor: 50.0,
                unfit: 5.0,
            }),
            ..Limits::default()
        });
        assert_eq!(figure.verdict, Verdict::Poor);
        let advice = figure.advice.as_deref().unwrap();
        assert!(advice.contains("2.7 times as long"), "{advice}");
        assert_eq!(
            of_profile(&profile(""), &Limits::default())[1].verdict,
            Verdict::Unfit
        );
    }
}
