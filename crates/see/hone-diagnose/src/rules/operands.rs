//! Instructions whose operands walks found odd, and the finding that they make together.

use super::spots::{self, Spot, optimised_functions};
use super::{Evidence, Rule};
use crate::finding::Finding;
use crate::share::Share;
use crate::subject::Inspected;
use hone_profile::{MetOperands, Svma, Watched};
use rustc_hash::FxHashMap;

/// Number of walks of equal length below which they are no sample of what the program does.
const WALKS_MIN: f64 = 5.0;

/// What walks met at an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetAt {
    /// Position of the instruction's binary among the binaries.
    pub binary: u32,
    /// Address of the instruction.
    pub at: Svma,
    /// What walks met there.
    pub met: MetOperands,
}

/// What makes an instruction odd, and how to speak of it.
pub(super) struct Odd {
    pub(super) watched: Watched,
    /// Share of executions that the lower end of the interval must exceed.
    pub(super) threshold: f64,
    /// Number of different cache lines that it must read at least.
    pub(super) lines_min: u64,
    /// Noun for the executions.
    pub(super) noun: &'static str,
    /// Says what the odd ones have, as the end of a sentence.
    pub(super) have: fn(&Told) -> String,
}

/// What is told of instructions together.
#[derive(Debug)]
pub(super) struct Told {
    /// Usual values, those of most odd executions first.
    pub(super) values: Vec<u64>,
    /// Largest number of cache lines that one of the instructions read.
    pub(super) lines: u64,
}

impl Told {
    fn of(met: &[&MetOperands]) -> Self {
        let mut by_value: FxHashMap<u64, u64> = FxHashMap::default();
        for one in met {
            let odd = by_value.entry(one.value).or_default();
            *odd = odd.saturating_add(one.odd);
        }
        let mut values: Vec<(u64, u64)> = by_value.into_iter().collect();
        values.sort_by_key(|&(value, odd)| (std::cmp::Reverse(odd), value));
        Self {
            values: values.into_iter().map(|(value, _)| value).collect(),
            lines: met.iter().map(|one| one.lines).max().unwrap_or_default(),
        }
    }
}

/// Returns the finding if the time at instructions that are surely odd is enough, and what these have in common.
pub(super) fn of_operands(
    rule: &Rule,
    inspected: &Inspected,
    odd: &Odd,
) -> Option<(Finding, Told)> {
    let surely: FxHashMap<(u32, u64), &MetOperands> = surely_odd(inspected, odd)
        .map(|one| ((one.binary, one.at.0), &one.met))
        .collect();
    let mut met = Vec::new();
    let spots = optimised_functions(inspected).filter_map(|(binary, function)| {
        let position = inspected.position_of(binary)?;
        let is_odd = |ip: u64| surely.get(&(position, ip)).copied();
        let found = function.at_and_behind(|code| is_odd(code.ip()).is_some());
        let codes = function.instructions.iter();
        met.extend(codes.filter_map(|one| is_odd(one.code.ip())));
        Some(Spot::of((binary, function), &found))
    });
    let spots = spots.collect();
    let mut finding = spots::finding(rule, inspected, spots)?;
    let told = Told::of(&met);
    finding.evidence.insert(
        0,
        Evidence {
            what: in_words(&met, &told, odd),
            share: None,
        },
    );
    Some((finding, told))
}

/// Returns what walks tell of all instructions of a kind, in words; `None` if surely few of the executions are odd.
pub(super) fn told(inspected: &Inspected, odd: &Odd) -> Option<String> {
    let met: Vec<&MetOperands> = surely_odd(inspected, odd).map(|one| &one.met).collect();
    (!met.is_empty()).then(|| in_words(&met, &Told::of(&met), odd))
}

/// Returns the instructions that are surely odd.
fn surely_odd<'i>(inspected: &'i Inspected, odd: &'i Odd) -> impl Iterator<Item = &'i MetAt> {
    let all = inspected.operands.iter().flatten();
    let watched = all.filter(|one| one.met.watched == odd.watched);
    watched.filter(|one| is_surely_odd(&one.met, odd))
}

/// True if the lower end of the share of odd executions is above the threshold. The executions of one walk are one observation.
fn is_surely_odd(met: &MetOperands, odd: &Odd) -> bool {
    let walks = met.effective_walks();
    let share = Share::new(met.walks, met.odd, met.executions, walks);
    walks >= WALKS_MIN && share.low > odd.threshold && met.lines >= odd.lines_min
}

