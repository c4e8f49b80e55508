//! Loads that wait for memory: each reads far from the one before, over more cache lines than the near caches hold.
//!
//! No counter of the CPU is asked: walks know the addresses, and samples know the time.

use super::operands::{Odd, Told, of_operands};
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use hone_profile::{Jump, Watched};

pub(super) const RULE: Rule = Rule {
    name: "scattered-loads",
    title: "Much time goes into loads that jump about in memory",
    needs: &[Need::Walks, Need::Code],
    threshold: 0.1,
    source: source::OURS,
    factor: 2.0,
    factor_max: f64::INFINITY,
    assumption: "if these loads took half the time: from a near cache a load takes some 5 cycles, from memory 200 and more",
    // Another layout changes the time of whatever makes the data and reads them.
    saves: Saves::Unknown,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Shrink and pack what is looked up, sort what looks it up, or work on several at a time, so that their loads wait together.",
    not_when: "What is read lies in a near cache all the same, since other loads fetch it just before.",
    look,
};

/// Four fifths of the loads, so that what is read in turn is not meant, over 128 KiB: near caches hold 32 to 64 KiB.
const ODD: Odd = Odd {
    watched: Watched::Loads,
    threshold: 0.8,
    lines_min: 2048,
    noun: "loads",
    have: in_words,
};

const CHASED: &str = "Keep the elements in an array or in blocks, in the order in which they are visited: each load of a chain of pointers waits \
                      for the one before.";
const STRIDE: &str = "Change the order of the loops, so that the inner one visits neighbours, or keep together what is read together: of \
                      each line of 64 bytes that is fetched one value is used.";

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let (mut finding, told) = of_operands(rule, inspected, &ODD)?;
    match usual(&told) {
        Jump::Chased => finding.change = CHASED.to_owned(),
        Jump::Stride(_) => finding.change = STRIDE.to_owned(),
        Jump::Scattered => {}
    }
    Some(finding)
}

/// Tells how the addresses come about: where there is a chain, the other loads read what its pointers lead to.
fn usual(told: &Told) -> Jump {
    let mut jumps = told.values.iter().map(|value| Jump::from_value(*value));
    let first = jumps.clone().next().unwrap_or(Jump::Scattered);
    jumps.find(|jump| *jump == Jump::Chased).unwrap_or(first)
}

fn in_words(told: &Told) -> String {
    let how = match usual(told) {
        Jump::Chased => ", to where the load before had pointed".to_owned(),
        Jump::Stride(bytes) => format!(", {bytes} bytes on"),
        Jump::Scattered => String::new(),
    };
    let kib = (told.lines * 64) >> 10;
    format!("read far from the load before{how}, over {kib} KiB of cache lines or more")
}

#[cfg(test)]
mod tests {
    use crate::testing::{CODE_START, inspected, program_of_code};
    use crate::{MetAt, diagnose};
    use hone_profile::{FileOffset, Jump, MetOperands, Svma, Watched};

    /// What is said of a loop of `mov rax, [rax]; nop; ret`: the finding's evidence and advice.
    fn said(executions: u64, odd: u64, jump: Jump, lines: u64) -> Option<(String, String)> {
        let mut inspected = inspected(&[("main;use", 700), ("main;rest", 300)]);
        let code = [0x48, 0x8b, 0x00, 0x90, 0xc3];
        inspected.binaries = vec![program_of_code(&code, &[100, 300, 300], 1_000)];
        let met = MetOperands {
            path: "/p".into(),
            at: FileOffset(CODE_START),
            watched: Watched::Loads,
            walks: 40,
            executions,
            squares: executions * executions / 40,
            odd,
            value: jump.to_value(),
            lines,
        };
        inspected.operands = Some(vec![MetAt {
            binary: 0,
            at: Svma(CODE_START),
            met,
        }]);
        let mut findings = diagnose(&inspected).findings.into_iter();
        let finding = findings.find(|finding| finding.rule == super::RULE.name)?;
        Some((finding.evidence[0].what.clone(), finding.change))
    }

    #[test]
    fn chains_strides_and_other_jumps_are_told_with_what_helps() {
        let (chain, change) = said(4000, 3990, Jump::Chased, 1 << 20).unwrap();
        assert_eq!(
            chain,
            "of 4000 loads that 40 walks met, 100 % (91 to 100 %) read far from the load before, to where the load before had pointed, over \
             65536 KiB of cache lines or more"
        );
        assert!(change.contains("in an array"), "{change}");
        let (stride, change) = said(4000, 3990, Jump::Stride(8192), 8192).unwrap();
        assert!(stride.contains(", 8192 bytes on, over 512 KiB"), "{stride}");
        assert!(change.contains("order of the loops"), "{change}");
        let (_, change) = said(4000, 3990, Jump::Scattered, 8192).unwrap();
        assert!(change.contains("sort what looks it up"), "{change}");
    }

    #[test]
    fn loads_of_few_lines_or_mostly_in_turn_are_no_finding() {
        assert_eq!(said(4000, 3990, Jump::Scattered, 600), None);
        assert_eq!(said(4000, 2400, Jump::Scattered, 1 << 20), None);
    }
}
