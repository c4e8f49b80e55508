//! The findings of `hone diagnose` as the page of `hone view` shows them.

use hone_diagnose::{ALL, Diagnosis, Finding, Gain, Inspected, diagnose};
use hone_views::{PageFinding, PageFindings};

use crate::diagnose::{not_seen, place_in_words};
use crate::views::samples_in_words;

/// Diagnoses a recording for the page.
pub(super) fn findings(inspected: &Inspected) -> PageFindings {
    let diagnosis = diagnose(inspected);
    PageFindings {
        summary: summary(&diagnosis),
        findings: (diagnosis.findings.iter())
            .map(|finding| shown(inspected, finding))
            .collect(),
    }
}

fn summary(diagnosis: &Diagnosis) -> String {
    let looked = samples_in_words(&diagnosis.event, diagnosis.samples, diagnosis.weight);
    // The first rule judges the recording.
    let rules = ALL.len() - 1;
    let summary = match diagnosis.findings.len() {
        _ if !diagnosis.is_fit() => looked,
        0 => format!("Nothing odd: {rules} rules looked at {looked}"),
        _ => format!("{rules} rules looked at {looked}"),
    };
    match not_seen(diagnosis) {
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
        gain: gain.map(Gain::in_words),
        place: place.map(place_in_words),
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
