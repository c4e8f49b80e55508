//! Names of code without a file, as the runtime that made the code wrote them down: perf maps and jitdumps.
//!
//! Neither form tells when memory was used again, so the line that came last holds. A recording keeps the functions that
//! were sampled, as text in a feature section of Hone's own: maps of long-lived processes have hundreds of megabytes.

mod jitdump;
mod perf_map;

pub use jitdump::read as read_jitdump;
pub use perf_map::read as read_perf_map;

use crate::address::Avma;
use crate::limits::{CODE_MAPS_MAX, CODE_NAME_BYTES_MAX, CODE_NAMES_MAX};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Title of the text, so that another tool's section of the same number is not taken for ours.
const TITLE: &str = "hone code names 1";

/// Functions of a process by their addresses; no two overlap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeMap {
    pieces: BTreeMap<u64, Piece>,
}

/// A function, or what later functions have left of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece {
    end: u64,
    name: Arc<str>,
}

impl CodeMap {
    /// Adds a function in place of all functions that it overlaps, also in part; a function without bytes or name, and any
    /// function of a full map, is left out.
    pub fn add(&mut self, start: Avma, len: u64, name: &str) {
        let (start, end) = (start.0, start.0.saturating_add(len));
        let name = tidy(name);
        if start >= end || name.is_empty() || self.pieces.len() >= CODE_NAMES_MAX {
            return;
        }
        self.clear(start, end);
        let name = name.as_str().into();
        self.pieces.insert(start, Piece { end, name });
    }

    /// Returns the name of the function at an address.
    pub fn at(&self, address: Avma) -> Option<&str> {
        let (_, piece) = self.pieces.range(..=address.0).next_back()?;
        (address.0 < piece.end).then_some(&*piece.name)
    }

    /// Removes the functions that hold none of these addresses.
    pub fn keep(&mut self, addresses: &BTreeSet<u64>) {
        let holds_any = |start: &u64, piece: &mut Piece| {
            let mut within = addresses.range(*start..piece.end);
            within.next().is_some()
        };
        self.pieces.retain(holds_any);
    }

    /// Returns true if there is no function.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Removes a range of addresses; parts of functions on either side stay.
    fn clear(&mut self, start: u64, end: u64) {
        let before = self.pieces.range(..start).next_back();
        let cut_at = before.filter(|(_, piece)| piece.end > start);
        let first = cut_at.map_or(start, |(&first, _)| first);
        let overlapped: Vec<u64> = self
            .pieces
            .range(first..end)
            .map(|(&start, _)| start)
            .collect();
        for at in overlapped {
            let Some(piece) = self.pieces.remove(&at) else {
                continue;
            };
            if piece.end > end {
                self.pieces.insert(end, piece.clone());
            }
            if at < start {
                self.pieces.insert(
                    at,
                    Piece {
                        end: start,
                        ..piece
                    },
                );
            }
        }
    }

    /// Returns the maps of processes as text: a line for each process, behind it a line for each of its functions.
    pub(crate) fn list_to_text(maps: &BTreeMap<i32, Self>) -> String {
        let mut text = format!("{TITLE}\n");
        for (pid, map) in maps.iter().take(CODE_MAPS_MAX) {
            let _ = writeln!(text, "process {pid}");
            for (start, piece) in &map.pieces {
                let len = piece.end - start;
                let _ = writeln!(text, "{start:x} {len:x} {}", piece.name);
            }
        }
        text
    }

    /// Parses the text that [`Self::list_to_text`] wrote; `None` if any line of it is of another form.
    pub(crate) fn list_from_text(text: &str) -> Option<BTreeMap<i32, Self>> {
        let lines = text.strip_prefix(TITLE)?.strip_prefix('\n')?.lines();
        let mut maps: BTreeMap<i32, Self> = BTreeMap::new();
        let mut of = None;
        for line in lines.take(CODE_NAMES_MAX) {
            if let Some(pid) = line.strip_prefix("process ") {
                let pid: i32 = pid.parse().ok()?;
                if maps.len() >= CODE_MAPS_MAX {
                    break;
                }
                maps.entry(pid).or_default();
                of = Some(pid);
            } else {
                let (start, len, name) = perf_map::fields(line)?;
                maps.get_mut(&of?)?.add(start, len, name);
            }
        }
        Some(maps)
    }
}

