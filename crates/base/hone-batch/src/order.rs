//! Order of the tables of a finished batch.
//!
//! The order depends on the content alone: who adds the same samples in another order makes the same batch. Sorted tables also
//! have small differences between neighbours, which the wire form makes use of.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::batch::{
    Batch, BinaryIndex, Branches, EventIndex, Frame, FrameIndex, GroupIndex, NameIndex, Place,
    PlaceIndex, Ranges, Records, Samples,
};
use crate::rows::add_up;
use crate::tables::{Edge, Tables};

impl Tables {
    /// Returns the tables as a batch of nobody, with rows of samples that refer to them and may be equal. Places that no row needs
    /// are left out.
    pub(crate) fn finish(self, mut samples: Vec<Samples>) -> Batch {
        let used = self.used_places(&samples);
        let (used_binaries, used_names) = self.used_by(&used);
        let (binaries, new_binary) = sorted(self.binaries.into_items(), &used_binaries);
        let (names, new_name) = sorted(self.names.into_items(), &used_names);
        let renumbered = |place: &Place| match *place {
            Place::Code { binary, offset } => Place::Code {
                binary: BinaryIndex(new_binary[binary.index()]),
                offset,
            },
            Place::Named { binary, name } => Place::Named {
                binary: BinaryIndex(new_binary[binary.index()]),
                name: NameIndex(new_name[name.index()]),
            },
        };
        let places = self.places.items().iter().map(renumbered).collect();
        let (places, new_place) = sorted(places, &used);
        let all = vec![true; self.events.items().len().max(self.groups.items().len())];
        let (events, new_event) = sorted(self.events.into_items(), &all);
        let (groups, new_group) = sorted(self.groups.into_items(), &all);
        let (frames, new_frame) = frames_in_order(self.frames.items(), &new_place);

        let event = |old: EventIndex| EventIndex(new_event[old.index()]);
        let group = |old: GroupIndex| GroupIndex(new_group[old.index()]);
        let place = |old: PlaceIndex| PlaceIndex(new_place[old.index()]);
        let edge = |&(of, from, to): &Edge| (group(of), place(from), place(to));
        for row in &mut samples {
            row.event = event(row.event);
            row.group = group(row.group);
            row.stack = FrameIndex(new_frame[row.stack.index()]);
            row.ip = row.ip.map(place);
        }
        add_up(&mut samples);
        let records = rows(self.records, |&(of, by)| (event(of), group(by)));
        Batch {
            events,
            binaries,
            names,
            places,
            frames,
            groups,
            samples,
            branches: rows(self.branches, edge)
                .into_iter()
                .map(branches_row)
                .collect(),
            ranges: rows(self.ranges, edge)
                .into_iter()
                .map(ranges_row)
                .collect(),
            records: records.into_iter().map(records_row).collect(),
            ..Batch::default()
        }
    }

    fn used_places(&self, samples: &[Samples]) -> Vec<bool> {
        let mut used = vec![false; self.places.items().len()];
        let mut mark = |place: PlaceIndex| used[place.index()] = true;
        let frames = self.frames.items().iter();
        frames.for_each(|frame| mark(frame.place));
        let ips = samples.iter().filter_map(|row| row.ip);
        ips.for_each(&mut mark);
        for &(_, from, to) in self.branches.keys().chain(self.ranges.keys()) {
            mark(from);
            mark(to);
        }
        used
    }

    /// Returns which binaries and which names the used places need.
    fn used_by(&self, used_places: &[bool]) -> (Vec<bool>, Vec<bool>) {
        let mut binaries = vec![false; self.binaries.items().len()];
        let mut names = vec![false; self.names.items().len()];
        let places = self.places.items().iter().zip(used_places);
        for (place, _) in places.filter(|(_, used)| **used) {
            match *place {
                Place::Code { binary, .. } => binaries[binary.index()] = true,
                Place::Named { binary, name } => {
                    binaries[binary.index()] = true;
                    names[name.index()] = true;
                }
            }
        }
        (binaries, names)
    }
}

/// Sorts the used items of a table. Returns them, and the new index of each old one; that of unused items means nothing.
fn sorted<T: Ord>(items: Vec<T>, used: &[bool]) -> (Vec<T>, Vec<u32>) {
    let mut new = vec![0; items.len()];
    let numbered = items.into_iter().zip(0_u32..);
    let mut kept: Vec<(T, u32)> = numbered.filter(|(_, old)| used[*old as usize]).collect();
    kept.sort_unstable();
    for (at, (_, old)) in (0..).zip(&kept) {
        new[*old as usize] = at;
    }
    (kept.into_iter().map(|(item, _)| item).collect(), new)
}

/// Sorts frames by depth, caller and place, so that each comes after its caller. Returns them, and the new index of each old one.
fn frames_in_order(frames: &[Frame], new_place: &[u32]) -> (Vec<Frame>, Vec<u32>) {
    let mut levels: Vec<Vec<u32>> = Vec::new();
    let mut depths: Vec<u32> = Vec::with_capacity(frames.len());
    for (old, frame) in (0..).zip(frames) {
        let depth = frame.caller.map_or(0, |caller| depths[caller.index()] + 1);
        depths.push(depth);
        if levels.len() <= depth as usize {
            levels.push(Vec::new());
        }
        levels[depth as usize].push(old);
    }
    let mut ordered = Vec::with_capacity(frames.len());
    let mut new = vec![0; frames.len()];
    for level in levels {
        let renumbered = level.into_iter().map(|old| {
            let frame = frames[old as usize];
            let caller = frame.caller.map(|caller| FrameIndex(new[caller.index()]));
            (caller, PlaceIndex(new_place[frame.place.index()]), old)
        });
        let mut renumbered: Vec<_> = renumbered.collect();
        renumbered.sort_unstable();
        for (caller, place, old) in renumbered {
            new[old as usize] = ordered.len() as u32;
            ordered.push(Frame { place, caller });
        }
    }
    (ordered, new)
}

/// Returns the rows with their new keys, in the order of these.
fn rows<K: Eq + Hash, R: Ord, const N: usize>(
    counts: FxHashMap<K, [u64; N]>,
    renumbered: impl Fn(&K) -> R,
) -> Vec<(R, [u64; N])> {
    let rows = counts.into_iter();
    let mut rows: Vec<_> = rows
        .map(|(key, counts)| (renumbered(&key), counts))
        .collect();
    rows.sort_unstable();
    rows
}

fn branches_row(((group, from, to), [taken, mispredicted]): (Edge, [u64; 2])) -> Branches {
    Branches {
        group,
        from,
        to,
        taken,
        mispredicted,
    }
}

fn ranges_row(((group, first, last), [times]): (Edge, [u64; 1])) -> Ranges {
    Ranges {
        group,
        first,
        last,
        times,
    }
}

fn records_row(
    ((event, group), [samples, branches, repeated]): ((EventIndex, GroupIndex), [u64; 3]),
) -> Records {
    Records {
        event,
        group,
        samples,
        branches,
        repeated,
    }
}
