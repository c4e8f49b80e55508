//! What is written is what is read, whatever happened and in whatever order it was written down.
//!
//! The checker knows mappings as a list that it searches backwards, not as an address space.

use super::raw::{mapping, place};
use hone_profile::perf_data::{
    EventDescription, Features, SoftwareCounter, SoftwareEvent, WalkSample, WalkedBranch, Writer,
    branch_type, read, sample_type,
};
use hone_profile::{Avma, FileOffset, LocationId, Profile, ThirdArgument};
use proptest::prelude::*;
use std::collections::HashMap;
use std::io::Cursor;

const UNIT: u64 = 0x1000;
const PATHS: [&str; 3] = ["/bin/a", "/lib/b.so", "/lib/c.so"];
const NAMES: [&str; 3] = ["main", "worker", "a rather long name"];

#[derive(Clone, Debug)]
enum Happening {
    Map {
        pid: i32,
        start: u64,
        units: u64,
        path: usize,
        offset: u64,
    },
    Comm {
        pid: i32,
        name: usize,
        exec: bool,
    },
    Fork {
        child: i32,
        parent: i32,
    },
    Sample {
        event: usize,
        pid: i32,
        ip: u64,
        period: u64,
        chain: Vec<u64>,
        branches: Vec<(u64, u64)>,
    },
}

fn address() -> impl Strategy<Value = u64> {
    UNIT..12 * UNIT
}

fn happening() -> impl Strategy<Value = Happening> {
    let pid = || 1..4_i32;
    let chain = prop::collection::vec(address(), 0..6);
    let branches = prop::collection::vec((address(), address()), 0..20);
    prop_oneof![
        2 => (pid(), 1..10_u64, 1..4_u64, 0..PATHS.len(), 0..8_u64).prop_map(
            |(pid, start, units, path, offset)| Happening::Map {
                pid, start: start * UNIT, units, path, offset: offset * UNIT,
            }),
        1 => (pid(), 0..NAMES.len(), any::<bool>())
            .prop_map(|(pid, name, exec)| Happening::Comm { pid, name, exec }),
        1 => (pid(), pid()).prop_map(|(child, parent)| Happening::Fork { child, parent }),
        4 => (0..2_usize, pid(), address(), 1..1_000_000_u64, chain, branches).prop_map(
            |(event, pid, ip, period, chain, branches)| Happening::Sample {
                event, pid, ip, period, chain, branches,
            }),
    ]
}

/// Fields that may be there or not, without which a sample can still be understood.
fn optional_fields() -> impl Strategy<Value = u64> {
    let fields = [
        sample_type::ADDR,
        sample_type::ID,
        sample_type::STREAM_ID,
        sample_type::CPU,
        sample_type::REGS_USER,
        sample_type::STACK_USER,
    ];
    prop::sample::subsequence(fields.to_vec(), 0..=fields.len())
        .prop_map(|fields| fields.into_iter().fold(0, |all, field| all | field))
}

fn events(fields: u64, hw_index: bool) -> Vec<EventDescription> {
    let event = SoftwareEvent {
        counter: SoftwareCounter::TaskClock,
        period: 5000,
        is_frequency: true,
        sample_type: fields
            | sample_type::IP
            | sample_type::TID
            | sample_type::TIME
            | sample_type::PERIOD
            | sample_type::CALLCHAIN
            | sample_type::BRANCH_STACK
            | sample_type::IDENTIFIER,
        branch_sample_type: if hw_index { branch_type::HW_INDEX } else { 0 },
    };
    let describe = |name: &str, ids: &[u64]| EventDescription {
        name: name.into(),
        attr: event.attr(),
        ids: ids.to_vec(),
    };
    vec![describe("first", &[11, 12]), describe("second", &[])]
}

fn time_of(index: usize) -> u64 {
    1000 + 10 * index as u64
}

/// Writes what happened in the order given; times tell the true order.
fn write(happenings: &[Happening], order: &[usize], events: Vec<EventDescription>) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), events).expect("valid events");
    for &index in order {
        let time_ns = time_of(index);
        match &happenings[index] {
            Happening::Map {
                pid,
                start,
                units,
                path,
                offset,
            } => {
                let mut mapping = mapping(*pid, *start, units * UNIT, PATHS[*path], time_ns);
                mapping.file_offset = FileOffset(*offset);
                writer.mmap2(&mapping)
            }
            Happening::Comm { pid, name, exec } => {
                writer.comm(*pid, *pid, NAMES[*name], *exec, time_ns)
            }
            Happening::Fork { child, parent } => {
                writer.fork((*child, *child), (*parent, *parent), time_ns)
            }
            Happening::Sample {
                event,
                pid,
                ip,
                period,
                chain,
                branches,
            } => {
                let chain: Vec<Avma> = chain.iter().map(|&address| Avma(address)).collect();
                let branches: Vec<_> = branches
                    .iter()
                    .map(|&(from, to)| WalkedBranch {
                        from: Avma(from),
                        to: Avma(to),
                        third_argument: argument_of(from, to),
                    })
                    .collect();
                writer.walk_sample(&WalkSample {
                    event: *event,
                    pid: *pid,
                    tid: *pid,
                    cpu: 0,
                    ip: Avma(*ip),
                    time_ns,
                    period: *period,
                    call_chain: &chain,
                    branches: &branches,
                })
            }
        }
        .expect("a record that can be written");
    }
    writer
        .finish(&Features::default())
        .expect("a whole file")
        .into_inner()
}

