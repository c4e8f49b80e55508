//! Each rule on a snapshot of what it looks at in its planted program (`examples/planted`) and in that program's clean twin.
//!
//! `crates/commands/hone-cli/tests/cli/recordings/diagnose.rs` asks the same of live recordings.
//! `crates/see/hone-look/tests/look/snapshots.rs` makes the snapshots anew.

mod form;

use crate::testing::{Level, Making};
use crate::{
    ALL, BinaryFacts, CodeInstruction, HotFunction, Inspected, Machine, Mark, MetAt, Optimisation,
    Role, diagnose,
};
use form::Item;
use hone_fdo::layout::{CacheShape, Footprint, FunctionLayout, Layout};
use hone_profile::{CpuQuota, FileOffset, Losses, MemoryUse, MetOperands, Svma, Watched};
use hone_views::NamedFrame;
use iced_x86::{Decoder, DecoderOptions};
use std::collections::BTreeSet;

const MARKS: [Mark; 6] = [
    Mark::AddressSanitizer,
    Mark::ThreadSanitizer,
    Mark::MemorySanitizer,
    Mark::UndefinedBehaviorSanitizer,
    Mark::Counters,
    Mark::Go,
];

/// Reads a snapshot.
fn read(text: &str) -> Inspected {
    let mut machine = Machine::default();
    let mut losses = Losses::default();
    let (mut event, mut unknown) = (String::new(), Vec::new());
    let mut binaries: Vec<BinaryFacts> = Vec::new();
    let mut frames: Vec<form::Frame> = Vec::new();
    let mut making = Making::default();
    let mut met = Vec::new();
    for line in text.lines() {
        match serde_json::from_str(line).unwrap() {
            Item::Recording(recording) => {
                (event, unknown) = (recording.event, recording.unknown);
                machine.features = recording.features;
                losses.lost_samples = recording.lost_samples;
            }
            Item::Memory(memory) => machine.memory.push(memory_of(&memory)),
            Item::Quota(quota) => machine.cpu_quota = Some(quota_of(&quota)),
            Item::Binary(binary) => binaries.push(facts(binary)),
            Item::Function(function) => add_function(binaries.last_mut().unwrap(), function),
            Item::Met(one) => met.push(met_at(binaries.len() as u32 - 1, &one)),
            Item::Frame(frame) => frames.push(frame),
            Item::Stack(stack) => {
                let levels = levels(&stack, &frames);
                making.add(levels, (stack.pid, stack.tid), stack.samples, stack.weight);
            }
        }
    }
    let mut stacks = making.stacks(&event);
    stacks.unknown.by_binary = unknown.into_iter().collect();
    let mut inspected = Inspected::new(stacks, binaries, machine, losses);
    inspected.operands = (!met.is_empty()).then_some(met);
    inspected
}

/// Returns the levels of a stack, outermost first.
fn levels(stack: &form::Stack, frames: &[form::Frame]) -> Vec<Level> {
    let frames = stack.frames.iter().map(|at| &frames[*at]);
    let mut levels: Vec<Level> = Vec::new();
    let mut inlined = Vec::new();
    for frame in frames {
        inlined.push(NamedFrame {
            function: frame.function.clone(),
            file: frame.file.clone(),
            line: frame.line,
            is_inlined: frame.is_inlined,
        });
        if !frame.is_inlined {
            levels.push(Level {
                binary: frame.binary.clone(),
                frames: std::mem::take(&mut inlined),
            });
        }
    }
    levels.reverse();
    levels
}

fn met_at(binary: u32, met: &form::Met) -> MetAt {
    MetAt {
        binary,
        at: Svma(met.at),
        met: MetOperands {
            path: String::new(),
            at: FileOffset(met.at),
            watched: match (met.divides, met.lines) {
                (true, _) => Watched::Divisor,
                (false, Some(_)) => Watched::Loads,
                (false, None) => Watched::Denormals,
            },
            walks: met.walks,
            executions: met.executions,
            squares: met.squares,
            odd: met.odd,
            value: met.value,
            lines: met.lines.unwrap_or_default(),
        },
    }
}

fn memory_of(memory: &form::Memory) -> MemoryUse {
    MemoryUse {
        pid: memory.pid,
        peak_rss_bytes: memory.peak_rss_bytes,
        may_use_bytes: memory.may_use_bytes,
        limit_bytes: memory.limit_bytes,
        limit_group: if memory.has_limit_group { "/a" } else { "" }.to_owned(),
        go_limit_bytes: memory.go_limit_bytes,
        go_percent: memory.go_percent,
    }
}

