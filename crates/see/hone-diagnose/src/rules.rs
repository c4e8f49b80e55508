//! The rules, one file each. A new rule needs a file with its `RULE`, a line in [`ALL`], a section in
//! `docs/see/diagnose.md` and a program with its twin in `examples/planted`.

mod allocator;
mod atomics;
mod baseline_isa;
mod binaries;
mod busy_spin;
mod byte_loop;
mod char_aliases;
mod checksums;
mod clock;
mod cold_code;
mod constant_divisor;
mod copies;
mod counters;
mod cpu_quota;
mod dear_calls;
mod debug_build;
mod denormals;
mod dependency;
mod division;
mod dynamic_cast;
mod error_handling;
mod exceptions;
mod fitness;
mod footprint;
mod formatting;
mod front_end;
mod go_collector;
mod go_memory;
mod hash_tables;
mod indirect_calls;
mod instruction_cache;
mod iostream;
mod locks;
mod mispredicts;
mod operands;
mod page_faults;
mod quota_threads;
mod reference_counts;
mod regex;
mod sanitizer;
mod scattered_loads;
mod serialisation;
mod sort_by_pointer;
mod spots;
mod string_length;
mod stubs;
mod system_calls;
mod thread_locals;
mod tiny_copies;
mod tiny_functions;
mod trees;
mod tuners;
mod unoptimised_file;
mod vector_bool;
mod zeroing;

pub use operands::MetAt;

use crate::blind_spots::{inlined_unseen, unseen};
use crate::bounds::bound;
use crate::claims::Claim;
use crate::finding::{Confidence, Diagnosis, Evidence, Finding, Gain, SAMPLES, SourcePlace};
use crate::hardware::{Counter, cycles_lost};
use crate::share::{Share, speedup};
use crate::subject::{Group, Inspected};
use crate::sums::{Need, NotLooked};
use std::collections::BTreeMap;

/// Share of code without names above which the silence of all rules is no verdict.
const SILENT: f64 = 0.5;

/// Name of the rule that silences the others.
pub(crate) const UNFIT: &str = fitness::RULE.name;

/// Number of functions listed as evidence, each with its share.
const SHOWN: usize = 4;
/// Number of functions that a finding names at most.
const FUNCTIONS_MAX: usize = 100;

/// Sources of thresholds.
pub(crate) mod source {
    /// A judgement of this project; `docs/decisions/0015-thresholds-of-findings.md` tells how it was made.
    pub(crate) const OURS: &str =
        "chosen so that mending it is worth a day's work, and silent on clean programs";
    /// Gain from mending at the threshold, under the rule's assumption.
    pub(crate) const GAIN: &str =
        "from there on mending it gains 2.5 to 5 %, which hone bench can prove";
    /// Shares of common low-level tasks in a fleet.
    pub(crate) const TAX: &str = "Kanev et al., ISCA 2015: allocation, copies, compression, serialisation and \
        hashing take a few per cent each of a fleet's cycles";
}

/// Part of the time that mending can save at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saves {
    /// The time of the finding's samples.
    Time,
    /// The same and what the functions call in libraries and in the kernel, where the recording does not tell who called that.
    Calls,
    /// The same and their system calls, where the recording does not tell who made them: no bound is known if samples are of user
    /// code alone.
    Kernel,
    /// The time of the samples and the rest of what the functions that ask for it do, where it is a principal part of that: what is
    /// allocated, mapped or formatted is also filled, copied, and waited for.
    Work,
    /// The samples' time and that of the functions around it, which the compiler can then treat in another way.
    Around,
    /// Not known: samples do not tell how much faster the code can become.
    Unknown,
}

