//! What a rule found.

use crate::share::Share;
use serde::Serialize;

/// How sure a finding is.
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

/// One line of evidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evidence {
    /// What was seen, in words.
    pub what: String,
    /// How much of the time; `None` for facts that are no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// Where in the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct SourcePlace {
    /// The function.
    pub function: String,
    /// The program or library.
    pub binary: String,
    /// Source file; empty where unknown.
    pub file: String,
    /// Line; 0 where unknown.
    pub line: u32,
}

/// What can be gained: an estimate, and no bound.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gain {
    /// The speed-up of the whole, in CPU time and not in latency, if the assumption holds and nothing else changes
    /// (Amdahl's law).
    pub speedup_estimate: f64,
    /// How many times as fast the found share is assumed to become.
    pub factor: f64,
    /// Why so many times.
    pub assumption: &'static str,
    /// The share together with the functions that hold or call what was found and are compiled with it: a change
    /// compiles them anew, and what they gain by that is not in the estimate. `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touched: Option<Share>,
}

impl Gain {
    /// For people.
    pub fn in_words(&self) -> String {
        let mut words = format!("about {:.2}x, {}", self.speedup_estimate, self.assumption);
        if let Some(touched) = &self.touched {
            words += &format!(
                "; the code around it, {:.1} % of the time with it, is then compiled anew and may gain too",
                touched.share * 100.0
            );
        }
        words
    }
}

/// What most shares are counted in.
pub(crate) const SAMPLES: &str = "samples";

/// What is odd, how much it costs, what to do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// What it says, in a line.
    pub title: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// How much of the time it is about.
    pub share: Share,
    /// What was counted for the share: `samples`, or the `periods` of a quota.
    pub unit: &'static str,
    /// The share above which the rule speaks.
    pub threshold: f64,
    /// Where the threshold comes from.
    pub threshold_source: &'static str,
    /// What was seen, heaviest first.
    pub evidence: Vec<Evidence>,
    /// The functions that it is about, without types and parameters, heaviest first: the hundred heaviest at most.
    pub functions: Vec<String>,
    /// The hottest place, where there is one to name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// What can be gained; `None` where the finding is about the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// Ids of levers of `hone optimize` that help.
    pub levers: Vec<&'static str>,
    /// What to change in the source or in the build.
    pub change: String,
    /// When the finding does not apply.
    pub not_when: &'static str,
}

/// What all rules found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diagnosis {
    /// The event that was looked at.
    pub event: String,
    /// Its samples.
    pub samples: u64,
    /// What they stand for; of a clock, nanoseconds.
    pub weight: u64,
    /// The findings, a build without optimisation first, then by what can be gained; of a profile that is not fit to judge, that one alone.
    pub findings: Vec<Finding>,
    /// Where rules could not look, if that is more than a little.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
    /// Where inlined calls have no names, which most rules go by, if that is more than a little.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inlined_unseen: Option<Unseen>,
}

/// Time in code without names.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Unseen {
    /// How much of the time.
    pub share: Share,
    /// Path of the binary with most of it.
    pub binary: String,
}

impl Diagnosis {
    /// Whether the profile could be judged.
    pub fn is_fit(&self) -> bool {
        let unfit = crate::rules::UNFIT;
        self.findings.iter().all(|finding| finding.rule != unfit)
    }
}
