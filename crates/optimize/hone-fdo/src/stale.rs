//! Fits a profile of an older build to a newer build.
//!
//! The compiler finds counts by line in the function, so one line more at a function's top loses the function. An edit
//! seldom changes which functions are called, and in what order. So, for each function of the profile:
//!
//! 1. The function is matched with the function of the same name; if the build has none, with the new function whose
//!    calls are most similar (the function was renamed, or its signature changed).
//! 2. The calls of both, in the order of lines, are matched by the longest common subsequence of callees.
//! 3. If the match finds more calls than there are at their old lines, lines between two matched calls move with the
//!    nearer of the two; lines before the first matched call and behind the last move with that call.
//!
//! Counts only move: nothing is invented and nothing dropped. Places that the build does not have move along with the
//! calls near them, and functions that the build does not have stay as they are: the compiler ignores their counts, and
//! the code may exist before the compiler optimises.

mod calls;
mod shapes;

pub use shapes::{Shape, Shapes, shapes};

use self::calls::{common_calls, renamed};
use crate::counts::add;
use crate::sample_profile::{FunctionSamples, LineKey, SampleProfile};
use std::collections::{BTreeMap, BTreeSet};

/// Weights that were found again in the build. Weights are sums of the counts of places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recovery {
    /// All weight.
    pub weight: u64,
    /// Weight at places that the build has unchanged.
    pub unchanged: u64,
    /// Weight at places that were found elsewhere.
    pub recovered: u64,
    /// Functions that were found under another name: (old, new).
    pub renamed: Vec<(String, String)>,
}

impl Recovery {
    /// Returns the weight at places that the build does not have.
    pub fn lost(&self) -> u64 {
        let found = self.unchanged.saturating_add(self.recovered);
        self.weight.saturating_sub(found)
    }

    /// Returns the share of the weight that was not at its old place and was found again.
    pub fn share_recovered(&self) -> f64 {
        let lost = self.weight.saturating_sub(self.unchanged);
        if lost == 0 {
            return 0.0;
        }
        self.recovered as f64 / lost as f64
    }
}

/// Fits a profile keyed by lines to a build.
pub fn fit(profile: &SampleProfile, build: &Shapes) -> (SampleProfile, Recovery) {
    let old = shapes::of_profile(profile);
    let renamed = renamed(&old, build);
    let moves = old.iter().filter_map(|(name, shape)| {
        let to = renamed.get(name).unwrap_or(name);
        let anchors = anchors(shape, build.get(to)?, &renamed);
        let lines = &build.get(to)?.lines;
        Some((name.as_str(), Move { to, anchors, lines }))
    });
    let mut work = Work {
        moves: moves.collect(),
        recovery: Recovery::default(),
    };
    let mut fitted = SampleProfile::default();
    for (name, function) in &profile.functions {
        let (name, function) = work.fit(name, function);
        fitted.function(&name).absorb(function, &|key| key);
    }
    let mut recovery = work.recovery;
    recovery.renamed = renamed.into_iter().collect();
    (fitted, recovery)
}

/// Returns the lines of the common calls, old and new, in order; none if no more calls match than are at their old lines.
fn anchors(old: &Shape, new: &Shape, renamed: &BTreeMap<String, String>) -> Vec<(u32, u32)> {
    let common = common_calls(old, new, renamed);
    let is_there = |(line, callees): &(&u32, &BTreeSet<String>)| {
        let now = new.calls.get(line);
        now.is_some_and(|now| calls::share_a_callee(callees, now, renamed))
    };
    let in_place = old.calls.iter().filter(is_there).count();
    if common.len() > in_place {
        common
    } else {
        Vec::new()
    }
}

/// New name and new lines of a function.
struct Move<'p> {
    to: &'p str,
    anchors: Vec<(u32, u32)>,
    /// Lines that the build has of the function.
    lines: &'p BTreeSet<u32>,
}

impl Move<'_> {
    fn line(&self, line: u32) -> u32 {
        let shift = |&(from, to): &(u32, u32)| i64::from(to) - i64::from(from);
        let after = self.anchors.partition_point(|&(from, _)| from <= line);
        let before = after
            .checked_sub(1)
            .and_then(|index| self.anchors.get(index));
        let by = match (before, self.anchors.get(after)) {
            (Some(before), Some(next)) if line - before.0 <= next.0 - line => shift(before),
            (_, Some(next)) => shift(next),
            (Some(before), None) => shift(before),
            (None, None) => 0,
        };
        u32::try_from(i64::from(line) + by).unwrap_or(line)
    }
}

struct Work<'p> {
    moves: BTreeMap<&'p str, Move<'p>>,
    recovery: Recovery,
}

