//! From a batch to a step: rows by stack become sums by function, host and build.

use hone_batch::{Batch, EventIndex, FrameIndex, PlaceIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::{BUILDS_MAX, CALLS_MAX, FUNCTIONS_MAX, HOSTS_MAX};
use crate::step::{Call, Cell, Row, Step, group_of, short};

/// Returns the sums of a batch's samples of an event.
///
/// `names` gives the functions of a place, innermost first: more than one where calls were inlined. Its second argument is true
/// for callers, whose place is where their callee returns to. A place without a name is left out of its stacks.
pub fn gather(
    batch: &Batch,
    event: EventIndex,
    start_s: u64,
    names: impl FnMut(PlaceIndex, bool) -> Vec<String>,
) -> Step {
    let mut gathering = Gathering {
        batch,
        names: Names {
            names,
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            functions: Vec::new(),
        },
        cells: FxHashMap::default(),
        calls: FxHashMap::default(),
    };
    gathering.add(event);
    gathering.finish(start_s)
}

type PlaceKey = (PlaceIndex, bool);
/// Host and build, by number of their names.
type CellKey<'b> = (&'b str, &'b str);

struct Names<F> {
    names: F,
    known: FxHashMap<PlaceKey, Vec<u32>>,
    numbers: FxHashMap<String, u32>,
    functions: Vec<String>,
}

impl<F: FnMut(PlaceIndex, bool) -> Vec<String>> Names<F> {
    fn of(&mut self, place: PlaceIndex, is_return: bool) -> &[u32] {
        let (names, numbers, functions) = (&mut self.names, &mut self.numbers, &mut self.functions);
        self.known.entry((place, is_return)).or_insert_with(|| {
            let found = names(place, is_return).into_iter();
            let number = |name: String| {
                *numbers
                    .entry(short(&name).to_owned())
                    .or_insert_with_key(|name| {
                        functions.push(name.clone());
                        functions.len() as u32 - 1
                    })
            };
            found.map(number).collect()
        })
    }
}

#[derive(Default)]
struct Sums {
    weight: u64,
    samples: u64,
    rows: FxHashMap<u32, [u64; 2]>,
}

struct Gathering<'b, F> {
    batch: &'b Batch,
    names: Names<F>,
    cells: FxHashMap<CellKey<'b>, Sums>,
    calls: FxHashMap<(u32, u32), u64>,
}

impl<'b, F: FnMut(PlaceIndex, bool) -> Vec<String>> Gathering<'b, F> {
    fn add(&mut self, event: EventIndex) {
        let batch = self.batch;
        let mut stacks: FxHashMap<
            (FrameIndex, Option<PlaceIndex>),
            FxHashMap<CellKey<'b>, [u64; 2]>,
        > = FxHashMap::default();
        for row in batch.samples.iter().filter(|row| row.event == event) {
            let group = &batch.groups[row.group.index()];
            let host = match group.host.as_str() {
                "" => batch.origin.host.as_str(),
                host => host,
            };
            let by_cell = stacks.entry((row.stack, row.ip)).or_default();
            let sums = by_cell.entry((host, &group.build)).or_default();
            sums[0] = sums[0].saturating_add(row.weight);
            sums[1] = sums[1].saturating_add(row.times);
        }
        for ((stack, ip), by_cell) in stacks {
            let functions = self.functions_of(stack, ip);
            self.add_stack(&functions, &by_cell);
        }
    }

    /// Functions of a stack, innermost first.
    fn functions_of(&mut self, stack: FrameIndex, ip: Option<PlaceIndex>) -> Vec<u32> {
        let mut functions = Vec::new();
        if let Some(ip) = ip {
            functions.extend(self.names.of(ip, false));
        }
        let mut next = Some(stack);
        while let Some(index) = next {
            let frame = self.batch.frames[index.index()];
            let is_return = index != stack;
            functions.extend(self.names.of(frame.place, is_return));
            next = frame.caller;
        }
        functions
    }

    fn add_stack(&mut self, functions: &[u32], by_cell: &FxHashMap<CellKey<'b>, [u64; 2]>) {
        let distinct: FxHashSet<u32> = functions.iter().copied().collect();
        let mut whole = 0_u64;
        for (key, [weight, samples]) in by_cell {
            let sums = self.cells.entry(*key).or_default();
            sums.weight = sums.weight.saturating_add(*weight);
            sums.samples = sums.samples.saturating_add(*samples);
            whole = whole.saturating_add(*weight);
            if let Some(own) = functions.first() {
                let row = sums.rows.entry(*own).or_default();
                row[0] = row[0].saturating_add(*weight);
            }
            for function in &distinct {
                let row = sums.rows.entry(*function).or_default();
                row[1] = row[1].saturating_add(*weight);
            }
        }
        let pairs = functions.windows(2).map(|pair| (pair[1], pair[0]));
        let pairs: FxHashSet<(u32, u32)> = pairs.filter(|(one, other)| one != other).collect();
        for pair in pairs {
            let sum = self.calls.entry(pair).or_default();
            *sum = sum.saturating_add(whole);
        }
    }

