//! A small real program, and a recording of it whose every branch is known.

#![allow(dead_code)] // each test file uses its part

use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, WalkSample, Writer,
    branch_type, sample_type,
};
use hone_profile::{Avma, BuildId, FileOffset};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the program is said to have been loaded.
pub const LOAD_ADDRESS: u64 = 0x5555_5555_4000;
/// Samples in the recording.
pub const SAMPLES: usize = 200;
/// Branches in each sample.
pub const BRANCHES: usize = 32;

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
  printf("%ld\n", work(argc > 1 ? atol(argv[1]) : 300000000));
  return 0;
}
"#;

/// Says so in one line and answers true where one of the tools is absent.
pub fn skip_without(tools: &[&str]) -> bool {
    let absent = tools.iter().find(|tool| {
        let mut run = Command::new(tool);
        run.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        run.status().is_err()
    });
    if let Some(tool) = absent {
        println!("skipped: {tool} is not installed");
    }
    absent.is_some()
}

/// Runs a command to its end and gives its standard output; fails the test if the command fails.
pub fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A directory that goes away with the value.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hone-profile-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for the test's files");
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program with one hot loop, built by clang 19 with debug info.
pub struct LoopProgram {
    pub scratch: Scratch,
    pub binary: PathBuf,
    pub build_id: BuildId,
    /// The loop's backward jump and its target, as the ELF file states them.
    pub jump: (u64, u64),
    /// The ELF's executable segment: address, file offset, length.
    pub text: (u64, u64, u64),
}

impl LoopProgram {
    pub fn build(name: &str) -> Self {
        let scratch = Scratch::new(name);
        let source = scratch.path().join("loop.c");
        let binary = scratch.path().join("loop");
        std::fs::write(&source, SOURCE).expect("the source is written");
        output_of(
            Command::new("clang-19")
                .args(["-O1", "-g", "-fdebug-info-for-profiling", "-fno-omit-frame-pointer"])
                .args(["-Wl,--build-id=sha1", "-Wl,-q", "-o"])
                .args([&binary, &source]),
        );
        Self { build_id: build_id(&binary), jump: backward_jump(&binary), text: text(&binary), scratch, binary }
    }

    fn avma(&self, address: u64) -> Avma {
        Avma(LOAD_ADDRESS + address)
    }
}

fn build_id(binary: &Path) -> BuildId {
    let notes = output_of(Command::new("readelf").arg("-n").arg(binary));
    let hex = notes.split("Build ID:").nth(1).expect("a build id").trim();
    BuildId::from_hex(hex.split_whitespace().next().expect("its digits")).expect("hexadecimal")
}

/// The last jump of `work` that goes backwards.
fn backward_jump(binary: &Path) -> (u64, u64) {
    let listing = output_of(
        Command::new("llvm-objdump-19")
            .args(["-d", "--no-show-raw-insn", "--disassemble-symbols=work"])
            .arg(binary),
    );
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let jumps = listing.lines().filter_map(|line| {
        let (address, rest) = line.trim().split_once(':')?;
        let mut words = rest.split_whitespace();
        let jump = words.next().filter(|mnemonic| mnemonic.starts_with('j'))?;
        let _ = jump;
        Some((hex(address)?, hex(words.next()?)?))
    });
    jumps.filter(|(from, to)| to < from).last().expect("a loop in the program")
}

fn text(binary: &Path) -> (u64, u64, u64) {
    let headers = output_of(Command::new("readelf").arg("-lW").arg(binary));
    let line = headers.lines().find(|line| line.contains("LOAD") && line.contains("R E"));
    let words: Vec<&str> = line.expect("an executable segment").split_whitespace().collect();
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number");
    (hex(words[2]), hex(words[1]), hex(words[4]))
}

/// The events of the recording: one, with every field the tools want.
pub fn walk_event() -> EventDescription {
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: 1_000_000,
        is_frequency: false,
        sample_type: sample_type::IP
            | sample_type::TID
            | sample_type::TIME
            | sample_type::CPU
            | sample_type::PERIOD
            | sample_type::CALLCHAIN
            | sample_type::BRANCH_STACK
            | sample_type::IDENTIFIER,
        branch_sample_type: branch_type::USER | branch_type::ANY,
    };
    EventDescription { name: "hone-walk".into(), attr: event.attr(), ids: vec![] }
}

/// The bytes of a recording in which every sample is a run around the loop.
pub fn loop_recording(program: &LoopProgram, events: Vec<EventDescription>) -> Vec<u8> {
    let writer_events = events.len();
    let mut writer = Writer::new(Cursor::new(Vec::new()), events).expect("a valid event");
    let (pid, tid) = (4321, 4321);
    let (address, offset, len) = program.text;
    let page = 0xfff;
    writer.comm(pid, tid, "loop", true, 0).expect("a comm");
    writer
        .mmap2(&Mmap2 {
            pid,
            tid,
            start: program.avma(address & !page),
            len: (len + page) & !page,
            file_offset: FileOffset(offset & !page),
            protection: 5,
            flags: 2,
            device: (8, 1, 1234),
            path: program.binary.to_str().expect("a plain path").into(),
            time_ns: 0,
        })
        .expect("a mapping");
    let (from, to) = (program.avma(program.jump.0), program.avma(program.jump.1));
    let events_count = 2.min(writer_events);
    for index in 0..SAMPLES {
        writer
            .walk_sample(&WalkSample {
                event: index % events_count,
                pid,
                tid,
                cpu: 1,
                ip: to,
                time_ns: 1_000_000 + 1000 * index as u64,
                period: 1_000_000,
                call_chain: &[to],
                branches: &[(from, to); BRANCHES],
            })
            .expect("a sample");
    }
    let features = Features {
        host: "somewhere".into(),
        kernel: "6.1.0".into(),
        arch: "x86_64".into(),
        cpu: "A CPU".into(),
        cpus_online: 2,
        command: vec!["hone".into(), "record".into()],
        build_ids: vec![(program.binary.to_str().expect("a plain path").into(), program.build_id.clone(), false)],
    };
    writer.finish(&features).expect("a whole file").into_inner()
}

/// The recording as a file beside the program.
pub fn write_loop_recording(program: &LoopProgram) -> PathBuf {
    let path = program.scratch.path().join("perf.data");
    std::fs::write(&path, loop_recording(program, vec![walk_event()])).expect("the recording is written");
    path
}