/// Any argument, or that it is unknown.
fn argument_of(from: u64, to: u64) -> ThirdArgument {
    match from % 3 {
        0 => ThirdArgument::UNKNOWN,
        _ => ThirdArgument::of(to),
    }
}

/// Start, end, path and file offset of what a process mapped, oldest first.
type Maps = Vec<(u64, u64, usize, u64)>;

/// What a reader should know at some moment.
#[derive(Default)]
struct World {
    maps: HashMap<i32, Maps>,
    names: HashMap<i32, usize>,
}

impl World {
    fn place(&self, pid: i32, address: u64) -> (&'static str, u64) {
        let covers = |map: &&(u64, u64, usize, u64)| (map.0..map.1).contains(&address);
        match self
            .maps
            .get(&pid)
            .and_then(|maps| maps.iter().rev().find(covers))
        {
            Some((start, _, path, offset)) => (PATHS[*path], address - start + offset),
            None => ("[unmapped]", address),
        }
    }

    fn happens(&mut self, happening: &Happening) {
        match *happening {
            Happening::Map {
                pid,
                start,
                units,
                path,
                offset,
            } => {
                let map = (start, start + units * UNIT, path, offset);
                self.maps.entry(pid).or_default().push(map);
            }
            Happening::Comm { pid, name, exec } => {
                self.names.insert(pid, name);
                if exec {
                    self.maps.remove(&pid);
                }
            }
            Happening::Fork { child, parent } if child != parent => {
                let maps = self.maps.get(&parent).cloned().unwrap_or_default();
                self.maps.insert(child, maps);
                if let Some(&name) = self.names.get(&parent) {
                    self.names.insert(child, name);
                }
            }
            Happening::Fork { .. } | Happening::Sample { .. } => {}
        }
    }
}

fn check(profile: &Profile, happenings: &[Happening]) {
    let mut world = World::default();
    let mut samples = profile.samples.iter();
    for (index, happening) in happenings.iter().enumerate() {
        world.happens(happening);
        let Happening::Sample {
            event,
            pid,
            ip,
            period,
            chain,
            branches,
        } = happening
        else {
            continue;
        };
        let read = samples.next().expect("as many samples as were written");
        let same = |id: LocationId, address: u64| {
            assert_eq!(place(profile, id), world.place(*pid, address));
        };
        assert_eq!((read.event.index(), read.weight), (*event, *period));
        assert_eq!(read.time_ns, time_of(index));
        let thread = &profile.threads[read.thread.index()];
        let name = world.names.get(pid).map_or("", |&name| NAMES[name]);
        assert_eq!(
            (thread.pid, thread.tid, thread.name.as_str()),
            (*pid, *pid, name)
        );
        same(read.ip, *ip);
        let frames: Vec<_> = read
            .stack
            .into_iter()
            .flat_map(|stack| profile.frames(stack))
            .collect();
        assert_eq!(frames.len(), chain.len());
        frames
            .into_iter()
            .zip(chain)
            .for_each(|(frame, &address)| same(frame, address));
        let records = profile.branches_of(read);
        assert_eq!(records.len(), branches.len());
        for (record, &(from, to)) in records.iter().zip(branches) {
            same(record.from, from);
            same(record.to, to);
            assert_eq!(record.third_argument, argument_of(from, to));
        }
    }
    assert!(samples.next().is_none(), "no samples were made up");
    assert_eq!(profile.losses.malformed_records, 0);
    assert_eq!(profile.losses.truncated_bytes, 0);
}

proptest! {
    #[test]
    fn written_files_read_back(
        (happenings, order) in prop::collection::vec(happening(), 0..60).prop_flat_map(|all| {
            let order: Vec<usize> = (0..all.len()).collect();
            (Just(all), Just(order).prop_shuffle())
        }),
        fields in optional_fields(),
        hw_index: bool,
    ) {
        let bytes = write(&happenings, &order, events(fields, hw_index));
        let profile = read(&bytes).expect("a readable file");
        prop_assert_eq!(profile.events[0].name.as_str(), "first");
        prop_assert_eq!(profile.events[1].name.as_str(), "second");
        check(&profile, &happenings);
    }
}