    fn finish(self, start_s: u64) -> Step {
        let builds = heaviest(
            self.cells
                .iter()
                .map(|((_, build), sums)| (*build, sums.weight)),
            BUILDS_MAX,
            |build| build,
        );
        let hosts: FxHashSet<&str> = self.cells.keys().map(|(host, _)| *host).collect();
        let is_large = hosts.len() > HOSTS_MAX;
        let rows = self.cells.values().flat_map(|sums| &sums.rows);
        let name = |number: u32| self.names.functions[number as usize].as_str();
        let weights = rows.map(|(function, row)| (*function, row[1]));
        let functions = heaviest(weights, FUNCTIONS_MAX, name);
        let mut kept: Vec<u32> = functions.into_iter().collect();
        kept.sort_unstable_by_key(|number| name(*number));
        let number: FxHashMap<u32, u32> = kept.iter().copied().zip(0..).collect();
        let mut cells: FxHashMap<(String, &str), Sums> = FxHashMap::default();
        for ((host, build), sums) in self.cells {
            let host = match is_large {
                true => group_of(host),
                false => short(host).to_owned(),
            };
            let build = if builds.contains(build) {
                short(build)
            } else {
                ""
            };
            cells.entry((host, build)).or_default().add(sums);
        }
        let mut calls: Vec<Call> = self
            .calls
            .into_iter()
            .filter_map(|((caller, callee), weight)| {
                Some(Call(*number.get(&caller)?, *number.get(&callee)?, weight))
            })
            .collect();
        calls.sort_unstable_by_key(|call| (std::cmp::Reverse(call.2), call.0, call.1));
        calls.truncate(CALLS_MAX);
        let mut cells: Vec<Cell> = cells
            .into_iter()
            .map(|((host, build), sums)| sums.cell(host, build, &number))
            .collect();
        cells.sort_unstable_by(|a, b| (&a.host, &a.build).cmp(&(&b.host, &b.build)));
        let mut step = Step::new(start_s);
        let names = kept
            .iter()
            .map(|number| self.names.functions[*number as usize].clone());
        step.functions = names.collect();
        step.cells = cells;
        step.calls = calls;
        step
    }
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.weight = self.weight.saturating_add(other.weight);
        self.samples = self.samples.saturating_add(other.samples);
        for (function, [own, inclusive]) in other.rows {
            let row = self.rows.entry(function).or_default();
            row[0] = row[0].saturating_add(own);
            row[1] = row[1].saturating_add(inclusive);
        }
    }

    fn cell(self, host: String, build: &str, number: &FxHashMap<u32, u32>) -> Cell {
        let rows = self.rows.into_iter();
        let mut rows: Vec<Row> = rows
            .filter_map(|(function, [own, inclusive])| {
                Some(Row(*number.get(&function)?, own, inclusive))
            })
            .collect();
        rows.sort_unstable_by_key(|row| row.0);
        Cell {
            host,
            build: build.to_owned(),
            weight: self.weight,
            samples: self.samples,
            rows,
        }
    }
}

