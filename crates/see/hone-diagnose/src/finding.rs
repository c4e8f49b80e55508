//! Types of a diagnosis: findings with their evidence, place and gain.

use crate::claims::Claim;
use crate::share::Share;
use crate::sums::{Cores, NotLooked, Sums};
use serde::Serialize;

/// Confidence in a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Inferred from machine code or from names that can mean other things.
    Low,
    /// Named functions whose cost may be right for what the program does.
    Medium,
    /// Named by the compiler or by functions that do nothing else.
    High,
}

/// A line of evidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evidence {
    /// Observation in words.
    pub what: String,
    /// Share of the time; `None` for facts that are not a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// A place in the source of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct SourcePlace {
    /// Name of the function.
    pub function: String,
    /// Path of the program or library.
    pub binary: String,
    /// Source file; empty where unknown.
    pub file: String,
    /// Line; 0 where unknown.
    pub line: u32,
}

/// Gain from the change that a finding proposes: an estimate, and a bound where one is known.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// Speed-up of the whole program if the assumption holds and nothing else changes (Amdahl's law): in CPU time and
    /// not in latency, unless the assumption names another time.
    pub speedup_estimate: f64,
    /// Speed-up that no change of what was found should exceed: that of all its time gone, by the upper end of its interval. `None` where
    /// no part of the time is a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedup_max: Option<f64>,
    /// Assumed speed-up of the share that was found.
    pub factor: f64,
    /// Largest speed-up of the share that is known of any change; infinite where all of it can go.
    #[serde(skip)]
    pub factor_max: f64,
    /// Reason for the factor.
    pub assumption: &'static str,
    /// Share of the found code together with the functions that contain or call it and are compiled with it. A change
    /// recompiles these functions too, and their gain is not in the estimate. `None` if they add too little time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touched: Option<Share>,
}

impl Gain {
    /// Returns the gain as text for people.
    pub fn in_words(&self) -> String {
        let mut words = format!("about {:.2}x, {}", self.speedup_estimate, self.assumption);
        if let Some(most) = self.speedup_max {
            words = format!("at most {}; {words}", times(most));
        }
        if let Some(touched) = &self.touched {
            words += &format!(
                "; the code around it, {:.1} % of the time with it, is then compiled anew and may gain too",
                touched.share * 100.0
            );
        }
        words
    }
}

/// Formats a speed-up for people.
pub(crate) fn times(speedup: f64) -> String {
    match speedup {
        large if large >= 99.5 => format!("{large:.0}x"),
        some if some >= 9.95 => format!("{some:.1}x"),
        small => format!("{small:.2}x"),
    }
}

/// Unit of most shares.
pub(crate) const SAMPLES: &str = "samples";

/// A finding of a rule: what is odd, how much it costs and what to do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// Statement of the finding in one line.
    pub title: &'static str,
    /// Confidence in the finding.
    pub confidence: Confidence,
    /// Share of the time (or of the periods) that the finding is about.
    pub share: Share,
    /// CPU cores that the share is of; `None` for a recording of one host, and if the event counts no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<Cores>,
    /// Unit of the share: `samples`, or `periods` of a quota.
    pub unit: &'static str,
    /// Share that the lower end of the interval must exceed.
    pub threshold: f64,
    /// Source of the threshold.
    pub threshold_source: &'static str,
    /// Observations, heaviest first.
    pub evidence: Vec<Evidence>,
    /// Functions that the finding is about, without types and parameters, heaviest first; at most the hundred heaviest.
    pub functions: Vec<String>,
    /// Hottest place; `None` if the finding has no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// Estimated gain; `None` if the finding is about the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// Ids of levers of `hone optimize` that help.
    pub levers: Vec<&'static str>,
    /// Advice: the change to the source or to the build.
    pub change: String,
    /// Circumstances in which the finding does not apply.
    pub not_when: &'static str,
    /// Samples that the finding is about.
    #[serde(skip)]
    pub(crate) claim: Claim,
}

/// The findings of all rules about a recording.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diagnosis {
    /// Name of the event that was examined.
    pub event: String,
    /// Number of samples of the event.
    pub samples: u64,
    /// Weight of the samples; nanoseconds for a clock.
    pub weight: u64,
    /// What the samples are sums of; `None` for a recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sums: Option<Sums>,
    /// Findings: a build without optimisation first, the others by estimated gain. A profile that is not fit to judge
    /// has only the finding that tells so.
    pub findings: Vec<Finding>,
    /// Share of the time that all findings together are about: no sample belongs to two of them. `None` without findings about
    /// samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Share>,
    /// Rules that could not look, by what they lack.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_looked: Vec<NotLooked>,
    /// Time in code without names, which rules cannot examine; `None` if the share is not surely above 5 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
    /// Time in optimised code whose inlined calls have no names, by which most rules recognise code; `None` as for `unseen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inlined_unseen: Option<Unseen>,
}

/// Time in code where names are missing.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Unseen {
    /// Share of the time.
    pub share: Share,
    /// Path of the binary with most of it.
    pub binary: String,
}

impl Diagnosis {
    /// Returns what several findings are about together, as a sentence for people.
    pub fn all_together(&self) -> Option<String> {
        let together = self.together.filter(|_| self.findings.len() > 1)?;
        Some(format!(
            "Together {:.1} % of the time ({:.1} to {:.1} %): no sample is in two findings, so that their shares add up.",
            together.share * 100.0,
            together.low * 100.0,
            together.high * 100.0
        ))
    }

    /// True if the profile could be judged.
    pub fn is_fit(&self) -> bool {
        let unfit = crate::rules::UNFIT;
        self.findings.iter().all(|finding| finding.rule != unfit)
    }
}