/// Returns a name on one line, without blanks around it, and not longer than the limit.
fn tidy(name: &str) -> String {
    let mut end = name.len().min(CODE_NAME_BYTES_MAX);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let line = name[..end].replace(char::is_control, " ");
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(functions: &[(u64, u64, &str)]) -> CodeMap {
        let mut map = CodeMap::default();
        for &(start, len, name) in functions {
            map.add(Avma(start), len, name);
        }
        map
    }

    fn names<'m>(map: &'m CodeMap, addresses: &[u64]) -> Vec<Option<&'m str>> {
        let mut found = addresses.iter().map(|&address| map.at(Avma(address)));
        found.by_ref().collect()
    }

    #[test]
    fn what_came_last_holds_and_parts_of_older_functions_stay() {
        let map = map(&[
            (0x10, 0x30, "old"),
            (0x20, 0x10, "new"),
            (0x38, 0x20, "last"),
        ]);
        assert_eq!(
            names(
                &map,
                &[0xf, 0x10, 0x1f, 0x20, 0x2f, 0x30, 0x37, 0x38, 0x57, 0x58]
            ),
            [
                None,
                Some("old"),
                Some("old"),
                Some("new"),
                Some("new"),
                Some("old"),
                Some("old"),
                Some("last"),
                Some("last"),
                None
            ]
        );
    }

    #[test]
    fn a_function_over_several_others_removes_them() {
        let functions: Vec<(u64, u64, &str)> = (0..8).map(|at| (at * 16, 16, "small")).collect();
        let mut map = map(&functions);
        map.add(Avma(0x18), 0x40, "large");
        assert_eq!(
            names(&map, &[0x17, 0x18, 0x57, 0x58, 0x7f]),
            [
                Some("small"),
                Some("large"),
                Some("large"),
                Some("small"),
                Some("small")
            ]
        );
    }

    #[test]
    fn functions_without_bytes_or_name_are_none() {
        let map = map(&[(0x10, 0, "a"), (0x10, 8, " "), (u64::MAX, 9, "top")]);
        assert!(map.is_empty());
    }

    #[test]
    fn only_sampled_functions_are_kept() {
        let mut map = map(&[(0x10, 8, "a"), (0x18, 8, "b"), (0x20, 8, "c")]);
        map.keep(&BTreeSet::from([0x17, 0x20]));
        assert_eq!(
            names(&map, &[0x10, 0x18, 0x20]),
            [Some("a"), None, Some("c")]
        );
    }

    #[test]
    fn maps_become_text_and_back() {
        let maps = BTreeMap::from([
            (
                7,
                map(&[(0x7f00, 0x40, "JS:*f /srv/a b.js:1:2"), (0x8000, 1, "λ")]),
            ),
            (8, CodeMap::default()),
            (-1, map(&[(0, 5, "one\nline\u{7}")])),
        ]);
        let text = CodeMap::list_to_text(&maps);
        assert_eq!(CodeMap::list_from_text(&text), Some(maps));
        assert!(text.contains("\n0 5 one line\n"), "{text}");
        for broken in [
            "something else",
            "hone code names 1\n7f00 40 of nobody\n",
            "hone code names 1\nprocess x\n",
            "hone code names 1\nprocess 7\n7f00 forty name\n",
        ] {
            assert_eq!(CodeMap::list_from_text(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_name_that_is_too_long_is_cut_between_letters() {
        let long = format!("a{}", "é".repeat(CODE_NAME_BYTES_MAX));
        let map = map(&[(0, 1, &long)]);
        assert_eq!(map.at(Avma(0)).map(str::len), Some(CODE_NAME_BYTES_MAX - 1));
    }
}
