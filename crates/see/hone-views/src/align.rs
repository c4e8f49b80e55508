//! Alignment of two recordings: a function that is the same in both gets the same name, binary and file in both.
//!
//! A function is identified by its name within its program or library; the directory of the file does not count.
//! Binaries are the same if one of these conditions holds, tried in this order, each on the binaries that the
//! conditions before it left over:
//!
//! 1. they have the same build id or the same path;
//! 2. they have the same file name, apart from a library's version (`libz.so.1.2.13` and `libz.so.1.3`);
//! 3. they are programs, and at least half of the functions of the smaller program are in the other;
//! 4. they are programs, each the only program left in its recording.
//!
//! A function that moved from one binary to another (a library that is now linked into the program) is the same if its
//! name is in only one binary of each recording. Source files that moved with their directory are the same if no other
//! file has the same name.

use crate::stacks::{Frame, FrameId, Stacks, in_brackets, is_function};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Smallest share of the functions of the smaller program that must be in the other program.
const COMMON_MIN: f64 = 0.5;

/// Names the frames of both recordings alike; where names differ, the names of the new recording are taken.
pub fn align(old: &mut Stacks, new: &mut Stacks) {
    let sides = [Side::of(old), Side::of(new)];
    let canonical = canonical_binaries(&sides, [old, new]);
    for stacks in [&mut *old, &mut *new] {
        stacks.rename(|frame| rename_binary(frame, &canonical));
    }
    let sides = [Side::of(old), Side::of(new)];
    let moved = moved_functions(&sides);
    let files = moved_files(&sides);
    old.rename(|frame| {
        let binaries = moved.get(frame.function.as_str());
        if let Some((_, to)) = binaries.filter(|(from, _)| *from == frame.binary) {
            frame.binary.clone_from(to);
        }
        if let Some(file) = files.get(&frame.file) {
            frame.file.clone_from(file);
        }
    });
}

fn rename_binary(frame: &mut Frame, canonical: &FxHashMap<String, String>) {
    let Some(path) = canonical.get(&frame.binary) else {
        return;
    };
    if frame.function == in_brackets(&frame.binary) {
        frame.function = in_brackets(path);
    }
    frame.binary.clone_from(path);
}

/// Binaries, functions and files of one recording.
#[derive(Default)]
struct Side {
    /// Weight of the samples whose own instruction is in a binary, by path.
    weights: FxHashMap<String, u64>,
    functions: FxHashMap<String, FxHashSet<String>>,
    files: FxHashSet<String>,
}

impl Side {
    fn of(stacks: &Stacks) -> Self {
        let mut side = Self::default();
        let mut used: FxHashSet<FrameId> = FxHashSet::default();
        for stack in &stacks.stacks {
            used.extend(&stack.frames);
            if let Some(&leaf) = stack.frames.first() {
                let path = stacks.frame(leaf).binary.clone();
                *side.weights.entry(path).or_default() += stack.weight;
            }
        }
        for id in used {
            let frame = stacks.frame(id);
            side.weights.entry(frame.binary.clone()).or_default();
            let functions = side.functions.entry(frame.binary.clone()).or_default();
            functions.insert(frame.function.clone());
            if !frame.file.is_empty() {
                side.files.insert(frame.file.clone());
            }
        }
        side
    }

    fn has(&self, function: &str, path: &str) -> bool {
        let functions = self.functions.get(path);
        functions.is_some_and(|functions| functions.contains(function))
    }

    /// Returns the binary of each function name, `None` for a name in several binaries; names in brackets are left out.
    fn only_places(&self) -> FxHashMap<&str, Option<&str>> {
        let mut places: FxHashMap<&str, Option<&str>> = FxHashMap::default();
        for (path, functions) in &self.functions {
            for function in functions.iter().filter(|name| is_function(name)) {
                let place = places.entry(function).or_insert(Some(path));
                if *place != Some(path) {
                    *place = None;
                }
            }
        }
        places
    }
}

/// Groups of paths of the same binary: each path points to another path of its group, or to itself.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[b] = a;
    }

    /// Returns the paths whose group is on one side only, heaviest first: first those of the old recording, then those of the new.
    fn left(&self, paths: &[&String], sides: &[Side; 2]) -> [Vec<usize>; 2] {
        let roots: [FxHashSet<usize>; 2] = sides.each_ref().map(|side| {
            let there = (0..paths.len()).filter(|&at| side.weights.contains_key(paths[at]));
            there.map(|at| self.root(at)).collect()
        });
        [0, 1].map(|which| {
            let other = &roots[1 - which];
            let weights = &sides[which].weights;
            let mut left: Vec<usize> = (0..paths.len())
                .filter(|&at| weights.contains_key(paths[at]) && !other.contains(&self.root(at)))
                .filter(|&at| !paths[at].starts_with('['))
                .collect();
            left.sort_by_key(|&at| (Reverse(weights[paths[at]]), paths[at]));
            left
        })
    }
}

