//! What the rules of `hone diagnose` examine: stacks, facts of the recorded files, the recorded machine, the CPU's counters.

use std::collections::BTreeMap;

use hone_diagnose::{
    BinaryFacts, Counted, Counter, Hardware, Inspected, Machine, MetAt, Point, Sums,
};
use hone_fdo::layout::{CacheShape, layout};
use hone_fdo::{Code, Evidence, aggregate};
use hone_inputs::hub;
use hone_profile::{BinaryKind, EventId, Profile, Svma};
use hone_run::machine::CpuInfo;
use hone_views::{By, Stacks, samples_in, table};

use rustc_hash::FxHashMap;

use crate::cache;
use crate::names::stacks_of;
use crate::recording::Recording;

/// Number of functions named for each event that the CPU counted beside time.
const FUNCTIONS_OF_A_COUNTER: usize = 5;

/// Collects what the rules examine.
pub fn inspected(recording: &Recording<'_>, stacks: Stacks) -> Inspected {
    let Facts {
        binaries,
        points,
        met,
    } = facts(recording, &stacks);
    let profile = recording.profile();
    let losses = profile.losses.clone();
    let mut inspected = Inspected::new(stacks, binaries, machine(profile), losses);
    inspected.points = points;
    inspected.operands = profile.meta.operands.as_ref().map(|_| met);
    inspected.hardware = hardware(recording);
    inspected.sums = hub::seconds_of(recording.path()).map(|seconds| Sums { seconds });
    inspected
}

/// Facts about the binaries, and what lies in them.
#[derive(Default)]
struct Facts {
    binaries: Vec<BinaryFacts>,
    points: Vec<Point>,
    met: Vec<MetAt>,
}

/// Collects the facts about the binaries, the samples in them and what walks met there. A binary that is gone or is another build is
/// left out, and a note tells so.
fn facts(recording: &Recording<'_>, stacks: &Stacks) -> Facts {
    let (profile, tally, event) = (recording.profile(), recording.tally(), recording.event());
    let all = stacks.weight();
    let own = cache::own_l1i().filter(|_| is_this_kind(profile, &CpuInfo::read()));
    let l1i = own.unwrap_or(CacheShape::L1I);
    let operands = profile.meta.operands.iter().flat_map(|all| &all.met);
    let mut all_facts = Facts::default();
    for id in recording.binaries() {
        let recorded = profile.binary(id);
        if recorded.kind != BinaryKind::File {
            continue;
        }
        let Ok(opened) = recording.open(recorded) else {
            continue;
        };
        let Ok(debug) = opened.debug() else {
            continue;
        };
        let binary = opened.binary;
        let position = all_facts.binaries.len() as u32;
        let mut weights: FxHashMap<Svma, u64> = FxHashMap::default();
        for (stack, at, weight) in samples_in(binary, profile, id, tally, event, stacks) {
            *weights.entry(at).or_default() += weight;
            all_facts.points.push(Point {
                stack,
                binary: position,
                at,
                weight,
            });
        }
        let here = operands.clone().filter(|met| met.path == recorded.path);
        all_facts.met.extend(here.filter_map(|met| {
            Some(MetAt {
                binary: position,
                at: binary.svma_of(met.at)?,
                met: met.clone(),
            })
        }));
        let mut facts = BinaryFacts::new(&recorded.path, binary, debug, &weights, all);
        let code = Code::new(binary);
        let counts = aggregate(recording.recorded(), &[id], &code, Evidence::Branches);
        facts.layout = Some(layout(&counts, &code, l1i));
        all_facts.binaries.push(facts);
    }
    all_facts
}

/// Returns the events that the CPU counted beside time.
fn hardware(recording: &Recording<'_>) -> Hardware {
    let tally = recording.tally();
    let events = (0..).map(EventId).zip(&recording.profile().events);
    // CPUs with two kinds of cores count each kind by an event of its own.
    let mut by_counter: BTreeMap<Counter, Vec<EventId>> = BTreeMap::new();
    for (id, event) in events {
        if let Some(counter) = Counter::of_event(&event.name) {
            by_counter.entry(counter).or_default().push(id);
        }
    }
    let counted = by_counter.into_iter().map(|(counter, events)| {
        let most = events.iter().max_by_key(|event| tally.weight(**event));
        // Cycles are only the whole of which the others are a part; nobody asks where cycles were spent.
        let most = most.filter(|_| counter != Counter::Cycles);
        let counted = Counted {
            samples: events.iter().map(|event| tally.samples(*event)).sum(),
            weight: events.iter().map(|event| tally.weight(*event)).sum(),
            functions: most.map_or_else(Vec::new, |event| heaviest_functions(recording, *event)),
        };
        (counter, counted)
    });
    counted.collect()
}

/// Returns the functions in which most of an event happened, with their shares of the event.
fn heaviest_functions(recording: &Recording<'_>, event: EventId) -> Vec<(String, f64)> {
    let stacks = stacks_of(recording, event);
    let rows = table(&stacks, By::Function).rows.into_iter();
    let heaviest = rows
        .take(FUNCTIONS_OF_A_COUNTER)
        .filter(|row| row.self_weight > 0);
    heaviest.map(|row| (row.name, row.self_share)).collect()
}

/// Describes the machine that was recorded, by the features of this machine if its CPU is the same model.
fn machine(profile: &Profile) -> Machine {
    let info = CpuInfo::read();
    let features = info.flags().filter(|_| is_this_kind(profile, &info));
    Machine {
        features: features.map(str::to_owned).collect(),
        cpu_quota: profile.meta.cpu_quota.clone(),
        memory: profile.meta.memory.clone(),
    }
}

/// True if a recording was made on a machine with this CPU.
fn is_this_kind(profile: &Profile, info: &CpuInfo) -> bool {
    !profile.meta.cpu.is_empty() && info.model() == Some(&profile.meta.cpu)
}
