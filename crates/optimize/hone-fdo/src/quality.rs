//! Judges whether a profile is fit to use, by figures, each with a verdict, its threshold and advice.
//!
//! A poor profile still helps, but less than it could. An unfit profile may well make a build slower than no profile:
//! then it is better to build without it. [`of_profile`] judges the content of a profile, [`of_recording`] its origin,
//! [`of_overlap`] its agreement with another profile and [`of_staleness`] its agreement with a newer build.
//!
//! A profile is used on what runs next, so its worth is the part that the next recording would say too: the overlap of the halves of
//! the recording ([`of_halves`]). Without the recording that is not known.

mod density;
mod figures;
mod gain;
mod halves;
mod stale;

pub use density::density;
use figures::{LOST, OUTSIDE, UNSAMPLED};
pub use figures::{of_counts, of_overlap, of_profile, of_recording, of_staleness};
pub use gain::gain_share;
pub use halves::{
    LONGER_MAX, SPLIT_HALF, expected, longer, of_halves, overlap_of_halves, times_as_long,
};
pub use stale::{Staleness, stale_lines, stale_probes};

use serde::Serialize;

/// Verdict on the use of a profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The profile can be used.
    Good,
    /// Nothing speaks against the profile, but what decides is not known.
    #[serde(rename = "not known")]
    Unknown,
    /// The profile can be used if there is no better profile.
    Poor,
    /// The profile should not be used.
    Unfit,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Good => "good",
            Self::Unknown => "not known",
            Self::Poor => "poor",
            Self::Unfit => "unfit",
        })
    }
}

/// Limits at which a figure stops being good.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Threshold {
    /// Large values are good.
    Below {
        /// Value below which the figure is poor.
        poor: f64,
        /// Value below which the figure is unfit.
        unfit: f64,
    },
    /// Small values are good.
    Above {
        /// Value above which the figure is poor.
        poor: f64,
        /// Value above which the figure is unfit.
        unfit: f64,
    },
}

impl Threshold {
    /// Makes `limit` the border to unfit; a worse value is no longer good either.
    #[must_use]
    pub fn unfit_at(self, limit: f64) -> Self {
        match self {
            Self::Below { poor, .. } => Self::Below {
                poor: poor.max(limit),
                unfit: limit,
            },
            Self::Above { poor, .. } => Self::Above {
                poor: poor.min(limit),
                unfit: limit,
            },
        }
    }

    /// Returns the border of good values.
    pub fn good(self) -> f64 {
        match self {
            Self::Below { poor, .. } | Self::Above { poor, .. } => poor,
        }
    }

    /// Returns the border of values with which a profile should not be used.
    pub fn unfit(self) -> f64 {
        match self {
            Self::Below { unfit, .. } | Self::Above { unfit, .. } => unfit,
        }
    }

    fn verdict(self, value: f64) -> Verdict {
        let (poor, unfit) = match self {
            Self::Below { poor, unfit } => (value < poor, value < unfit),
            Self::Above { poor, unfit } => (value > poor, value > unfit),
        };
        match (poor, unfit) {
            (_, true) => Verdict::Unfit,
            (true, false) => Verdict::Poor,
            _ => Verdict::Good,
        }
    }
}

impl std::fmt::Display for Threshold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Below { poor, unfit } => write!(f, "poor below {poor}, unfit below {unfit}"),
            Self::Above { poor, unfit } => write!(f, "poor above {poor}, unfit above {unfit}"),
        }
    }
}

/// Thresholds of the figures.
///
/// They are judgement, and options of `hone quality`. Two long recordings of the programs in `bench/results/hub/pgo.md` overlap by 84 to
/// 99 %; profiles that overlap a long one by 66 and 74 % had nine tenths of its gain, and one that overlaps by half had less than half.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Executions, or plain samples, per place of hot code; decides only where it is given.
    pub density: Option<Threshold>,
    /// Share of samples outside the binary.
    pub outside: Threshold,
    /// Share of weight in code without source.
    pub unknown: Threshold,
    /// Share of ranges that are impossible.
    pub broken: Threshold,
    /// Overlap with another profile, and with the next recording as it is to be expected.
    pub overlap: Threshold,
    /// Share of functions' weight that is alike in both halves of the time; `None` where the recordings are known to have whole runs.
    pub over_time: Option<Threshold>,
    /// Share of weight that a new build does not have.
    pub stale: Threshold,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            density: None,
            outside: Threshold::Above {
                poor: 0.5,
                unfit: 0.95,
            },
            unknown: Threshold::Above {
                poor: 0.1,
                unfit: 0.5,
            },
            broken: Threshold::Above {
                poor: 0.05,
                unfit: 0.3,
            },
            overlap: Threshold::Below {
                poor: 0.8,
                unfit: 0.5,
            },
            over_time: Some(Threshold::Below {
                poor: 0.5,
                unfit: 0.0,
            }),
            stale: Threshold::Above {
                poor: 0.05,
                unfit: 0.4,
            },
        }
    }
}

/// A figure of the quality of a profile.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// Name of the figure.
    pub name: &'static str,
    /// Value: a share from 0 to 1, or the number that `shown` describes.
    pub value: f64,
    /// Value in words.
    pub shown: String,
    /// Verdict on the profile.
    pub verdict: Verdict,
    /// Threshold that decides; `None` if the figure is only for information.
    pub threshold: Option<Threshold>,
    /// Advice, if the verdict is not good.
    pub advice: Option<String>,
    /// Parts that the figure is made of.
    pub details: Vec<String>,
}

/// All figures of a profile.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Quality {
    /// Figures in the order of the report.
    pub figures: Vec<Figure>,
}

