//! `perf script` text: against perf.data of the same recording, and against damage.

use crate::tools::{Scratch, output_of};
use hone_profile::fuzz::read_perf_script;
use hone_profile::perf_script::{KnownBinary, ScriptError, read, read_with};
use hone_profile::{
    BinaryKind, BranchStacks, FileOffset, Kind, LocationId, Profile, Svma, kind_of, perf_data,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::{by_chance, fixture, has_tools};

fn lbr() -> Option<PathBuf> {
    has_tools(&["perf"]).then(|| fixture("test.lbr"))
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
        assert_eq!(profile.events[0].branches, BranchStacks::Whole);
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

    let fixed = KnownBinary {
        path: "/the/binary".into(),
        build_id: None,
        is_fixed: true,
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
    if !has_tools(&["perf", "awk"]) {
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

/// Tools that place addresses themselves write those in libraries with the build id, in the library's own view.
#[test]
fn addresses_may_have_a_build_id() {
    let text = "\
\t          0x400018
\t0aff:0x2010
 0aff:0x2020/0x400010/P/-/-/1  0xbb:0x9000/0xbb00:0x9010/P/-/-/1  bb00:0x30/0aff:0x2000/P/-/-/1
";
    let known = KnownBinary {
        path: "/lib/own".into(),
        build_id: hone_profile::BuildId::from_hex("0aff"),
        is_fixed: false,
        segments: vec![(Svma(0x2000), 0x1000, FileOffset(0x1000))],
    };
    let profile = read_with(text.as_bytes(), Some(&known)).expect("samples");
    let sample = &profile.samples[0];
    let frames = profile.frames(sample.stack.expect("a stack"));
    let frames: Vec<_> = frames.map(|id| place(&profile, id)).collect();
    let own = |offset| ("/lib/own".to_owned(), BinaryKind::File, offset);
    assert_eq!(frames[1], own(0x1010));
    assert_eq!(
        frames[0].1,
        BinaryKind::Unmapped,
        "the program is not known"
    );
    let branches = profile.branches_of(sample);
    assert_eq!(branches.len(), 2, "one entry is none");
    assert_eq!(place(&profile, branches[0].from), own(0x1020));
    let other = ("bb00".to_owned(), BinaryKind::File, 0x30);
    assert_eq!(place(&profile, branches[1].from), other);
    assert_eq!(place(&profile, branches[1].to), own(0x1000));
}

fn losses_and_frames(text: &str) -> (u64, Vec<usize>) {
    let profile = read(text.as_bytes()).expect("samples");
    let frames = |sample: &hone_profile::Sample| {
        let frames = sample
            .stack
            .map_or(0, |stack| profile.frames(stack).count());
        frames.max(profile.branches_of(sample).len())
    };
    let frames = profile.samples.iter().map(frames).collect();
    (profile.losses.malformed_records, frames)
}

#[test]
fn one_bad_line_costs_its_own_sample() {
    let stack = "a 8/9 0.000003: 5 cycles:u:\n\t   400010 f (/bin/a)\n\t  400018 main (/bin/a)\n";
    let (start, end) = stack.split_at(stack.find("\t  400018").expect("a frame"));
    let branches = " 0x400020/0x400010/M/-/-/1/COND/-  0x400030/0x400010/P/-/-/1\n";
    let symbols = " main+0x20/main+0x10/M/-/-/1  main+0x20/main+0x10/M/-/-/1\n";
    for (text, expected) in [
        (format!("{stack}\nhello\n{stack}\n"), (1, vec![2, 2])),
        (format!("{stack}hello\n{stack}\n"), (1, vec![2, 2])),
        (format!("{start}hello\n{end}\n{stack}\n"), (1, vec![2])),
        (format!("{stack}hello\n{branches}\n{stack}"), (1, vec![2])),
        (
            format!("a 8-9 0.0x hello to everybody\n{end}{branches}\n{stack}"),
            (1, vec![2]),
        ),
        (
            format!("{branches}hello\n{branches}{branches}"),
            (1, vec![2, 2, 2]),
        ),
        (format!("{branches}{symbols}{branches}"), (1, vec![2, 2])),
        (format!("{stack}\n{symbols}\n{branches}"), (1, vec![2, 2])),
    ] {
        assert_eq!(losses_and_frames(&text), expected, "{text}");
    }
    let refused = read(format!("{stack}\n{symbols}").as_bytes()).err();
    assert_eq!(refused, Some(ScriptError::BranchSymbols { line: 5 }));
}

/// The forms that perf prints with call chains where less was asked for.
#[test]
fn headers_without_an_event() {
    let frames = "\t          400010 f (/bin/a)\n\t          400018 main (/bin/a)\n";
    for (header, pid, name) in [
        ("web server ", 0, "web server"),
        ("web server 12345 ", 12345, "web server"),
        ("12345 ", 12345, ""),
        ("12345/12346 ", 12345, ""),
        ("a    2000000 cycles:u: ", 0, "a"),
        ("", 0, ""),
    ] {
        let text = format!("{header}\n{frames}\n{header}\n{frames}");
        let profile = read(text.as_bytes()).expect(header);
        assert_eq!(profile.samples.len(), 2, "{header}");
        assert_eq!(profile.losses.malformed_records, 0, "{header}");
        for sample in &profile.samples {
            let thread = &profile.threads[sample.thread.index()];
            assert_eq!((thread.pid, thread.name.as_str()), (pid, name), "{header}");
            assert_eq!(sample.times, 1, "{header}");
        }
    }
}

/// Lines of the source are of no use here, and no damage.
#[test]
fn source_lines_are_passed_over() {
    let text = "a 8/9 0.000003: 5 cycles:u:\n\t   400010 f (/bin/a)\n  a.c:5\n\t  400018 main (/bin/a)\n  ??:0\n\n";
    assert_eq!(losses_and_frames(text), (0, vec![2]));
}

#[test]
fn aggregated_samples_count_as_often_as_they_say() {
    let map = "PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 08:01 12 0]: r-xp /bin/a\n";
    let branches = " 0x400020/0x400010/M/-/-/1/COND/-  0x400030/0x400010/P/-/-/1\n";
    let of = |text: &str| {
        let text = format!("{map}{text}");
        assert_eq!(kind_of(text.as_bytes()), Kind::PerfScript);
        let profile = read(text.as_bytes()).expect("samples");
        let each = |sample: &hone_profile::Sample| {
            let frames = sample
                .stack
                .map_or(0, |stack| profile.frames(stack).count());
            let branches = profile.branches_of(sample).len();
            (sample.times, sample.weight, frames, branches)
        };
        let samples: Vec<_> = profile.samples.iter().map(each).collect();
        (samples, profile.losses.malformed_records)
    };
    // With the address first, with branches alone, and with a call chain; the last one without a number.
    let plain = format!(
        "12\n           400010 {branches}7\n{branches}5\n\t  400010\n 400018\n{branches}\n{branches}"
    );
    let expected = vec![(12, 12, 0, 2), (7, 7, 0, 2), (5, 5, 2, 2), (1, 1, 0, 2)];
    assert_eq!(of(&plain), (expected, 0));
    // A number too many or too large, and one whose sample is lost.
    let odd =
        format!("5\nhello\n\t  400010\n{branches}{branches}4294967297\n{branches}0\n{branches}3\n");
    let (samples, malformed) = of(&odd);
    assert_eq!(samples, vec![(1, 1, 0, 2); 3]);
    assert_eq!(malformed, 4);
}

#[test]
fn the_header_says_what_branch_stacks_hold() {
    let branches = "a 7 0.1: cycles:u: 400010  0x400020/0x400010/M/-/-/1\n";
    for (said, is_partial) in [
        ("", false),
        (", branch_sample_type = ANY", false),
        (", branch_sample_type = USER|ANY_CALL, x = 1", true),
        (", branch_sample_type = USER|CALL_STACK|NO_FLAGS", true),
    ] {
        let text = format!(
            "# ========\n# event : name = cycles:u, , id = {{ 1 }}, type = 0{said}\n{branches}"
        );
        let profile = read(text.as_bytes()).expect("samples");
        assert_eq!(
            profile.events[0].branches.are_partial(),
            is_partial,
            "{said}"
        );
    }
}

#[test]
fn damaged_text() {
    read_perf_script(TEXT.as_bytes());
    by_chance(|u| {
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
    });
    by_chance(|u| {
        read_perf_script(u.bytes(u.len())?);
        Ok(())
    });
}
