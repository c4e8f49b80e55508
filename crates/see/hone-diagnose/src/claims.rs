//! Claims of findings on samples: a sample belongs to one finding, so that shares and gains of findings add up.
//!
//! Rules look one after the other ([`ALL`](crate::ALL)), each at the samples that those before it have left.

use crate::finding::Finding;
use crate::subject::Inspected;
use hone_profile::Svma;
use rustc_hash::{FxHashMap, FxHashSet};

/// Samples that have stack and instruction in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Position of the stack among the stacks.
    pub stack: u32,
    /// Position of the instruction's binary among the binaries.
    pub binary: u32,
    /// Address of the instruction.
    pub at: Svma,
    /// Weight of the samples.
    pub weight: u64,
}

/// Samples that a finding is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Claim {
    /// Positions of stacks, all of whose samples are meant.
    pub(crate) stacks: FxHashSet<u32>,
    /// Instructions, by the position of their binary and their address.
    pub(crate) instructions: FxHashSet<(u32, Svma)>,
}

impl Claim {
    pub(crate) fn has(&self, point: &Point) -> bool {
        self.stacks.contains(&point.stack) || self.instructions.contains(&(point.binary, point.at))
    }
}

impl Inspected {
    /// Takes away the samples of a finding, so that no later rule counts them. Shares remain shares of all samples.
    pub(crate) fn take_away(&mut self, finding: &Finding) {
        let claim = &finding.claim;
        let claimed = self.claimed(claim);
        let mut of_instructions: FxHashMap<(u32, Svma), u64> = FxHashMap::default();
        for point in self.points.iter_mut().filter(|point| claim.has(point)) {
            let instruction = (point.binary, point.at);
            *of_instructions.entry(instruction).or_default() += point.weight;
            point.weight = 0;
        }
        for (stack, taken) in self.stacks.stacks.iter_mut().zip(claimed) {
            let left = stack.weight - taken;
            let part = left as f64 / stack.weight.max(1) as f64;
            stack.samples = (stack.samples as f64 * part).round() as u64;
            stack.weight = left;
        }
        for (position, binary) in (0..).zip(&mut self.binaries) {
            for function in &mut binary.functions {
                for instruction in &mut function.instructions {
                    let at = (position, Svma(instruction.code.ip()));
                    let taken = match claim.instructions.contains(&at) {
                        true => instruction.weight,
                        false => of_instructions.get(&at).copied().unwrap_or(0),
                    };
                    instruction.weight = instruction.weight.saturating_sub(taken);
                    function.weight = function.weight.saturating_sub(taken);
                }
            }
        }
    }

    /// Returns the claimed weight of each stack, of the samples that are still here.
    pub(crate) fn claimed(&self, claim: &Claim) -> Vec<u64> {
        let stacks = &self.stacks.stacks;
        let mut claimed = vec![0_u64; stacks.len()];
        for point in self.points.iter().filter(|point| claim.has(point)) {
            claimed[point.stack as usize] += point.weight;
        }
        for ((position, stack), weight) in (0..).zip(stacks).zip(&mut claimed) {
            *weight = match claim.stacks.contains(&position) {
                true => stack.weight,
                false => stack.weight.min(*weight),
            };
        }
        claimed
    }

    /// Returns the weight of the samples that are claimed, of those that are still here.
    pub(crate) fn weight_of(&self, claim: &Claim) -> u64 {
        self.claimed(claim).iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;
    use crate::testing::{CODE_START, inspected, program_of_code};

    /// A program that passes a shared_ptr by value: `lock dec (%rdi)`, the instruction behind it, and a `ret`.
    fn counting() -> Inspected {
        let released = "main;use;~std::_Sp_counted_base::_M_release";
        let mut inspected = inspected(&[(released, 300), ("main;use", 400), ("main;rest", 300)]);
        let at = Svma(CODE_START);
        let code = [0xf0, 0xff, 0x0f, 0x90, 0xc3];
        inspected.binaries = vec![program_of_code(&code, &[300, 250, 150], 1_000)];
        let named = |name: &str| {
            let mut stacks = inspected.stacks.stacks.iter();
            let found = stacks.position(|stack| inspected.frame(stack.frames[0]).plain == name);
            found.unwrap() as u32
        };
        let point = |stack, offset: u64, weight| Point {
            stack,
            binary: 0,
            at: Svma(at.0 + offset),
            weight,
        };
        let (release, around) = (named("std::_Sp_counted_base::_M_release"), named("use"));
        inspected.points = vec![
            point(release, 0, 300),
            point(around, 3, 250),
            point(around, 4, 150),
        ];
        inspected
    }

    #[test]
    fn a_sample_belongs_to_one_finding_and_the_more_specific_one_comes_first() {
        let found = diagnose(&counting());
        let rules: Vec<&str> = found.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(
            rules,
            ["reference-counts"],
            "atomic instructions are the same samples"
        );
        // With the instruction behind the atomic one, whose name is the caller's.
        assert!((found.findings[0].share.share - 0.55).abs() < 1e-9);
        assert!((found.together.unwrap().share - 0.55).abs() < 1e-9);
    }

    #[test]
    fn what_is_taken_away_is_gone_from_stacks_and_instructions() {
        let mut left = counting();
        let found = diagnose(&left);
        left.take_away(&found.findings[0]);
        let weights: Vec<u64> = left
            .stacks
            .stacks
            .iter()
            .map(|stack| stack.weight)
            .collect();
        assert_eq!(weights.iter().sum::<u64>(), 450);
        assert_eq!(left.weight(), 1000, "shares stay shares of all");
        let function = &left.binaries[0].functions[0];
        assert_eq!(function.weight, 150);
        let weights: Vec<u64> = function.instructions.iter().map(|one| one.weight).collect();
        assert_eq!(weights, [0, 0, 150]);
    }
}
