//! Findings as pages show them, and in the words that pages and the terminal share.

use crate::finding::{Diagnosis, Finding, Gain, SourcePlace};
use crate::rules::{ALL, diagnose};
use crate::subject::Inspected;
use hone_views::{PageFinding, PageFindings};

/// Diagnoses a recording for a page; `looked` says at what rules look, such as `1,068 samples of cpu-clock`.
pub fn page_findings(inspected: &Inspected, looked: &str) -> PageFindings {
    let diagnosis = diagnose(inspected);
    PageFindings {
        summary: summary(&diagnosis, looked),
        findings: (diagnosis.findings.iter())
            .map(|finding| shown(inspected, finding))
            .collect(),
        not_looked: (diagnosis.not_looked.iter())
            .map(|not| not.in_words())
            .collect(),
    }
}

fn summary(diagnosis: &Diagnosis, looked: &str) -> String {
    let silent = diagnosis.not_looked.iter().map(|not| not.rules.len());
    // The first rule judges the recording.
    let rules = ALL.len() - 1 - silent.sum::<usize>();
    let summary = match diagnosis.findings.len() {
        _ if !diagnosis.is_fit() => looked.to_owned(),
        0 => format!("Nothing odd: {rules} rules looked at {looked}"),
        _ => format!("{rules} rules looked at {looked}"),
    };
    match diagnosis.not_seen() {
        Some(sentence) => format!("{summary}. {sentence}"),
        None => summary,
    }
}

fn shown(inspected: &Inspected, finding: &Finding) -> PageFinding {
    let share = &finding.share;
    let gain = finding.gain.as_ref();
    let place = finding.place.as_ref().filter(|place| place.line > 0);
    let functions = inspected.names_of(finding);
    PageFinding {
        rule: finding.rule.to_owned(),
        title: finding.title.to_owned(),
        // A finding about the recording itself is not a share of time that can be saved.
        share: gain.map(|_| [share.share, share.low, share.high]),
        cores: finding.cores.map(|cores| cores.in_words()),
        gain: gain.map(Gain::in_words),
        place: place.map(SourcePlace::with_line),
        command: (!finding.levers.is_empty())
            .then(|| format!("hone optimize --levers {}", finding.levers.join(","))),
        advice: finding.change.clone(),
        unless: finding.not_when.to_owned(),
        seen: (finding.evidence.iter())
            .map(|seen| (seen.share.map(|share| share.share), seen.what.clone()))
            .collect(),
        functions: functions.into_iter().map(str::to_owned).collect(),
    }
}

impl SourcePlace {
    /// Returns the place as `file:line in function`.
    pub fn with_line(&self) -> String {
        format!("{}:{} in {}", self.file, self.line, self.function)
    }
}

impl Diagnosis {
    /// Describes in a few sentences the time that rules could not examine.
    pub fn not_seen(&self) -> Option<String> {
        let fit = self.is_fit();
        let mend = match self.sums {
            Some(_) => "Give the hub its symbols: hone hub symbols FILE.",
            None => {
                "Install its debug symbols, or record a build with them; hone top says why names are missing."
            }
        };
        let nameless = self.unseen.as_ref().filter(|_| fit).map(|unseen| {
            format!(
                "Not seen: {:.1} % of the time, in code without names, most of it in {}. {mend}",
                unseen.share.share * 100.0,
                unseen.binary
            )
        });
        let inlined = self.inlined_unseen.as_ref().filter(|_| fit).map(|unseen| {
            format!(
                "Not seen: what was inlined, in {:.1} % of the time, most of it in {}, which has no debug information. Rules \
                 that go by names (vector-bool, trees, hash-tables and others) see calls only; build with -g1 and record again.",
                unseen.share.share * 100.0,
                unseen.binary
            )
        });
        let sentences: Vec<String> = nameless.into_iter().chain(inlined).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }
}