/// A rule, which looks for one odd thing that a recording can show.
#[derive(Debug)]
pub struct Rule {
    /// Short unique name.
    pub name: &'static str,
    /// Statement of the finding in one line.
    pub title: &'static str,
    /// What the rule examines beside stacks; it does not look where that is missing.
    pub needs: &'static [Need],
    /// Share of time that the lower end of the interval must exceed.
    pub threshold: f64,
    /// Source of the threshold.
    pub source: &'static str,
    /// Assumed speed-up of the share.
    pub factor: f64,
    /// Largest speed-up of the share that is known of any change; infinite where all of the time can go. From what
    /// `bench/diagnose/gains` measured and what others publish, with room.
    pub factor_max: f64,
    /// Reason for the factor, as the end of "about N x, ...".
    pub assumption: &'static str,
    /// Part of the time that mending can save at most.
    pub saves: Saves,
    /// Confidence in the finding.
    pub confidence: Confidence,
    /// Levers of `hone optimize` that help.
    pub levers: &'static [&'static str],
    /// Advice: the change to the source or to the build, as an imperative sentence.
    pub change: &'static str,
    /// Circumstances in which the finding does not apply, as a sentence.
    pub not_when: &'static str,
    /// Examines a recording and returns the finding, if any.
    pub look: fn(&Rule, &Inspected) -> Option<Finding>,
}

/// All rules, in the order in which they claim samples: a sample belongs to the first that speaks of it. The first rule judges the
/// recording. How whole files were built comes before what their code does, a named cause before the library and system calls that
/// it makes, these before kinds of instructions, and the layout of the code comes last.
pub const ALL: &[&Rule] = &[
    &fitness::RULE,
    &debug_build::RULE,
    &unoptimised_file::RULE,
    &sanitizer::RULE,
    &counters::RULE,
    &denormals::RULE,
    &vector_bool::RULE,
    &reference_counts::RULE,
    &regex::RULE,
    &serialisation::RULE,
    &iostream::RULE,
    &formatting::RULE,
    &exceptions::RULE,
    &dynamic_cast::RULE,
    &clock::RULE,
    &dear_calls::RULE,
    &sort_by_pointer::RULE,
    &trees::RULE,
    &hash_tables::RULE,
    &checksums::RULE,
    &busy_spin::RULE,
    &go_collector::RULE,
    &go_memory::RULE,
    &locks::RULE,
    &thread_locals::RULE,
    &page_faults::RULE,
    &system_calls::RULE,
    &tiny_copies::RULE,
    &zeroing::RULE,
    &allocator::RULE,
    &copies::RULE,
    &string_length::RULE,
    &char_aliases::RULE,
    &byte_loop::RULE,
    &constant_divisor::RULE,
    &division::RULE,
    &scattered_loads::RULE,
    &atomics::RULE,
    &tiny_functions::RULE,
    &indirect_calls::RULE,
    &stubs::RULE,
    &error_handling::RULE,
    &cold_code::RULE,
    &footprint::RULE,
    &baseline_isa::RULE,
    &front_end::RULE,
    &instruction_cache::RULE,
    &mispredicts::RULE,
    &dependency::RULE,
    &cpu_quota::RULE,
    &quota_threads::RULE,
];

/// Diagnoses a recording. A build without optimisation comes first, since it may be the cause of other findings; the
/// others are sorted by estimated gain.
pub fn diagnose(inspected: &Inspected) -> Diagnosis {
    let can_look = |rule: &&&Rule| inspected.lacks(rule.needs).is_none();
    let (mut findings, not_looked): (Vec<Finding>, _) = match (ALL[0].look)(ALL[0], inspected) {
        Some(unfit) => (vec![unfit], Vec::new()),
        None => {
            let mut left = inspected.clone();
            let mut findings = Vec::new();
            for rule in ALL[1..].iter().filter(can_look) {
                // A rule of several kinds names one at a time.
                let mut title = "";
                while let Some(mut finding) =
                    (rule.look)(rule, &left).filter(|finding| finding.title != title)
                {
                    title = finding.title;
                    let most = bound(rule.saves, &left, &finding);
                    if let Some(gain) = &mut finding.gain {
                        gain.speedup_max = most;
                    }
                    left.take_away(&finding);
                    findings.push(finding);
                }
            }
            (findings, not_looked(inspected))
        }
    };
    let together = together(inspected, &findings);
    for finding in findings.iter_mut().filter(|one| one.gain.is_some()) {
        finding.cores = inspected.cores(&finding.share);
    }
    let unseen = unseen(inspected);
    if let Some(unseen) = unseen.as_ref().filter(|unseen| unseen.share.low > SILENT)
        && findings.is_empty()
    {
        findings.push(fitness::nameless(unseen, inspected.sums));
    }
    let gain = |finding: &Finding| {
        if finding.rule == debug_build::RULE.name {
            return f64::MAX;
        }
        finding
            .gain
            .as_ref()
            .map_or(f64::MAX, |gain| gain.speedup_estimate)
    };
    findings.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    Diagnosis {
        event: inspected.stacks.event.clone(),
        samples: inspected.samples(),
        weight: inspected.weight(),
        sums: inspected.sums,
        findings,
        together,
        not_looked,
        unseen,
        inlined_unseen: inlined_unseen(inspected),
    }
}