/// Returns the path that replaces each other path of the same binary: the heaviest of the new recording, or of the old
/// recording if the new recording has none.
fn canonical_binaries(sides: &[Side; 2], stacks: [&Stacks; 2]) -> FxHashMap<String, String> {
    let mut paths: Vec<&String> = sides.iter().flat_map(|side| side.weights.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut groups = Groups {
        parents: (0..paths.len()).collect(),
    };
    join_builds(&mut groups, &paths, stacks);
    join_by(&mut groups, &paths, sides, |old, new| {
        f64::from(u8::from(stem(old) == stem(new)))
    });
    join_by(&mut groups, &paths, sides, |old, new| {
        let common = common_functions(sides, old, new);
        let programs = !is_library(old) && !is_library(new);
        if programs { common } else { 0.0 }
    });
    let [old, new] = groups
        .left(&paths, sides)
        .map(|left| left.into_iter().filter(|&at| !is_library(paths[at])));
    if let ([old], [new]) = (&*old.collect::<Vec<_>>(), &*new.collect::<Vec<_>>()) {
        groups.join(*old, *new);
    }
    let mut heaviest: FxHashMap<usize, (Option<u64>, Option<u64>, usize)> = FxHashMap::default();
    for (at, path) in paths.iter().enumerate() {
        let weight = |side: usize| sides[side].weights.get(*path).copied();
        let this = (weight(1), weight(0), at);
        let best = heaviest.entry(groups.root(at)).or_insert(this);
        *best = (*best).max(this);
    }
    let named = paths.iter().enumerate().map(|(at, path)| {
        let (.., best) = heaviest[&groups.root(at)];
        ((*path).clone(), paths[best].clone())
    });
    named.filter(|(path, best)| path != best).collect()
}

fn join_builds(groups: &mut Groups, paths: &[&String], stacks: [&Stacks; 2]) {
    let mut of_build: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, path) in paths.iter().enumerate() {
        let builds = stacks.iter().filter_map(|stacks| stacks.builds.get(*path));
        for build in builds.flatten() {
            let known = *of_build.entry(build).or_insert(at);
            groups.join(known, at);
        }
    }
}

/// Joins each path left in the old recording with the most similar path left in the new recording, if any is similar enough.
fn join_by(
    groups: &mut Groups,
    paths: &[&String],
    sides: &[Side; 2],
    alike: impl Fn(&str, &str) -> f64,
) {
    let [old, mut new] = groups.left(paths, sides);
    for from in old {
        let scores = new.iter().map(|&to| alike(paths[from], paths[to]));
        // The first of equally similar paths is the heaviest.
        let best = scores
            .enumerate()
            .reduce(|best, this| if this.1 > best.1 { this } else { best });
        if let Some((place, _)) = best.filter(|(_, score)| *score >= COMMON_MIN) {
            groups.join(from, new.remove(place));
        }
    }
}

/// Returns the share of common functions in the binary with fewer functions.
fn common_functions(sides: &[Side; 2], old: &str, new: &str) -> f64 {
    let named = |side: &Side, path: &str| -> FxHashSet<String> {
        let all = side.functions.get(path).into_iter().flatten();
        all.filter(|name| is_function(name)).cloned().collect()
    };
    let (old, new) = (named(&sides[0], old), named(&sides[1], new));
    let fewer = old.len().min(new.len());
    if fewer == 0 {
        return 0.0;
    }
    old.intersection(&new).count() as f64 / fewer as f64
}