/// Describes the executions at all instructions together. Several instructions may belong to the same walks, so that the one with the
/// most evidence tells how much there is.
fn in_words(met: &[&MetOperands], told: &Told, odd: &Odd) -> String {
    let sum = |of: fn(&MetOperands) -> u64| -> u64 {
        met.iter().fold(0, |sum, one| sum.saturating_add(of(one)))
    };
    let (executions, all_odd) = (sum(|one| one.executions), sum(|one| one.odd));
    let walks = met.iter().map(|one| one.walks);
    let effective = met.iter().map(|one| one.effective_walks());
    let (walks, effective): (u64, f64) = match odd.watched {
        // A walk ends at its first call.
        Watched::Length => (walks.sum(), effective.sum()),
        Watched::Denormals | Watched::Divisor | Watched::Loads => (
            walks.max().unwrap_or_default(),
            effective.fold(0.0, f64::max),
        ),
    };
    let share = Share::new(walks, all_odd, executions, effective);
    format!(
        "of {executions} {} that {walks} walks met, {:.0} % ({:.0} to {:.0} %) {}",
        odd.noun,
        share.share * 100.0,
        share.low * 100.0,
        share.high * 100.0,
        (odd.have)(told)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;
    use crate::testing::{CODE_START, inspected, program_of_code};
    use hone_profile::FileOffset;

    /// A program in which samples fall on `mulsd xmm0, xmm1`, `div rbx` and the instructions behind these.
    fn program(met: Option<Vec<MetOperands>>) -> Inspected {
        let mut inspected = inspected(&[("main;use", 700), ("main;rest", 300)]);
        let code = [0xf2, 0x0f, 0x59, 0xc1, 0x90, 0x48, 0xf7, 0xf3, 0x90, 0xc3];
        inspected.binaries = vec![program_of_code(&code, &[10, 190, 10, 190, 300], 1_000)];
        inspected.operands = met.map(|met| {
            let at = |met: MetOperands| MetAt {
                binary: 0,
                at: Svma(met.at.0),
                met,
            };
            met.into_iter().map(at).collect()
        });
        inspected
    }

    const MULTIPLICATION: u64 = CODE_START;
    const DIVISION: u64 = CODE_START + 5;

    fn met(watched: Watched, walks: u64, executions: u64, odd: u64, value: u64) -> MetOperands {
        MetOperands {
            path: "/p".into(),
            at: FileOffset(match watched {
                Watched::Denormals => MULTIPLICATION,
                Watched::Divisor | Watched::Length | Watched::Loads => DIVISION,
            }),
            watched,
            walks,
            executions,
            squares: executions * executions / walks,
            odd,
            value,
            lines: 0,
        }
    }

    fn rules(met: Vec<MetOperands>) -> Vec<&'static str> {
        let found = diagnose(&program(Some(met))).findings;
        found.iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn denormals_are_told_with_both_shares_and_a_bound() {
        let met = met(Watched::Denormals, 40, 3400, 3332, 0);
        let found = diagnose(&program(Some(vec![met])));
        let mut findings = found.findings.iter();
        let finding = findings.find(|one| one.rule == "denormals").unwrap();
        // The multiplication and the instruction behind it.
        assert!((finding.share.share - 0.2).abs() < 1e-9);
        assert_eq!(
            finding.evidence[0].what,
            "of 3400 operations that 40 walks met, 98 % (88 to 100 %) had a denormal operand or result"
        );
        let gain = finding.gain.as_ref().unwrap();
        let most = 1.0 / (1.0 - finding.share.high);
        assert!((gain.speedup_max.unwrap() - most).abs() < 1e-9);
    }

    #[test]
    fn a_usual_divisor_is_told_in_place_of_divisions() {
        let usual = met(Watched::Divisor, 40, 3400, 3400, 1021);
        let found = diagnose(&program(Some(vec![usual])));
        let rules: Vec<&str> = found.findings.iter().map(|one| one.rule).collect();
        assert_eq!(rules, ["constant-divisor"]);
        assert_eq!(
            found.findings[0].evidence[0].what,
            "of 3400 divisions that 40 walks met, 100 % (91 to 100 %) had the divisor that is usual there, 1021"
        );
        assert_eq!(
            super::tests::rules(vec![met(Watched::Divisor, 40, 3400, 1700, 7)]),
            ["division"]
        );
    }

    #[test]
    fn powers_of_two_are_named() {
        let usual = met(Watched::Divisor, 40, 3400, 3400, 4096);
        let found = diagnose(&program(Some(vec![usual])));
        let what = &found.findings[0].evidence[0].what;
        assert!(
            what.ends_with("usual there, 4096, a power of two"),
            "{what}"
        );
    }

    #[test]
    fn few_walks_say_nothing_however_much_each_met() {
        assert_eq!(
            rules(vec![met(Watched::Denormals, 40, 3400, 0, 0)]),
            ["division"]
        );
        assert!(
            !rules(vec![met(Watched::Denormals, 4, 100_000, 100_000, 0)]).contains(&"denormals")
        );
        assert_eq!(
            rules(vec![met(Watched::Divisor, 5, 100_000, 100_000, 7)]),
            ["division"]
        );
    }

    #[test]
    fn a_recording_without_walks_names_who_did_not_look() {
        let of_walks = |met| {
            let found = diagnose(&program(met));
            let mut all = found.not_looked.into_iter();
            all.find(|not| not.need == crate::Need::Walks)
        };
        let not = of_walks(None).unwrap();
        assert_eq!(
            not.rules,
            ["denormals", "constant-divisor", "scattered-loads"]
        );
        assert!(
            not.in_words().contains("--branches walk"),
            "{}",
            not.in_words()
        );
        assert_eq!(of_walks(Some(Vec::new())), None);
    }
}