/// Returns the keys with the largest sums. Of those with the same sum the names decide, not the order in which they came.
fn heaviest<'n, K: Copy + Eq + std::hash::Hash>(
    all: impl Iterator<Item = (K, u64)>,
    most: usize,
    name: impl Fn(K) -> &'n str,
) -> FxHashSet<K> {
    let mut sums: FxHashMap<K, u64> = FxHashMap::default();
    for (key, weight) in all {
        let sum = sums.entry(key).or_default();
        *sum = sum.saturating_add(weight);
    }
    let mut sums: Vec<(K, u64)> = sums.into_iter().collect();
    sums.sort_unstable_by(|(one, weight), (other, others)| {
        let by_weight = others.cmp(weight);
        by_weight.then_with(|| name(*one).cmp(name(*other)))
    });
    sums.into_iter().take(most).map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_batch::{BinaryIndex, Frame, Group, GroupIndex, NameIndex, Place, Samples};
    use hone_profile::{Binary, BinaryKind};

    /// main calls parse, which calls itself and then read. Rows: stack, group, milliseconds.
    fn batch(rows: &[(u32, u32, u64)], hosts: &[(&str, &str)]) -> Batch {
        let names = ["main", "parse", "read"];
        let binary = Binary {
            path: "shop".into(),
            build_id: None,
            kind: BinaryKind::File,
        };
        let frame = |place, caller: Option<u32>| Frame {
            place: PlaceIndex(place),
            caller: caller.map(FrameIndex),
        };
        let place = |name| Place::Named {
            binary: BinaryIndex(0),
            name: NameIndex(name),
        };
        let samples = rows.iter().map(|&(stack, group, ms)| Samples {
            event: EventIndex(0),
            group: GroupIndex(group),
            stack: FrameIndex(stack),
            ip: None,
            is_leaf_only: false,
            has_branches: false,
            bucket: 1,
            times: 1,
            weight: ms * 1_000_000,
        });
        let groups = hosts.iter().map(|(host, build)| Group {
            host: (*host).into(),
            build: (*build).into(),
            ..Group::default()
        });
        Batch {
            binaries: vec![binary],
            names: names.map(String::from).into(),
            places: (0..3).map(place).collect(),
            frames: vec![
                frame(0, None),
                frame(1, Some(0)),
                frame(1, Some(1)),
                frame(2, Some(2)),
            ],
            groups: groups.collect(),
            samples: samples.collect(),
            ..Batch::default()
        }
    }

    fn gathered(batch: &Batch) -> Step {
        gather(batch, EventIndex(0), 60, |place, _| {
            match batch.places[place.index()] {
                Place::Named { name, .. } => vec![batch.names[name.index()].clone()],
                Place::Code { .. } => Vec::new(),
            }
        })
    }

    #[test]
    fn recursion_counts_once_and_calls_go_from_caller_to_callee() {
        let step = gathered(&batch(
            &[(3, 0, 5), (1, 0, 2), (3, 1, 1)],
            &[("a", "x"), ("b", "x")],
        ));
        assert_eq!(step.functions, ["main", "parse", "read"]);
        let ms = 1_000_000;
        let [a, b] = &step.cells[..] else {
            panic!("{step:?}")
        };
        assert_eq!((a.host.as_str(), a.weight, a.samples), ("a", 7 * ms, 2));
        assert_eq!(
            a.rows,
            [
                Row(0, 0, 7 * ms),
                Row(1, 2 * ms, 7 * ms),
                Row(2, 5 * ms, 5 * ms)
            ]
        );
        assert_eq!(b.rows, [Row(0, 0, ms), Row(1, 0, ms), Row(2, ms, ms)]);
        assert_eq!(step.calls, [Call(0, 1, 8 * ms), Call(1, 2, 6 * ms)]);
        assert_eq!(Step::from_bytes(&step.to_bytes()).unwrap(), step);
    }

    #[test]
    fn hosts_of_a_large_fleet_and_rare_builds_are_put_together() {
        let names: Vec<String> = (0..200).map(|n| format!("host-{n}")).collect();
        let builds: Vec<String> = (0..200).map(|n| format!("{:02x}", n % 20)).collect();
        let groups: Vec<(&str, &str)> = names
            .iter()
            .zip(&builds)
            .map(|(host, build)| (host.as_str(), build.as_str()))
            .collect();
        let rows: Vec<(u32, u32, u64)> = (0..200)
            .map(|n| (3, n, 1 + u64::from(n % 20 < 7)))
            .collect();
        let step = gathered(&batch(&rows, &groups));
        assert!(step.is_grouped());
        let hosts: FxHashSet<&str> = step.cells.iter().map(|cell| cell.host.as_str()).collect();
        let builds: FxHashSet<&str> = step.cells.iter().map(|cell| cell.build.as_str()).collect();
        assert!(hosts.len() > 50 && hosts.len() <= HOSTS_MAX);
        assert_eq!(builds.len(), BUILDS_MAX + 1, "{builds:?}");
        let whole: u64 = step.cells.iter().map(|cell| cell.weight).sum();
        assert_eq!(whole, 270 * 1_000_000);
    }

    #[test]
    fn functions_that_weigh_the_same_are_kept_by_their_names_in_whatever_order_rows_come() {
        let count = FUNCTIONS_MAX as u32 + 100;
        let step = |stacks: &mut dyn Iterator<Item = u32>| {
            let rows: Vec<(u32, u32, u64)> = stacks.map(|stack| (stack, 0, 1)).collect();
            let mut batch = batch(&rows, &[("a", "x")]);
            batch.names = (0..count).map(|n| format!("f{n:05}")).collect();
            batch.places = (0..count)
                .map(|name| Place::Named {
                    binary: BinaryIndex(0),
                    name: NameIndex(name),
                })
                .collect();
            let frames = (0..count).map(|place| Frame {
                place: PlaceIndex(place),
                caller: None,
            });
            batch.frames = frames.collect();
            gathered(&batch)
        };
        let step_of_all = step(&mut (0..count));
        assert_eq!(step_of_all.functions.len(), FUNCTIONS_MAX);
        assert_eq!(step_of_all.functions[FUNCTIONS_MAX - 1], "f01999");
        assert_eq!(step(&mut (0..count).rev()), step_of_all);
    }
}