impl Quality {
    /// Returns the worst verdict; a profile without a figure is unfit.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.figures.iter().map(|figure| figure.verdict);
        verdicts.max().unwrap_or(Verdict::Unfit)
    }
}

/// Writes one or two lines: the verdict, and the worst figure with its advice or, if all is good, the main figures.
pub fn short(quality: &Quality) -> String {
    let verdict = quality.verdict();
    let mut bad = quality
        .figures
        .iter()
        .filter(|figure| figure.verdict == verdict && verdict != Verdict::Good);
    let Some(worst) = bad.next() else {
        if quality.figures.is_empty() {
            return format!("quality: {verdict}: there is nothing to judge\n");
        }
        let main = quality.figures.iter().filter(|f| f.threshold.is_some());
        let main: Vec<&str> = main.map(|figure| figure.shown.as_str()).collect();
        return format!("quality: {verdict}: {}\n", main.join(", "));
    };
    // The share outside and the losses of the recording are reported even if another figure is worse.
    let always = quality.figures.iter().filter(|figure| {
        let is_worth_it = figure.name == OUTSIDE || figure.verdict != Verdict::Good;
        figure.verdict != verdict
            && is_worth_it
            && [OUTSIDE, LOST, UNSAMPLED].contains(&figure.name)
    });
    let others = bad.chain(always);
    let others: String = others.map(|figure| format!(", {}", figure.shown)).collect();
    let mut text = format!("quality: {verdict}: {}{others}\n", worst.shown);
    if let Some(advice) = &worst.advice {
        text += &format!("note: {advice}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AggregateReport, Halves, Unit, read_sample_profile};

    fn judged(text: &str) -> Quality {
        let profile = read_sample_profile(text.as_bytes()).unwrap().samples;
        Quality {
            figures: of_profile(&profile, &Limits::default()),
        }
    }

    /// A recording whose halves both have this profile, or one of them none.
    fn observed(observations: u64, is_alike: bool) -> Quality {
        let read = |text: &str| read_sample_profile(text.as_bytes()).unwrap().samples;
        let (f, g) = ("f:9:1\n 1: 9\n", "g:9:1\n 1: 9\n");
        let halves = Halves {
            observations,
            unit: Unit::Walks,
            dealt: vec![[read(f), read(if is_alike { f } else { g })]],
            in_time: None,
        };
        Quality {
            figures: of_halves(&halves, &Limits::default()),
        }
    }

    #[test]
    fn the_short_form_names_the_worst_and_what_to_do() {
        let good = observed(40, true);
        assert_eq!(
            short(&good),
            "quality: good: 100.0 % overlap with the next recording, by the halves of 40 walks\n"
        );
        let unfit = observed(40, false);
        assert_eq!(
            short(&unfit),
            "quality: unfit: 0.0 % overlap with the next recording, by the halves of 40 walks\n\
             note: Record 25.0 times as long, or with a larger --overhead: the next recording would say something else.\n"
        );
        assert!(short(&observed(1, false)).starts_with("quality: unfit: one walk"));
        // However dense it is, what the next recording would say is not in the profile.
        let profile = judged("f:90000:1\n 1: 90000\n");
        assert_eq!(profile.verdict(), Verdict::Unknown);
        let text = short(&profile);
        assert!(
            text.starts_with("quality: not known: what the next recording would say"),
            "{text}"
        );
        assert!(text.contains("note: Name the recording"), "{text}");
        let plain = judged("f:2:0\n 1: 2\ng:2:0\n 1: 2\nh:2:0\n 1: 2\n");
        assert!(short(&plain).starts_with("quality: poor: no call targets"));
        assert_eq!(
            short(&Quality::default()),
            "quality: unfit: there is nothing to judge\n"
        );
    }

    #[test]
    fn what_is_outside_or_lost_is_said_whatever_is_worse() {
        let mut report = AggregateReport {
            samples: 100,
            samples_here: 80,
            ..AggregateReport::default()
        };
        report.losses.truncated_bytes = 9;
        let said = |report: &AggregateReport| {
            let mut unfit = observed(1, false);
            unfit.figures.extend(of_counts(report, &Limits::default()));
            short(&unfit)
        };
        let cut = said(&report);
        assert!(cut.starts_with("quality: unfit: one walk"), "{cut}");
        assert!(cut.contains("20.0 % of the samples outside"), "{cut}");
        assert!(cut.contains("9 bytes missing at its end"), "{cut}");
        report.losses.truncated_bytes = 0;
        report.losses.lost_samples = 100;
        let lost = said(&report);
        assert!(lost.contains("100 samples lost while recording"), "{lost}");
        report.losses.lost_samples = 1;
        assert!(!said(&report).contains("lost"), "{}", said(&report));
        report.losses.accounted = hone_profile::Accounted {
            used_ns: 1_000_000_000,
            sampled_ns: 200_000_000,
            samples: 200,
            period_ns: 1_000_000,
            are_of_cpus: false,
        };
        let unsampled = said(&report);
        assert!(
            unsampled.contains("80.0 % of the CPU time was never sampled"),
            "{unsampled}"
        );
    }

    #[test]
    fn a_limit_given_is_the_border_to_unfit() {
        let below = Limits::default().overlap.unfit_at(0.9);
        assert_eq!(
            [0.89, 0.9].map(|d| below.verdict(d)),
            [Verdict::Unfit, Verdict::Good]
        );
        let above = Limits::default().stale.unfit_at(0.2);
        let verdicts = [0.05, 0.1, 0.21].map(|share| above.verdict(share));
        assert_eq!(verdicts, [Verdict::Good, Verdict::Poor, Verdict::Unfit]);
    }
}
