//! The recording itself: too few samples, samples lost, or little but code without names.
//!
//! Broken call stacks do not make a recording unfit: each of them still tells what ran. Rules that look at callers see
//! fewer callers, so these rules may stay silent but report nothing wrong.

use super::{Rule, Saves};
use crate::claims::Claim;
use crate::finding::{Confidence, Evidence, Finding, SAMPLES, Unseen};
use crate::share::Share;
use crate::subject::Inspected;
use crate::sums::Sums;

/// Smallest number of effective samples: the interval of a share of 5 % is then about 4 points wide.
const SAMPLES_MIN: f64 = 500.0;

pub(super) const RULE: Rule = Rule {
    name: "unfit",
    title: "The recording is not fit to judge",
    needs: &[],
    threshold: 0.05,
    source: "from 5 % on, what was lost can hide or fake any other finding",
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "",
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Record again.",
    not_when: "The code without names is not the one to look at: hone top shows what is known.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    // Where samples are few because most were never taken, a longer recording does not help.
    unsampled(rule, inspected)
        .or_else(|| few(rule, inspected))
        .or_else(|| lost(rule, inspected))
}

fn few(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let samples = inspected.effective_samples();
    (samples < SAMPLES_MIN).then(|| {
        let mut what = format!("{} samples", inspected.samples());
        if inspected.samples() as f64 >= SAMPLES_MIN {
            what +=
                &format!(" that stand for so unequal times that they say as much as {samples:.0}");
        }
        what += &format!(", and at least {SAMPLES_MIN} are needed");
        let change = "Record for longer: one sample is one tick of CPU time. Of a command that hone starts, \
            --branches none -F 4000 takes four times as many in the same time.";
        let change = match inspected.sums {
            Some(_) => "Ask for a longer time, or for more builds and hosts at once.",
            None => change,
        };
        let share = inspected.share(inspected.weight());
        finding(rule, share, what, None, change.to_owned())
    })
}

/// Returns the finding for a recording whose samples stand for less CPU time than was used: what is found of the rest may be a part of
/// the truth only.
fn unsampled(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let accounted = inspected.losses.accounted;
    let unsampled = accounted.unsampled()?;
    let (used_ns, sampled_ns) = (accounted.used_ns, accounted.sampled_ns);
    let share = Share::new(
        used_ns.saturating_sub(sampled_ns) / accounted.period_ns.max(1),
        used_ns.saturating_sub(sampled_ns),
        used_ns,
        accounted.samples as f64,
    );
    (unsampled > rule.threshold).then(|| {
        let what = format!(
            "no sample stands for {:.2} of the {:.2} s of CPU time that was used",
            used_ns.saturating_sub(sampled_ns) as f64 / 1e9,
            used_ns as f64 / 1e9
        );
        let change = format!("Record again: {}.", accounted.cure());
        finding(rule, share, what, Some(share), change)
    })
}

fn lost(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let (kept, lost) = (inspected.samples(), inspected.losses.lost_samples);
    let taken = kept.saturating_add(lost);
    let share = Share::new(lost, lost, taken, taken as f64);
    (share.low > rule.threshold).then(|| {
        let what =
            format!("{lost} samples were lost while recording, beside {kept} that were kept");
        let change =
            "Record again at a lower frequency (-F), or with less else to do for the machine.";
        finding(rule, share, what, Some(share), change.to_owned())
    })
}

/// Returns the finding for a recording in which no rule found anything and most of the time is in code without names.
pub(super) fn nameless(unseen: &Unseen, sums: Option<Sums>) -> Finding {
    let Unseen { share, binary } = unseen;
    let change = match sums {
        Some(_) => format!("Give the hub the symbols of {binary}: hone hub symbols FILE."),
        None => format!(
            "Install the debug symbols of {binary}, or record a build with them; hone top says why names are missing."
        ),
    };
    let what = format!("code without names, most of it in {binary}");
    finding(&RULE, *share, what, Some(*share), change)
}

fn finding(rule: &Rule, share: Share, what: String, of: Option<Share>, change: String) -> Finding {
    Finding {
        rule: rule.name,
        title: rule.title,
        confidence: rule.confidence,
        share,
        cores: None,
        unit: SAMPLES,
        threshold: rule.threshold,
        threshold_source: rule.source,
        evidence: vec![Evidence { what, share: of }],
        functions: Vec::new(),
        place: None,
        gain: None,
        levers: Vec::new(),
        change,
        not_when: rule.not_when,
        claim: Claim::default(),
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnose;
    use crate::testing::inspected;
    use hone_profile::Accounted;

    #[test]
    fn with_few_or_a_part_of_the_samples_nothing_else_is_said() {
        let few = diagnose(&inspected(&[("main;malloc", 200), ("main", 200)]));
        assert!(!few.is_fit());
        assert_eq!(few.findings.len(), 1);
        let mut unsampled = inspected(&[("main;malloc", 400), ("main", 400)]);
        unsampled.losses.accounted = Accounted {
            used_ns: 2_745_000_000,
            sampled_ns: 802_000_000,
            samples: 802,
            period_ns: 1_000_000,
            are_of_cpus: false,
        };
        let unsampled = diagnose(&unsampled);
        assert!(!unsampled.is_fit());
        let said = &unsampled.findings[0].evidence[0].what;
        assert_eq!(
            said,
            "no sample stands for 1.94 of the 2.75 s of CPU time that was used"
        );
        let enough = diagnose(&inspected(&[("main;malloc", 400), ("main", 400)]));
        assert!(enough.is_fit());
        assert_eq!(enough.findings[0].rule, "allocator");
    }
}