/// Returns the share of the samples that any finding is about.
fn together(inspected: &Inspected, findings: &[Finding]) -> Option<Share> {
    let mut claim = Claim::default();
    for finding in findings {
        claim.stacks.extend(&finding.claim.stacks);
        claim.instructions.extend(&finding.claim.instructions);
    }
    (claim != Claim::default()).then(|| inspected.share(inspected.weight_of(&claim)))
}

/// Returns the rules that lack something, by what they lack.
fn not_looked(inspected: &Inspected) -> Vec<NotLooked> {
    let mut rules: BTreeMap<Need, Vec<&'static str>> = BTreeMap::new();
    for rule in ALL {
        if let Some(need) = inspected.lacks(rule.needs) {
            rules.entry(need).or_default().push(rule.name);
        }
    }
    let not_looked = rules.into_iter().map(|(need, rules)| NotLooked {
        need,
        reason: need.reason(),
        rules,
    });
    not_looked.collect()
}

/// Returns the finding if the events of the counter took enough of all cycles.
fn of_counter(
    rule: &Rule,
    inspected: &Inspected,
    counter: Counter,
    cycles_each: f64,
) -> Option<Finding> {
    let share = cycles_lost(&inspected.hardware, counter, cycles_each)?;
    let mut finding = rule.finding(share)?;
    let functions = &inspected.hardware.get(&counter)?.functions;
    let seen = functions.iter().map(|(name, part)| Evidence {
        what: format!("{:.0} % of them in {name}", part * 100.0),
        share: None,
    });
    finding.evidence.extend(seen);
    Some(finding)
}

impl Rule {
    /// Returns the finding of this rule for a share of the time, if the interval of the share is above the threshold.
    pub(crate) fn finding(&self, share: Share) -> Option<Finding> {
        (share.low > self.threshold).then(|| Finding {
            rule: self.name,
            title: self.title,
            confidence: self.confidence,
            share,
            cores: None,
            unit: SAMPLES,
            threshold: self.threshold,
            threshold_source: self.source,
            evidence: Vec::new(),
            functions: Vec::new(),
            place: None,
            gain: Some(Gain {
                speedup_estimate: speedup(share.share, self.factor.min(self.factor_max)),
                speedup_max: None,
                factor: self.factor,
                factor_max: self.factor_max,
                assumption: self.assumption,
                touched: None,
            }),
            levers: self.levers.to_vec(),
            change: self.change.to_owned(),
            not_when: self.not_when,
            claim: Claim::default(),
        })
    }

    /// Notes the share of the code that is compiled together with what was found.
    pub(crate) fn touch(&self, finding: &mut Finding, touched: Option<Share>) {
        if let Some(gain) = finding
            .gain
            .as_mut()
            .filter(|_| self.saves == Saves::Around)
        {
            gain.touched = touched;
        }
    }

    /// Returns the finding for a group, with the group's functions and callers as evidence.
    pub(crate) fn of_group(&self, group: &Group) -> Option<Finding> {
        let mut finding = self.finding(group.share)?;
        self.touch(&mut finding, group.touched);
        finding.claim.stacks.clone_from(&group.stacks);
        let functions = group.functions.iter().map(|(function, _)| function);
        finding.functions = functions.take(FUNCTIONS_MAX).cloned().collect();
        for (function, share) in group.functions.iter().take(SHOWN) {
            finding.evidence.push(Evidence {
                what: function.clone(),
                share: Some(*share),
            });
        }
        for caller in &group.callers {
            let SourcePlace { function, .. } = &caller.place;
            // A caller that is itself a function of the group is listed above.
            if group.functions.iter().any(|(name, _)| name == function) {
                continue;
            }
            finding.evidence.push(Evidence {
                what: format!("called from {}", in_words(&caller.place)),
                share: Some(caller.share),
            });
        }
        finding.place = group.callers.first().map(|caller| caller.place.clone());
        Some(finding)
    }
}