impl Work<'_> {
    /// Returns the function under the name and at the lines that it has in the build.
    fn fit(&mut self, name: &str, function: &FunctionSamples) -> (String, FunctionSamples) {
        let place = self.moves.get(name);
        let at = |key: LineKey| LineKey {
            line_offset: place.map_or(key.line_offset, |place| place.line(key.line_offset)),
            ..key
        };
        let new_name = place.map_or(name, |place| place.to).to_owned();
        let mut fitted = FunctionSamples {
            total: function.total,
            head: function.head,
            checksum: function.checksum,
            ..FunctionSamples::default()
        };
        for (&key, line) in &function.body {
            let new_key = at(key);
            let is_there = place.is_some_and(|place| place.lines.contains(&new_key.line_offset));
            let stays = key == new_key && new_name == name;
            add(&mut self.recovery.weight, line.count);
            match (is_there, stays) {
                (true, true) => add(&mut self.recovery.unchanged, line.count),
                (true, false) => add(&mut self.recovery.recovered, line.count),
                (false, _) => {}
            }
            let sum = fitted.body.entry(new_key).or_default();
            add(&mut sum.count, line.count);
            for (target, &calls) in &line.targets {
                let target = self
                    .moves
                    .get(target.as_str())
                    .map_or(target.as_str(), |to| to.to);
                add(sum.targets.entry(target.to_owned()).or_default(), calls);
            }
        }
        let inlined = function.callsites.iter();
        let inlined: Vec<_> = inlined.map(|(&key, callees)| (at(key), callees)).collect();
        for (key, callees) in inlined {
            for (callee, samples) in callees {
                let (callee, samples) = self.fit(callee, samples);
                fitted.callsite(key, &callee).absorb(samples, &|key| key);
            }
        }
        (new_name, fitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{autofdo_text, read_sample_profile};

    /// A function: name, lines with code, calls.
    type Function<'f> = (&'f str, &'f [u32], &'f [(u32, &'f str)]);

    fn build(functions: &[Function<'_>]) -> Shapes {
        let shape = |lines: &[u32], calls: &[(u32, &str)]| Shape {
            lines: lines.iter().copied().collect(),
            calls: calls
                .iter()
                .map(|&(line, callee)| (line, BTreeSet::from([callee.to_owned()])))
                .collect(),
        };
        let shapes = functions.iter();
        shapes
            .map(|&(name, lines, calls)| (name.to_owned(), shape(lines, calls)))
            .collect()
    }

    fn fitted(text: &str, build: &Shapes) -> (String, Recovery) {
        let profile = read_sample_profile(text.as_bytes()).unwrap().samples;
        let (samples, recovery) = fit(&profile, build);
        (autofdo_text::write(&samples), recovery)
    }

    const OLD: &str = "f:100:9\n 1: 10\n 2: 20 a:20\n 3: 30\n 6: 30\n 7: 40 b:40\n 8: 50\n";

    #[test]
    fn what_did_not_change_stays() {
        let same = build(&[("f", &[1, 2, 3, 6, 7, 8], &[(2, "a"), (7, "b")])]);
        let (text, recovery) = fitted(OLD, &same);
        assert_eq!(text, OLD);
        assert_eq!(
            (recovery.weight, recovery.unchanged, recovery.recovered),
            (180, 180, 0)
        );
        assert_eq!(recovery.share_recovered(), 0.0);
    }

    #[test]
    fn lines_move_with_the_nearest_call() {
        // Two lines more at the top, three more in the middle.
        let new = build(&[("f", &[3, 4, 5, 11, 12, 13], &[(4, "a"), (12, "b")])]);
        let (text, recovery) = fitted(OLD, &new);
        assert_eq!(
            text,
            "f:100:9\n 3: 10\n 4: 20 a:20\n 5: 30\n 11: 30\n 12: 40 b:40\n 13: 50\n"
        );
        assert_eq!((recovery.unchanged, recovery.recovered), (0, 180));
        assert_eq!(recovery.share_recovered(), 1.0);
    }

    #[test]
    fn a_place_that_the_build_lacks_moves_along_and_is_not_counted() {
        let new = build(&[("f", &[4, 12], &[(4, "a"), (12, "b")])]);
        let (text, recovery) = fitted(OLD, &new);
        assert_eq!(
            text,
            "f:100:9\n 3: 10\n 4: 20 a:20\n 5: 30\n 11: 30\n 12: 40 b:40\n 13: 50\n"
        );
        assert_eq!((recovery.weight, recovery.recovered), (180, 60));
        let (text, recovery) = fitted(OLD, &build(&[]));
        assert_eq!((text.as_str(), recovery.weight), (OLD, 180));
        assert_eq!((recovery.unchanged, recovery.recovered), (0, 0));
    }

    #[test]
    fn a_renamed_function_is_known_by_its_calls() {
        let new = build(&[
            ("g", &[1, 2, 3, 6, 7, 8], &[(2, "a"), (7, "b")]),
            ("h", &[1, 2, 3], &[(2, "a"), (3, "x")]),
            ("main", &[1], &[(1, "g")]),
        ]);
        let old = format!("main:9:0\n 1: 9 f:9\n{OLD}");
        let (text, recovery) = fitted(&old, &new);
        assert_eq!(recovery.renamed, [("f".to_owned(), "g".to_owned())]);
        assert_eq!(
            text,
            old.replace('f', "g").replace("main:9:0\n 1: 9 g:9\n", "") + "main:9:0\n 1: 9 g:9\n"
        );
        assert_eq!((recovery.weight, recovery.recovered), (189, 180));
    }

    #[test]
    fn inlined_functions_move_as_they_do_elsewhere() {
        let old = "main:50:0\n 5: k:50\n  1: 20 a:20\n  2: 30\n";
        let new = build(&[("main", &[8], &[(8, "k")]), ("k", &[2, 3], &[(2, "a")])]);
        let (text, recovery) = fitted(old, &new);
        assert_eq!(text, "main:50:0\n 8: k:50\n  2: 20 a:20\n  3: 30\n");
        assert_eq!((recovery.weight, recovery.recovered), (50, 50));
    }
}
