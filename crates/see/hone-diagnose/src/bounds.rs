//! What the bound of a gain must include beside the claimed samples.

use crate::claims::Claim;
use crate::finding::Finding;
use crate::rules::Saves;
use crate::share::{Share, speedup};
use crate::subject::{Inspected, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

/// Part of a function's time from which the function is there for nothing else, and the largest part of all time that it may then take
/// by itself.
const DEVOTED: f64 = 0.8;
const DEVOTED_SELF_MAX: f64 = 0.05;

/// Part of a function's time, with what it calls in libraries and the kernel, from which the claimed calls are its principal work: when
/// they go, what prepares them and what waits for memory that they have just made can go too.
const PRINCIPAL: f64 = 0.2;

/// Part of the other time that entries into the kernel can cost: after each, caches and predictors of branches are those of the kernel
/// (Soares and Stumm, "FlexSC", OSDI 2010, measured it for system calls).
const AFTER_KERNEL: f64 = 0.1;

/// Returns the speed-up that mending cannot exceed: the claimed time as much faster as any known change makes it, by the upper end of its
/// interval, with what else goes then. `None` if no part of the time is a bound.
pub(crate) fn bound(saves: Saves, inspected: &Inspected, finding: &Finding) -> Option<f64> {
    let Finding { share, claim, .. } = finding;
    let gain = finding.gain.as_ref()?;
    let of_whom = match saves {
        Saves::Unknown => return None,
        Saves::Kernel | Saves::Work if !inspected.sees_kernel() => return None,
        Saves::Kernel => &[Origin::Kernel][..],
        Saves::Calls | Saves::Work => &[Origin::Kernel, Origin::Standard],
        Saves::Time | Saves::Around => &[],
    };
    let claimed = inspected.claimed(claim);
    let devoted = match gain.factor_max.is_infinite() {
        true => inspected.devoted_to(&claimed),
        false => 0,
    };
    let goes_with_it = match saves {
        Saves::Work | Saves::Around => devoted.max(inspected.work_around(&claimed)),
        _ => devoted,
    };
    let weight =
        claimed.iter().sum::<u64>() + goes_with_it + inspected.unattributed(of_whom, claim);
    let with_it = [Some(inspected.share(weight)), gain.touched]
        .into_iter()
        .flatten();
    let most = with_it.map(|share| share.high).fold(share.high, f64::max);
    let slowed = AFTER_KERNEL * inspected.kernel_part(claim) * (1.0 - most);
    Some(speedup(most + slowed, gain.factor_max))
}

impl Inspected {
    /// Returns the weight of what runs in functions that are there for the claimed samples: these are most of the functions' time,
    /// callees included. Passing arguments, loops around calls and the wait for a slow instruction's result are theirs.
    fn devoted_to(&self, claimed: &[u64]) -> u64 {
        let stacks = || self.stacks.stacks.iter().zip(claimed);
        let mut functions: FxHashMap<(&str, &str), (u64, u64)> = FxHashMap::default();
        for (stack, claimed) in stacks() {
            let own = self.bodies(stack).filter(|id| self.is_own(*id));
            // A function that calls itself counts once.
            for function in own.map(|id| self.key(id)).collect::<FxHashSet<_>>() {
                let (all, of_claim) = functions.entry(function).or_default();
                *all += stack.weight;
                *of_claim += claimed;
            }
        }
        functions.retain(|_, (all, of_claim)| *of_claim as f64 >= DEVOTED * *all as f64);
        let mut by_themselves: FxHashMap<(&str, &str), u64> = FxHashMap::default();
        for (stack, claimed) in stacks() {
            let body = self.running(stack).last().map(|id| self.key(*id));
            if let Some(function) = body.filter(|body| functions.contains_key(body)) {
                *by_themselves.entry(function).or_default() += stack.weight - claimed;
            }
        }
        let at_most = DEVOTED_SELF_MAX * self.weight() as f64;
        let small = by_themselves
            .values()
            .filter(|weight| **weight as f64 <= at_most);
        small.sum()
    }

    /// Returns the weight of what functions do by themselves and in libraries and the kernel where the claimed samples are a principal
    /// part of that.
    fn work_around(&self, claimed: &[u64]) -> u64 {
        let mut functions: FxHashMap<(&str, &str), (u64, u64)> = FxHashMap::default();
        for (stack, claimed) in self.stacks.stacks.iter().zip(claimed) {
            if let Some(function) = self.bodies(stack).find(|id| self.is_own(*id)) {
                let (all, of_claim) = functions.entry(self.key(function)).or_default();
                *all += stack.weight;
                *of_claim += claimed;
            }
        }
        let around = functions
            .values()
            .filter(|(all, of_claim)| *of_claim as f64 >= PRINCIPAL * *all as f64);
        around.map(|(all, of_claim)| all - of_claim).sum()
    }

    /// Returns the share of claimed instructions together with the functions that contain them, and with those of the same binary
    /// that call these.
    pub(crate) fn touched_by(&self, claim: &Claim) -> Option<Share> {
        let claimed = self.claimed(claim);
        let with_claimed = self.stacks.stacks.iter().zip(&claimed);
        let with_claimed = with_claimed.filter(|(_, claimed)| **claimed > 0);
        let around: FxHashSet<(&str, &str)> = with_claimed
            .flat_map(|(stack, _)| {
                let leaf = stack.frames.first().map(|id| self.key(*id).1);
                let own = self.bodies(stack).take(2).filter(|id| self.is_own(*id));
                let keys = own.map(|id| self.key(id));
                keys.filter(move |(_, binary)| Some(*binary) == leaf)
            })
            .collect();
        let share = self.share(claimed.iter().sum()).share;
        self.share_with(|position, _| claimed[position] > 0, &around, share)
    }

    /// Returns the weight of samples of these origins of which the recording does not tell who called: their stacks have one
    /// function, or break off. What the claim has is left out.
    fn unattributed(&self, origins: &[Origin], claim: &Claim) -> u64 {
        let stacks = (0..).zip(&self.stacks.stacks);
        let unattributed = stacks.filter(|(position, stack)| {
            let callers = || stack.frames.iter().map(|id| &self.frames[id.0 as usize]);
            let is_asked = callers()
                .any(|(_, origin)| !origins.contains(origin) && *origin != Origin::Nameless);
            !claim.stacks.contains(position)
                && callers()
                    .next()
                    .is_some_and(|(_, origin)| origins.contains(origin))
                && !is_asked
        });
        unattributed.map(|(_, stack)| stack.weight).sum()
    }

    /// Returns the part of the stacks of a claim whose samples are in the kernel.
    fn kernel_part(&self, claim: &Claim) -> f64 {
        let (mut all, mut in_kernel) = (0_u64, 0_u64);
        for (position, stack) in (0..).zip(&self.stacks.stacks) {
            let leaf = stack
                .frames
                .first()
                .filter(|_| claim.stacks.contains(&position));
            let Some(leaf) = leaf else { continue };
            all += stack.weight;
            if self.frames[leaf.0 as usize].1 == Origin::Kernel {
                in_kernel += stack.weight;
            }
        }
        in_kernel as f64 / all.max(1) as f64
    }

    /// True if samples of the event fall into the kernel too: events that count user code alone are named so.
    fn sees_kernel(&self) -> bool {
        !self.stacks.event.ends_with(":u")
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnose;
    use crate::testing::inspected;

    /// Returns the bound of the only finding about such stacks.
    fn bound(stacks: &[(&str, u64)]) -> f64 {
        let mut findings = diagnose(&inspected(stacks)).findings;
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings.remove(0).gain.unwrap().speedup_max.unwrap()
    }

    #[test]
    fn a_function_that_does_little_else_goes_with_the_call_and_one_that_works_does_not() {
        let casts = "main;kind;c:getenv";
        let alone = bound(&[(casts, 5_000), ("main", 5_000)]);
        assert!((2.0..2.1).contains(&alone), "{alone}");
        let wrapped = bound(&[(casts, 5_000), ("main;kind", 400), ("main", 4_600)]);
        assert!((2.1..2.3).contains(&wrapped), "{wrapped}");
        let works = bound(&[(casts, 5_000), ("main;kind", 3_000), ("main", 2_000)]);
        assert!((works - alone).abs() < 1e-9, "{works}");
    }

    #[test]
    fn work_of_functions_that_allocate_much_is_in_the_bound_and_that_of_others_is_not() {
        let claimed = ("main;copy;c:malloc", 2_000);
        let copies = bound(&[
            claimed,
            ("main;copy;c:other", 1_000),
            ("main;copy", 2_000),
            ("main", 5_000),
        ]);
        assert!((2.0..2.1).contains(&copies), "{copies}");
        let works = bound(&[claimed, ("main;copy", 8_000)]);
        assert!(works > 100.0, "{works}");
        let works_more = bound(&[claimed, ("main;copy", 9_000)]);
        assert!((1.2..1.3).contains(&works_more), "{works_more}");
    }

    #[test]
    fn what_nobody_is_known_to_have_asked_for_is_in_the_bound() {
        let known = bound(&[
            ("main;c:regexec", 5_000),
            ("main;c:memchr", 2_000),
            ("main", 3_000),
        ]);
        let unknown = bound(&[("c:regexec", 5_000), ("c:memchr", 2_000), ("main", 3_000)]);
        assert!((2.0..2.1).contains(&known), "{known}");
        assert!((3.3..3.5).contains(&unknown), "{unknown}");
    }
}