fn quota_of(quota: &form::Quota) -> CpuQuota {
    CpuQuota {
        group: "/a".to_owned(),
        quota_us: quota.quota_us,
        period_us: quota.period_us,
        wall_us: quota.wall_us,
        usage_us: quota.usage_us,
        periods: quota.periods,
        throttled: quota.throttled,
        throttled_us: quota.throttled_us,
    }
}

/// Returns the facts about a binary, without functions.
fn facts(binary: form::Binary) -> BinaryFacts {
    let footprint = |lines: u64| Footprint {
        share: 0.9,
        bytes: 0,
        lines,
        pages: 0,
    };
    let [lines, lines_low] = binary.hot_lines;
    let layout = Layout {
        unit: "sample weight",
        weight: binary.weight,
        functions: Vec::new(),
        footprint: [footprint(lines); 2],
        footprint_low: footprint(lines_low),
        l1i: CacheShape::L1I,
        model: None,
    };
    let is_marked = |mark: &Mark| binary.marks.iter().any(|name| name == mark.name());
    let role = if binary.is_library {
        Role::Library
    } else {
        Role::Program
    };
    BinaryFacts {
        path: binary.path,
        role,
        is_static: binary.is_static,
        marks: MARKS.into_iter().filter(is_marked).collect(),
        has_debug_info: binary.has_debug_info,
        weight: binary.weight,
        functions: Vec::new(),
        optimisation: Optimisation {
            without: binary.unoptimised,
            with: binary.optimised,
        },
        layout: Some(layout),
    }
}

fn add_function(binary: &mut BinaryFacts, function: form::Function) {
    let start = Svma(function.start);
    if let (Some(layout), Some(laid)) = (&mut binary.layout, &function.layout) {
        layout.functions.push(FunctionLayout {
            name: function.name.clone(),
            symbol: function.name.clone(),
            start,
            is_cold_part: false,
            bytes: function.size,
            weight: function.weight,
            share: 0.0,
            hot_bytes: laid.hot_bytes,
            cold_bytes: laid.cold_bytes_inside,
            cold_part_bytes: 0,
            cold_blocks_inside: 0,
            cold_bytes_inside: laid.cold_bytes_inside,
            error_bytes: laid.error_bytes_inside,
            error_bytes_inside: laid.error_bytes_inside,
            hot_lines: 0,
            unseen_share_max: laid.unseen_share_max,
            l1i_touches: None,
        });
    }
    let pieces = function.code.iter();
    let mut instructions: Vec<CodeInstruction> = pieces
        .flat_map(|(offset, digits)| decoded(start.0 + offset, digits))
        .collect();
    for &(offset, weight, file, line) in &function.samples {
        let ip = start.0 + offset;
        let at = instructions.iter_mut().find(|at| at.code.ip() == ip);
        let at = at.expect("an instruction");
        at.weight = weight;
        at.line = (line > 0).then(|| (function.files[file].clone(), line));
    }
    binary.functions.push(HotFunction {
        name: function.name,
        start,
        size: function.size,
        weight: function.weight,
        producer: function.producer,
        instructions,
    });
}

fn decoded(start: u64, digits: &str) -> Vec<CodeInstruction> {
    let bytes = hex::decode(digits).unwrap();
    let decoder = Decoder::with_ip(64, &bytes, start, DecoderOptions::NONE);
    let decoded = decoder.into_iter().map(|code| CodeInstruction {
        code,
        weight: 0,
        line: None,
    });
    decoded.collect()
}

/// Rules about the recording, and about counters that few virtual machines have: these have unit tests by hand.
const BY_HAND: [&str; 4] = ["unfit", "front-end", "instruction-cache", "mispredicts"];

macro_rules! snapshots {
    ($($name:literal)*) => {
        /// Name of the rule, then the snapshots of the odd program and of its clean twin.
        const SNAPSHOTS: &[(&str, &str, &str)] = &[$((
            $name,
            include_str!(concat!("../tests/snapshots/", $name, "-odd.jsonl")),
            include_str!(concat!("../tests/snapshots/", $name, "-clean.jsonl")),
        )),*];
    };
}

