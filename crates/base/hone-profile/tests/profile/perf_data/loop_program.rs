//! A small real program, and a recording of it whose every branch is known.

use crate::tools::{Scratch, output_of, text_of};
use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, WalkSample, WalkedBranch,
    Writer, branch_type, sample_type,
};
use hone_profile::{Avma, BuildId, CodeMap, CpuQuota, CpuTime, FileOffset, MemoryUse, Operands};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the program is said to have been loaded.
const LOAD_ADDRESS: u64 = 0x5555_5555_4000;
/// Samples in the recording.
pub(crate) const SAMPLES: usize = 200;
/// Branches in each sample.
pub(crate) const BRANCHES: usize = 32;

const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) long work(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum ^= i * sum + (i >> 3);
  return sum;
}
int main(int argc, char **argv) {
  printf("%ld\n", work(argc > 1 ? atol(argv[1]) : 400000000));
  return 0;
}
"#;

/// A program with one hot loop, built by clang 19 with debug info.
pub(crate) struct LoopProgram {
    pub(crate) scratch: Scratch,
    pub(crate) binary: PathBuf,
    pub(crate) build_id: BuildId,
    /// The loop's backward jump and its target, as the ELF file states them.
    jump: (u64, u64),
    /// The ELF's executable segment: address, file offset, length.
    text: (u64, u64, u64),
}

impl LoopProgram {
    /// Builds it. DWARF 4, since create_llvm_prof 0.19 reads no other.
    pub(crate) fn build() -> Self {
        let scratch = Scratch::new();
        let source = scratch.file("loop.c", SOURCE.as_bytes());
        let binary = scratch.path().join("loop");
        output_of(
            Command::new("clang-19")
                .args(["-O1", "-g", "-gdwarf-4", "-fdebug-info-for-profiling"])
                .args(["-Wl,--build-id=sha1", "-Wl,-q", "-o"])
                .args([&binary, &source]),
        );
        let (build_id, jump, text) = (build_id(&binary), backward_jump(&binary), text(&binary));
        Self {
            scratch,
            binary,
            build_id,
            jump,
            text,
        }
    }

    /// The jump's two ends in the process of the recording.
    pub(crate) fn jump(&self) -> (Avma, Avma) {
        (
            Avma(LOAD_ADDRESS + self.jump.0),
            Avma(LOAD_ADDRESS + self.jump.1),
        )
    }

    pub(crate) fn path(&self) -> &str {
        self.binary.to_str().expect("a plain path")
    }

    /// A recording in which every sample is a run around the loop, in a file beside the program.
    pub(crate) fn recording(&self, events: Vec<EventDescription>) -> PathBuf {
        let event_count = events.len();
        let mut writer = Writer::new(Cursor::new(Vec::new()), events).expect("valid events");
        let (pid, tid) = (4321, 4321);
        writer.comm(pid, tid, "loop", true, 0).expect("a comm");
        writer.mmap2(&self.mapping(pid)).expect("a mapping");
        let (from, to) = self.jump();
        for index in 0..SAMPLES {
            let sample = WalkSample {
                event: index % event_count,
                pid,
                tid,
                cpu: 1,
                ip: to,
                time_ns: 1_000_000 + 1000 * index as u64,
                period: 1_000_000,
                call_chain: &[to],
                branches: &[WalkedBranch::from((from, to)); BRANCHES],
            };
            writer.walk_sample(&sample).expect("a sample");
        }
        let features = Features {
            host: "somewhere".into(),
            kernel: "6.1.0".into(),
            arch: "x86_64".into(),
            cpu: "A CPU".into(),
            cpus_online: 2,
            command: vec!["hone".into(), "record".into()],
            build_ids: vec![(self.path().into(), self.build_id.clone(), false)],
            // Sections that no other tool knows: they must read on.
            cpu_quota: Some(CpuQuota::default()),
            memory: vec![MemoryUse::default()],
            cpu_time: Some(CpuTime::default()),
            operands: Some(Operands::default()),
            code_names: BTreeMap::from([(1, CodeMap::default())]),
        };
        let file = writer.finish(&features).expect("a whole file").into_inner();
        self.scratch.file("perf.data", &file)
    }

    /// The executable segment, as the loader maps it.
    fn mapping(&self, pid: i32) -> Mmap2 {
        const PAGE: u64 = 0xfff;
        let (address, offset, len) = self.text;
        Mmap2 {
            pid,
            tid: pid,
            start: Avma(LOAD_ADDRESS + (address & !PAGE)),
            len: (len + (address & PAGE) + PAGE) & !PAGE,
            file_offset: FileOffset(offset & !PAGE),
            protection: 5,
            flags: 2,
            device: (8, 1, 1234),
            path: self.path().into(),
            time_ns: 0,
        }
    }
}

/// Walked samples with branch stacks, and what else the sample type and branch type say.
pub(crate) fn walk_event(fields: u64, branch_fields: u64) -> EventDescription {
    let fields = fields | sample_type::BRANCH_STACK;
    let branch_fields = branch_fields | branch_type::USER | branch_type::ANY;
    describe("hone-walk", fields, branch_fields)
}

/// Samples without branches.
pub(crate) fn plain_event() -> EventDescription {
    describe("cpu-clock:u", 0, 0)
}

fn describe(name: &str, fields: u64, branch_sample_type: u64) -> EventDescription {
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: 1_000_000,
        is_frequency: false,
        sample_type: fields
            | sample_type::IP
            | sample_type::TID
            | sample_type::TIME
            | sample_type::CPU
            | sample_type::PERIOD
            | sample_type::IDENTIFIER,
        branch_sample_type,
    };
    EventDescription {
        name: name.into(),
        attr: event.attr(),
        ids: vec![],
    }
}

fn build_id(binary: &Path) -> BuildId {
    let notes = text_of(
        Command::new("readelf")
            .env("LC_ALL", "C")
            .arg("-n")
            .arg(binary),
    );
    let after = notes.split("Build ID:").nth(1).expect("a build id");
    let hex = after.split_whitespace().next().expect("its digits");
    BuildId::from_hex(hex).expect("hexadecimal digits")
}

/// The last jump of `work` that goes backwards.
fn backward_jump(binary: &Path) -> (u64, u64) {
    let listing = text_of(
        Command::new("llvm-objdump-19")
            .args(["-d", "--no-show-raw-insn", "--disassemble-symbols=work"])
            .arg(binary),
    );
    let jumps = listing.lines().filter_map(|line| {
        let (address, rest) = line.trim().split_once(':')?;
        let mut words = rest.split_whitespace();
        words.next().filter(|mnemonic| mnemonic.starts_with('j'))?;
        Some((hex(address)?, hex(words.next()?)?))
    });
    jumps
        .rev()
        .find(|(from, to)| to < from)
        .expect("a loop in the program")
}

fn text(binary: &Path) -> (u64, u64, u64) {
    let headers = text_of(
        Command::new("readelf")
            .env("LC_ALL", "C")
            .arg("-lW")
            .arg(binary),
    );
    let line = headers
        .lines()
        .find(|line| line.contains("LOAD") && line.contains("R E"));
    let words: Vec<&str> = line
        .expect("an executable segment")
        .split_whitespace()
        .collect();
    let number = |index: usize| hex(words[index]).expect("a number");
    (number(2), number(1), number(4))
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}
