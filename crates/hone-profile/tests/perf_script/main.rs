//! `perf script` text: against perf.data of the same recording, and against damage.

#[allow(dead_code, reason = "each test uses its own part")]
#[path = "../perf_data/tools.rs"]
mod tools;

use arbtest::arbtest;
use hone_profile::fuzz::read_perf_script;
use hone_profile::perf_script::{FixedBinary, ScriptError, read, read_with};
use hone_profile::{BinaryKind, FileOffset, Kind, LocationId, Profile, Svma, kind_of, perf_data};
use std::path::{Path, PathBuf};
use std::process::Command;
use tools::{Scratch, output_of, skip_without};

fn lbr() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/lbr/test.lbr");
    if !path.exists() {
        println!("skipped: {} is absent", path.display());
        return None;
    }
    (!skip_without(&["perf"])).then_some(path)
}

fn script(recording: &Path, options: &[&str]) -> Vec<u8> {
    output_of(
        Command::new("perf")
            .arg("script")
            .args(options)
            .arg("-i")
            .arg(recording),
    )
}

fn place(profile: &Profile, id: LocationId) -> (String, BinaryKind, u64) {
    let location = profile.location(id);
    let binary = profile.binary(location.binary);
    (binary.path.clone(), binary.kind, location.offset.0)
}

/// Everything of the samples that text can hold.
fn assert_same_samples(text: &Profile, data: &Profile) {
    assert_eq!(text.samples.len(), data.samples.len());
    for (ours, theirs) in text.samples.iter().zip(&data.samples) {
        assert_eq!(place(text, ours.ip), place(data, theirs.ip));
        let branches = |profile: &Profile, sample| -> Vec<_> {
            let all = profile.branches_of(sample).iter();
            let ends = |b: &hone_profile::BranchRecord| {
                (place(profile, b.from), place(profile, b.to), b.mispredicted)
            };
            all.map(ends).collect()
        };
        assert_eq!(branches(text, ours), branches(data, theirs));
        let frames = |profile: &Profile, stack: Option<_>| -> Vec<_> {
            let all = stack.into_iter().flat_map(|stack| profile.frames(stack));
            all.map(|id| place(profile, id)).collect()
        };
        assert_eq!(frames(text, ours.stack), frames(data, theirs.stack));
    }
}

#[test]
fn the_same_branches_as_in_perf_data() {
    let Some(path) = lbr() else {
        return;
    };
    let data = perf_data::read(&std::fs::read(&path).expect("the fixture")).expect("a recording");
    for fields in [
        "pid,tid,time,event,ip,brstack",
        "comm,tid,time,period,event,ip,sym,dso,brstack",
        "pid,brstack",
        "ip,brstack",
    ] {
        let text = script(&path, &["--show-mmap-events", "-F", fields]);
        assert_eq!(kind_of(&text), Kind::PerfScript, "{fields}");
        let profile = read(&text).expect(fields);
        assert_eq!(profile.losses.unmapped_addresses, 0, "{fields}");
        assert!(profile.events[0].has_branches);
        if fields.contains("ip") {
            assert_same_samples(&profile, &data);
        }
        if fields.contains("period") {
            let sample = &profile.samples[0];
            let thread = &profile.threads[sample.thread.index()];
            assert_eq!(sample.weight, 500_000);
            assert_eq!(profile.events[0].name, "br_inst_exec:taken");
            assert_eq!((thread.tid, thread.name.as_str()), (25532, "test.binary"));
            // perf prints microseconds.
            assert_eq!(sample.time_ns / 1000, data.samples[0].time_ns / 1000);
        }
    }
}

#[test]
fn what_gives_no_addresses_is_refused() {
    let Some(path) = lbr() else {
        return;
    };
    let print = |fields| read(&script(&path, &["--show-mmap-events", "-F", fields]));
    assert!(matches!(
        print("ip,brstacksym"),
        Err(ScriptError::BranchSymbols { .. })
    ));
    assert!(matches!(
        print("ip,brstackoff"),
        Err(ScriptError::BranchOffsets { .. })
    ));
}

#[test]
fn without_mappings_a_fixed_binary_is_enough() {
    let Some(path) = lbr() else {
        return;
    };
    let text = script(&path, &["-F", "ip,brstack"]);
    let unmapped = read(&text).expect("samples");
    assert!(unmapped.losses.unmapped_addresses > 0);
    let is_file = |binary: &hone_profile::Binary| binary.kind == BinaryKind::File;
    assert!(!unmapped.binaries.iter().any(is_file));

    let fixed = FixedBinary {
        path: "/the/binary".into(),
        build_id: None,
        segments: vec![(Svma(0x400000), 0x100000, FileOffset(0))],
    };
    let mapped = read_with(&text, Some(&fixed)).expect("samples");
    assert!(mapped.binaries.iter().any(|b| b.path == "/the/binary"));
    let with_mappings = script(&path, &["--show-mmap-events", "-F", "ip,brstack"]);
    let not_needed = read_with(&with_mappings, Some(&fixed)).expect("samples");
    assert!(!not_needed.binaries.iter().any(|b| b.path == "/the/binary"));
}