/// Returns the file's name, without the version of a library.
fn stem(path: &str) -> String {
    let path = path.strip_suffix(" (deleted)").unwrap_or(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((name, _)) = name.split_once(".so").filter(|_| is_library(path)) else {
        return name.to_owned();
    };
    // libc-2.36.so
    let versioned = name.rsplit_once('-');
    let unversioned =
        versioned.filter(|(_, version)| version.starts_with(|c: char| c.is_ascii_digit()));
    format!("{}.so", unversioned.map_or(name, |(name, _)| name))
}

fn is_library(path: &str) -> bool {
    let path = path.strip_suffix(" (deleted)").unwrap_or(path);
    path.ends_with(".so") || path.contains(".so.")
}

/// Returns the functions that moved to another binary, with the old and the new binary.
fn moved_functions([old, new]: &[Side; 2]) -> FxHashMap<String, (String, String)> {
    let now = new.only_places();
    let before = old.only_places().into_iter();
    let moved = before.filter_map(|(function, from)| {
        let (from, to) = (from?, (*now.get(function)?)?);
        let gone = from != to && !new.has(function, from) && !old.has(function, to);
        // Two programs that have nothing to do with each other both have a main.
        let known = new.functions.contains_key(from) || old.functions.contains_key(to);
        (gone && known).then(|| (function.to_owned(), (from.to_owned(), to.to_owned())))
    });
    moved.collect()
}

/// Returns the old and the new path of each source file that moved.
fn moved_files([old, new]: &[Side; 2]) -> FxHashMap<String, String> {
    let only = |side: &Side, other: &Side| -> FxHashMap<String, Option<String>> {
        let mut by_name = FxHashMap::default();
        for file in side.files.difference(&other.files) {
            let name = file.rsplit('/').next().unwrap_or(file).to_owned();
            let place = by_name.entry(name).or_insert_with(|| Some(file.clone()));
            if place.as_ref() != Some(file) {
                *place = None;
            }
        }
        by_name
    };
    let mut now = only(new, old);
    let before = only(old, new).into_iter();
    before
        .filter_map(|(name, file)| Some((file?, now.remove(&name)??)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks_in;

    /// Aligns two recordings and returns the functions of the old recording with their binaries.
    fn aligned(old: &mut Stacks, new: &mut Stacks) -> Vec<(String, String)> {
        align(old, new);
        let frames = (0..old.frame_count() as u32).map(|id| old.frame(FrameId(id)));
        frames
            .map(|frame| (frame.function.clone(), frame.binary.clone()))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
        expected.iter().map(owned).collect()
    }

    #[test]
    fn the_path_of_a_program_does_not_count() {
        let mut old = stacks_in(&[
            ("/a/p:f", 3),
            ("/a/p:g", 1),
            ("/lib/libz.so.1.2:[libz.so.1.2]", 1),
        ]);
        let mut new = stacks_in(&[
            ("/b/p:f", 3),
            ("/b/p:g", 1),
            ("/opt/libz.so.1.3:[libz.so.1.3]", 1),
        ]);
        let expected = [
            ("f", "/b/p"),
            ("g", "/b/p"),
            ("[libz.so.1.3]", "/opt/libz.so.1.3"),
        ];
        assert_eq!(aligned(&mut old, &mut new), pairs(&expected));
    }

    #[test]
    fn builds_of_other_names_are_told_by_build_id_by_functions_or_as_the_only_program() {
        let mut old = stacks_in(&[("/p:f", 1), ("/q:g", 1), ("/q:h", 1), ("/r:[r]", 1)]);
        let mut new = stacks_in(&[("/s:x", 1), ("/t:g", 1), ("/t:h", 1), ("/u:[u]", 1)]);
        old.builds.insert("/p".into(), ["1".into()].into());
        new.builds.insert("/s".into(), ["1".into()].into());
        let expected = [("f", "/s"), ("g", "/t"), ("h", "/t"), ("[u]", "/u")];
        assert_eq!(aligned(&mut old, &mut new), pairs(&expected));
    }

    #[test]
    fn programs_of_one_name_that_are_both_still_there_stay_two() {
        let folded = [("/a/p:f", 1), ("/b/p:f", 1)];
        let (mut old, mut new) = (stacks_in(&folded), stacks_in(&folded));
        let expected = [("f", "/a/p"), ("f", "/b/p")];
        assert_eq!(aligned(&mut old, &mut new), pairs(&expected));
    }

    #[test]
    fn a_function_of_a_library_that_is_now_linked_in_is_the_same() {
        let mut old = stacks_in(&[
            ("/p:main", 1),
            ("/libz.so.1:inflate", 1),
            ("/libz.so.1:main", 1),
        ]);
        let mut new = stacks_in(&[("/p:main", 1), ("/p:inflate", 1)]);
        let expected = [("main", "/p"), ("inflate", "/p"), ("main", "/libz.so.1")];
        assert_eq!(aligned(&mut old, &mut new), pairs(&expected));
    }

    #[test]
    fn versions_of_a_library_are_one_library() {
        assert_eq!(stem("/lib/libc-2.31.so"), "libc.so");
        assert_eq!(stem("/lib/libc.so.6 (deleted)"), "libc.so");
        assert_eq!(stem("/usr/bin/my.sorter"), "my.sorter");
    }
}