/// Formats a place for people: `work (search.cpp:42)`.
pub(crate) fn in_words(place: &SourcePlace) -> String {
    let file = place.file.rsplit('/').next().unwrap_or_default();
    match (file, place.line) {
        ("", _) => place.function.clone(),
        (file, 0) => format!("{} ({file})", place.function),
        (file, line) => format!("{} ({file}:{line})", place.function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::{Counted, Hardware};
    use crate::testing::inspected;

    /// Rules whose thresholds others publish, or to whose thresholds clean programs of a kind come near.
    const OTHERWISE: [&str; 5] = [
        "front-end",
        "system-calls",
        "go-memory",
        "go-collector",
        "quota-threads",
    ];

    #[test]
    fn thresholds_follow_from_what_mending_gains() {
        for rule in &ALL[1..] {
            let saved = rule.threshold * (1.0 - 1.0 / rule.factor);
            let is_usual = (0.015..=0.051).contains(&saved);
            let is_other = OTHERWISE.contains(&rule.name) || rule.name == "cpu-quota";
            assert_ne!(is_usual, is_other, "{}: {saved:.3}", rule.name);
        }
    }

    #[test]
    fn no_estimate_is_above_its_bound() {
        for rule in &ALL[1..] {
            for share in [0.5, 0.8, 0.95, 1.0] {
                let share = Share::new(100, (share * 1e6) as u64, 1_000_000, 1_000.0);
                let finding = rule.finding(share).expect("a large share");
                let estimate = finding.gain.expect("a gain").speedup_estimate;
                let bound = speedup(share.high, rule.factor_max);
                assert!(
                    estimate <= bound + 1e-9,
                    "{}: {estimate} {bound}",
                    rule.name
                );
            }
        }
    }

    #[test]
    fn rules_have_unique_names_and_whole_sentences() {
        for (index, rule) in ALL.iter().enumerate() {
            let is_new = ALL[..index].iter().all(|other| other.name != rule.name);
            assert!(is_new && !rule.name.is_empty(), "{}", rule.name);
            for text in [rule.change, rule.not_when] {
                assert!(
                    text.ends_with('.') && !text.contains("  "),
                    "{}: {text}",
                    rule.name
                );
            }
            assert!((0.0..1.0).contains(&rule.threshold), "{}", rule.name);
            assert!(
                rule.factor > 1.0 && !rule.source.is_empty(),
                "{}",
                rule.name
            );
        }
    }

    /// These rules have no planted programs, since few virtual machines have the counters.
    #[test]
    fn rules_about_counters_speak_from_their_threshold_on() {
        let counted = |samples: u64, weight: u64| Counted {
            samples,
            weight,
            functions: vec![("f".to_owned(), 1.0)],
        };
        for (rule, counter, cycles_each) in [
            (&front_end::RULE, Counter::FrontEndStalls, 1.0),
            (&instruction_cache::RULE, Counter::InstructionMisses, 14.0),
            (&mispredicts::RULE, Counter::BranchMisses, 18.0),
        ] {
            for (times, is_found) in [(1.5, true), (0.5, false)] {
                let share = rule.threshold * times;
                let mut inspected = inspected(&[("main", 1000)]);
                inspected.hardware = Hardware::from([
                    (Counter::Cycles, counted(10_000, 1_000_000_000)),
                    (counter, counted(2_000, (1e9 * share / cycles_each) as u64)),
                ]);
                let found = diagnose(&inspected).findings;
                let rules: Vec<_> = found.iter().map(|finding| finding.rule).collect();
                let expected = if is_found {
                    vec![rule.name]
                } else {
                    Vec::new()
                };
                assert_eq!(rules, expected, "{share}");
            }
        }
    }
}
