//! Estimates the reach of whole-program devirtualisation before anything is built with it.
//!
//! Whole-program devirtualisation replaces a virtual call by a direct call if the class of the call has, with all
//! derived classes, a single implementation. A recording shows which functions a call site went to. A site that went
//! to two functions cannot be reached; a site that went to a single function can be reached if the class of the call
//! is narrow enough. Only the compiler knows this class, so there are two figures: the maximum number of sites, and
//! the number of sites even if each call is made through the class that introduced its function.

use crate::indirect::IndirectCalls;
use hone_symbols::{Binary, VirtualFunctions, demangle};
use std::collections::BTreeMap;

/// Share of the executed virtual calls that the hot sites have.
const HOT_SHARE: f64 = 0.99;

/// Hot virtual call sites of a recording, and the part of these sites that can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Number of call sites whose targets are all virtual functions, the hottest first until they have 99 % of the calls.
    pub sites: usize,
    /// Number of these sites that only ever went to one function.
    pub at_most: usize,
    /// Number of the sites of `at_most` whose function is the only implementation.
    pub at_least: usize,
    /// Number of calls executed at `sites`.
    pub calls: u64,
    /// Number of calls executed at the sites of `at_most`.
    pub calls_at_most: u64,
}

/// Counts the sites that can be reached among the indirect calls of a recording.
pub fn reach(calls: &IndirectCalls, binary: &Binary<'_>, functions: &VirtualFunctions) -> Reach {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (start, implementations) in functions.iter() {
        if let Some(function) = binary.function_at(start) {
            let most = known
                .entry(demangle(function.canonical_name()))
                .or_default();
            *most = implementations.max(*most);
        }
    }
    reach_of(calls, &known)
}

/// Does the same as [`reach`], with the number of implementations by the function's name.
fn reach_of(calls: &IndirectCalls, known: &BTreeMap<String, usize>) -> Reach {
    let is_virtual = |(name, _): &(String, u64)| known.contains_key(name);
    let sites = calls.sites.iter();
    let sites: Vec<_> = sites
        .filter(|site| site.targets.iter().all(is_virtual))
        .collect();
    let all: u64 = sites.iter().map(|site| site.calls).sum();
    let mut reach = Reach::default();
    for site in sites {
        if reach.calls as f64 >= all as f64 * HOT_SHARE {
            break;
        }
        reach.sites += 1;
        reach.calls += site.calls;
        if let [(target, _)] = &site.targets[..] {
            reach.at_most += 1;
            reach.calls_at_most += site.calls;
            reach.at_least += usize::from(known.get(target) == Some(&1));
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indirect::{IndirectSite, OUTSIDE};

    fn site(targets: &[(&str, u64)]) -> IndirectSite {
        IndirectSite {
            calls: targets.iter().map(|(_, calls)| calls).sum(),
            targets: targets
                .iter()
                .map(|(name, calls)| (name.to_string(), *calls))
                .collect(),
            ..IndirectSite::default()
        }
    }

    #[test]
    fn sites_are_told_apart_by_what_they_went_to() {
        let calls = IndirectCalls {
            sites: vec![
                site(&[("only", 500)]),
                site(&[("first", 200), ("second", 100)]),
                site(&[("first", 190)]),
                // Calls through a pointer, or into another binary: not known to be virtual.
                site(&[("plain", 180)]),
                site(&[("only", 100), (OUTSIDE, 20)]),
                // Not hot: 8 of 1,000.
                site(&[("only", 8)]),
            ],
            ..IndirectCalls::default()
        };
        let known = [("only", 1), ("first", 2), ("second", 2)];
        let known = known.map(|(name, count)| (name.to_string(), count)).into();
        let expected = Reach {
            sites: 3,
            at_most: 2,
            at_least: 1,
            calls: 990,
            calls_at_most: 690,
        };
        assert_eq!(reach_of(&calls, &known), expected);
        assert_eq!(
            reach_of(&IndirectCalls::default(), &known),
            Reach::default()
        );
    }
}