snapshots! {
    "debug-build"
    "unoptimised-file"
    "sanitizer"
    "counters"
    "denormals"
    "vector-bool"
    "reference-counts"
    "regex"
    "serialisation"
    "iostream"
    "formatting"
    "exceptions"
    "dynamic-cast"
    "clock"
    "dear-calls"
    "sort-by-pointer"
    "trees"
    "hash-tables"
    "checksums"
    "busy-spin"
    "go-collector"
    "go-memory"
    "locks"
    "thread-locals"
    "page-faults"
    "system-calls"
    "tiny-copies"
    "zeroing"
    "allocator"
    "copies"
    "string-length"
    "char-aliases"
    "byte-loop"
    "constant-divisor"
    "division"
    "scattered-loads"
    "atomics"
    "tiny-functions"
    "indirect-calls"
    "stubs"
    "error-handling"
    "cold-code"
    "footprint"
    "baseline-isa"
    "dependency"
    "cpu-quota"
    "quota-threads"
}

/// Returns the rules with a finding, and these as text.
fn found(snapshot: &str) -> (BTreeSet<&'static str>, String) {
    let diagnosis = diagnose(&read(snapshot));
    let rules = diagnosis.findings.iter().map(|finding| finding.rule);
    (rules.collect(), format!("{:#?}", diagnosis.findings))
}

#[test]
fn each_rule_finds_its_oddity_in_the_planted_program_and_nothing_in_the_twin() {
    for (rule, odd, clean) in SNAPSHOTS {
        let (rules, text) = found(odd);
        assert!(rules.contains(rule), "{rule}-odd: {text}");
        let (rules, text) = found(clean);
        assert!(rules.is_empty(), "{rule}-clean: {text}");
    }
}

/// Returns the advice of a rule.
fn advice(inspected: &Inspected, rule: &str) -> String {
    let diagnosis = diagnose(inspected);
    let finding = diagnosis.findings.iter().find(|found| found.rule == rule);
    let text = || format!("{rule}: {:#?}", diagnosis.findings);
    finding
        .unwrap_or_else(|| panic!("{}", text()))
        .change
        .clone()
}

/// Returns the snapshot of a planted program, as if a quota of a tenth of a CPU had held the program up in 9 of 10 periods.
fn under_quota(rule: &str) -> Inspected {
    let (_, odd, _) = SNAPSHOTS.iter().find(|(name, ..)| *name == rule).unwrap();
    let mut inspected = read(odd);
    inspected.machine.cpu_quota = Some(CpuQuota {
        group: "/a".to_owned(),
        quota_us: 10_000,
        period_us: 100_000,
        wall_us: 10_000_000,
        usage_us: 1_000_000,
        periods: 100,
        throttled: 90,
        throttled_us: 5_000_000,
    });
    inspected
}

#[test]
fn to_programs_in_go_the_tuners_are_named() {
    let collecting = under_quota("go-collector");
    let told = advice(&collecting, "go-collector");
    assert!(
        told.contains("`defer tune.GC(tune.GCOptions{}).Stop()`"),
        "{told}"
    );
    let told = advice(&collecting, "cpu-quota");
    assert!(
        told.contains("`defer tune.CPU(tune.CPUOptions{}).Stop()`"),
        "{told}"
    );
    let to_others = advice(&under_quota("locks"), "cpu-quota");
    assert!(told.ends_with(&to_others), "{told}");
    assert!(!to_others.contains("tune."), "{to_others}");
}

#[test]
fn the_same_stacks_under_a_quota_that_holds_nothing_up_have_no_finding() {
    for rule in ["cpu-quota", "quota-threads"] {
        let (_, odd, _) = SNAPSHOTS.iter().find(|(name, ..)| *name == rule).unwrap();
        let mut inspected = read(odd);
        let quota = inspected.machine.cpu_quota.as_mut().expect("a quota");
        (quota.throttled, quota.throttled_us) = (0, 0);
        let findings = diagnose(&inspected).findings;
        assert!(findings.is_empty(), "{rule}: {findings:#?}");
    }
}

#[test]
fn each_rule_has_snapshots_or_a_test_by_hand() {
    let names = ALL.iter().map(|rule| rule.name);
    let recorded = names.filter(|name| !BY_HAND.contains(name));
    assert!(recorded.eq(SNAPSHOTS.iter().map(|(name, ..)| *name)));
}

/// Snapshots are read by people too, and are in every clone.
#[test]
fn snapshots_are_small() {
    for (rule, odd, clean) in SNAPSHOTS {
        let bytes = odd.len().max(clean.len());
        assert!(bytes <= 50_000, "{rule}: {bytes} bytes");
    }
}