#[test]
fn the_same_call_chains_as_in_perf_data() {
    if skip_without(&["perf", "awk"]) {
        return;
    }
    let scratch = Scratch::new();
    let path = scratch.path().join("perf.data");
    let mut record = Command::new("perf");
    record
        .args(["record", "-q", "-g", "-e", "cpu-clock:u", "-o"])
        .arg(&path);
    record.args([
        "--",
        "awk",
        "BEGIN { for (i = 0; i < 3000000; i++) s += i % 7 }",
    ]);
    if !record
        .status()
        .expect("perf was there a moment ago")
        .success()
    {
        println!("skipped: perf cannot record here");
        return;
    }
    let data = perf_data::read(&std::fs::read(&path).expect("a file")).expect("a recording");
    assert!(data.samples.len() > 20, "{} samples", data.samples.len());
    let options = ["--show-mmap-events", "--show-task-events", "--ns", "-F"];
    let fields = "comm,pid,tid,time,period,event,ip,sym,dso";
    let text = script(&path, &[&options[..], &[fields]].concat());
    let profile = read(&text).expect("samples");
    assert_same_samples(&profile, &data);
    for (ours, theirs) in profile.samples.iter().zip(&data.samples) {
        assert_eq!((ours.time_ns, ours.weight), (theirs.time_ns, theirs.weight));
    }
    let without_files = script(&path, &["--show-mmap-events", "-F", "pid,ip"]);
    let read = read(&without_files);
    assert!(
        matches!(read, Err(ScriptError::FrameOffsets { .. })),
        "{read:?}"
    );
}

const TEXT: &str = "\
# ========
# hostname : somewhere
# os release : 6.1.0
a 7 0.000000: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 08:01 12 0]: r-xp /bin/a
a 7 0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1000) @ 0]: x [kernel.kallsyms]_text
a 7 0.000001: PERF_RECORD_FORK(8:8):(7:7)
a 7/7 0.000002: 5 cycles:u: 400010 main+0x1 (/bin/a)  0x400020/0x400010/M/-/-/1/COND/-  0x400030/0xffffffff81000010/P/-/-/1
a 8/9 0.000003: 5 cycles:u:
\t          400010 leaf (/bin/a)
\t          400018 outer (inlined)
\t          400018 main (/bin/a)

a 8/8 0.000004: PERF_RECORD_LOST lost 3
";

#[test]
fn every_kind_of_line_is_understood() {
    let profile = read(TEXT.as_bytes()).expect("samples");
    assert_eq!(profile.meta.host, "somewhere");
    assert_eq!(profile.meta.kernel, "6.1.0");
    assert_eq!(profile.losses.lost_samples, 3);
    assert_eq!(profile.losses.unmapped_addresses, 0);
    assert_eq!(profile.samples.len(), 2);
    let branches = profile.branches_of(&profile.samples[0]);
    assert!(branches[0].mispredicted && !branches[1].mispredicted);
    let kernel = profile.location(branches[1].to);
    assert_eq!(profile.binary(kernel.binary).path, "[kernel.kallsyms]");
    let stack = profile.samples[1].stack.expect("a stack");
    assert_eq!(
        profile.frames(stack).count(),
        2,
        "the inlined frame is no call"
    );
    let bare = "          401136\n          401140\n";
    assert_eq!(read(bare.as_bytes()).expect("samples").samples.len(), 2);
    assert_eq!(read(b"").err(), Some(ScriptError::Empty));
    assert_eq!(read(b"hello\n").err(), Some(ScriptError::NoSamples));
}

#[test]
fn damaged_text() {
    read_perf_script(TEXT.as_bytes());
    arbtest(|u| {
        let mut bytes = TEXT.as_bytes().to_vec();
        for _ in 0..u.int_in_range(1..=8)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => bytes[at] = *u.choose(b" \t\n0f:/.-()[]")?,
                2 => {
                    let end = (at + u.int_in_range(1..=40)?).min(bytes.len());
                    bytes.drain(at..end);
                    bytes.push(b'\n');
                }
                _ => {
                    let from = u.choose_index(bytes.len())?;
                    let piece = bytes[from..(from + 40).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        read_perf_script(&bytes);
        Ok(())
    })
    .budget_ms(3_000);
    arbtest(|u| {
        read_perf_script(u.bytes(u.len())?);
        Ok(())
    })
    .budget_ms(1_000);
}
