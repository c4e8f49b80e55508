//! pprof: against Go's own reader and writer, and against damage.

use crate::tools::{Scratch, output_of, text_of};
use hone_profile::fuzz::read_pprof;
use hone_profile::limits::{LABEL_BYTES_MAX, LABELS_MAX};
use hone_profile::pprof::{
    Function, Label, Line, Location, Mapping, Pprof, PprofError, Sample, parse, read, write,
};
use hone_profile::{BinaryKind, Kind, Profile, kind_of};
use std::path::Path;
use std::process::Command;
use testkit::{by_chance, go};

/// A small profile that has one of everything.
fn sample_profile() -> Pprof {
    let mut table = Pprof::default();
    table.value_types = vec![
        table.value_type("samples", "count"),
        table.value_type("cpu", "nanoseconds"),
    ];
    table.period_type = table.value_type("cpu", "nanoseconds");
    table.period = 10_000_000;
    table.duration_ns = 5;
    let file = table.intern("/bin/server");
    let build_id = table.intern("0aff");
    table.mappings.push(Mapping {
        start: 0x400000,
        limit: 0x500000,
        file_offset: 0x1000,
        file,
        build_id,
        has_functions: true,
        has_lines: true,
    });
    for (name, start_line) in [("main.leaf", 10), ("main.inlined", 20), ("main.main", 30)] {
        let name = table.intern(name);
        let file = table.intern("/src/main.go");
        table.functions.push(Function {
            name,
            system_name: name,
            file,
            start_line,
        });
    }
    let line = |function, line| Line { function, line };
    table.locations = vec![
        Location {
            mapping: Some(0),
            address: 0x400010,
            lines: vec![line(0, 11)],
        },
        Location {
            mapping: Some(0),
            address: 0x400020,
            lines: vec![line(1, 22), line(2, 33)],
        },
    ];
    let labels = [("service", "Shop"), ("method", "find all")];
    table.samples = vec![Sample {
        stack: vec![0, 1],
        values: vec![3, 30_000_000],
        labels: labels.map(|label| label_of(&mut table, label)).to_vec(),
    }];
    let remark = table.intern("a remark");
    table.comments.push(remark);
    table
}

fn label_of(table: &mut Pprof, (key, value): (&str, &str)) -> Label {
    Label {
        key: table.intern(key),
        value: table.intern(value),
    }
}

#[test]
fn what_is_written_is_read_back() {
    let table = sample_profile();
    let bytes = write(&table).expect("room in memory");
    assert_eq!(kind_of(&bytes), Kind::Pprof);
    let again = parse(&bytes).expect("a profile");
    let [sample, written] = [&again, &table].map(|table| &table.samples[0]);
    assert_eq!(
        (&sample.stack, &sample.values),
        (&written.stack, &written.values)
    );
    assert_eq!(again.locations, table.locations);
    assert_eq!(again.period, table.period);
    assert_eq!(again.text(again.comments[0]), "a remark");
    assert_eq!(again.text(again.functions[1].name), "main.inlined");
    assert_eq!(again.functions[1].start_line, 20);

    let profile = read(&bytes).expect("a profile");
    assert_eq!(
        profile.events[0].name, "cpu/nanoseconds",
        "not the first, but time"
    );
    assert_eq!(profile.samples[0].weight, 30_000_000);
    assert_eq!(profile.samples[0].times, 3);
    let stack: Vec<_> = profile
        .frames(profile.samples[0].stack.expect("a stack"))
        .map(|id| profile.location(id).offset.0)
        .collect();
    assert_eq!(
        stack,
        [0x1010, 0x1021],
        "a caller's place is after the call"
    );
    let binary = &profile.binaries[0];
    assert_eq!(
        (binary.path.as_str(), binary.kind),
        ("/bin/server", BinaryKind::File)
    );
    assert_eq!(binary.build_id, hone_profile::BuildId::from_hex("0aff"));
}

/// Weights of the samples with their labels.
fn by_labels(profile: &Profile) -> Vec<(String, u64)> {
    let samples = profile.samples.iter().map(|sample| {
        let labels = &profile.threads[sample.thread.index()].labels;
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        (labels.join(" "), sample.weight)
    });
    samples.collect()
}

#[test]
fn samples_keep_their_labels_and_sets_are_told_apart() {
    let mut table = sample_profile();
    let [shop, find] = [("service", "Shop"), ("method", "find")];
    for (weight, labels) in [
        (1, &[shop, find][..]),
        (2, &[find, shop, find]),
        (4, &[shop]),
        (8, &[]),
    ] {
        let labels = labels.iter().map(|&label| label_of(&mut table, label));
        let labels = labels.collect();
        let (stack, values) = (vec![0], vec![1, weight]);
        table.samples.push(Sample {
            stack,
            values,
            labels,
        });
    }
    let bytes = write(&table).expect("room in memory");
    let again = parse(&bytes).expect("a profile");
    assert_eq!(again.losses, Default::default());
    let texts = |table: &Pprof, sample: usize| -> Vec<String> {
        let labels = table.samples[sample].labels.iter();
        labels
            .flat_map(|label| [label.key, label.value])
            .map(|text| table.text(text).to_owned())
            .collect()
    };
    for sample in 0..table.samples.len() {
        assert_eq!(texts(&again, sample), texts(&table, sample));
    }
    let profile = read(&bytes).expect("a profile");
    let expected = [
        ("method=\"find all\" service=Shop", 30_000_000),
        ("method=find service=Shop", 1),
        ("method=find service=Shop", 2),
        ("service=Shop", 4),
        ("", 8),
    ];
    assert_eq!(
        by_labels(&profile),
        expected.map(|(labels, weight)| (labels.to_owned(), weight))
    );
    let threads = profile.samples.iter().map(|sample| sample.thread.index());
    assert_eq!(threads.collect::<Vec<_>>(), [0, 1, 1, 2, 3]);
}

#[test]
fn labels_that_are_numbers_or_beyond_the_limits_are_counted() {
    let mut table = sample_profile();
    let long = "x".repeat(LABEL_BYTES_MAX);
    let longer = format!("{long}x");
    let mut labels = vec![
        ("long", long.clone()),
        ("longer", longer.clone()),
        (&longer, "1".into()),
    ];
    labels.extend((0..LABELS_MAX).map(|number| ("n", number.to_string())));
    let labels = labels
        .iter()
        .map(|(key, value)| label_of(&mut table, (key, value)));
    table.samples[0].labels = labels.collect();
    let mut bytes = unpacked(&write(&table).expect("room in memory"));
    // A sample at location 1 with two values and the labels {key: text 1, number: 5} and {key: text 1}.
    let sample = [
        0x0a, 1, 1, 0x12, 2, 1, 1, 0x1a, 4, 0x08, 1, 0x18, 5, 0x1a, 2, 0x08, 1,
    ];
    bytes.extend([0x12, sample.len() as u8]);
    bytes.extend(sample);
    let again = parse(&bytes).expect("a profile");
    assert_eq!(again.losses.labels, 2 + 1 + 2);
    let kept: Vec<usize> = again
        .samples
        .iter()
        .map(|sample| sample.labels.len())
        .collect();
    assert_eq!(kept, [LABELS_MAX, 0]);
    assert_eq!(again.text(again.samples[0].labels[0].value), long);
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    use std::io::Read;
    let mut bare = Vec::new();
    flate2::read::GzDecoder::new(bytes)
        .read_to_end(&mut bare)
        .expect("our own stream");
    bare
}

/// Functions of a sample's stack, leaf first; calls inlined into a function before it, joined by `<`.
fn own_names(profile: &Profile) -> Vec<String> {
    let stack = profile.samples[0].stack.expect("a stack");
    let frames = profile.frames(stack).map(|location| {
        let names = profile.own_names(location);
        let names = names.map(|name| format!("{}:{}", name.function, name.line));
        names.collect::<Vec<_>>().join("<")
    });
    frames.collect()
}

#[test]
fn names_are_kept_beside_addresses_and_alone() {
    let mut table = sample_profile();
    let expected = ["main.leaf:11", "main.inlined:22<main.main:33"];
    let profile = table.to_profile().expect("a profile");
    assert_eq!(own_names(&profile), expected);
    assert!(profile.locations().iter().all(|place| place.has_address()));

    for location in &mut table.locations {
        location.address = 0;
    }
    let bytes = write(&table).expect("room in memory");
    let profile = read(&bytes).expect("a profile");
    assert_eq!(own_names(&profile), expected);
    assert!(profile.locations().iter().all(|place| !place.has_address()));
    assert_eq!(profile.binaries[0].path, "/bin/server");
    for location in &mut table.locations {
        location.mapping = None;
    }
    let profile = table.to_profile().expect("a profile");
    assert_eq!(own_names(&profile), expected);
    assert_eq!(profile.binaries[0].path, "[unknown]");

    for location in &mut table.locations {
        location.lines.clear();
    }
    let profile = table.to_profile().expect("a profile");
    assert_eq!(profile.losses.unmapped_addresses, 2);
    assert_eq!(read(b"").err(), Some(PprofError::Empty));
    assert!(matches!(read(&bytes[..40]), Err(PprofError::Gzip(_))));
}

/// `perf` and others write the events between two samples beside the number of samples.
#[test]
fn samples_weigh_what_was_counted_between_them() {
    let mut table = sample_profile();
    table.value_types[1] = table.value_type("cycles", "count");
    table.period_type = table.value_types[1];
    let profile = table.to_profile().expect("a profile");
    assert_eq!(profile.events[0].name, "cycles/count");
    assert_eq!(
        (profile.samples[0].times, profile.samples[0].weight),
        (3, 30_000_000)
    );
    table.period_type = table.value_type("wall", "nanoseconds");
    let profile = table.to_profile().expect("a profile");
    assert_eq!(profile.events[0].name, "samples/count");
}

#[test]
fn go_reads_what_is_written() {
    let Some(go) = go() else {
        return;
    };
    let scratch = Scratch::new();
    let bytes = write(&sample_profile()).expect("room in memory");
    let path = scratch.file("profile.pb.gz", &bytes);
    let raw = text_of(Command::new(go).args(["tool", "pprof", "-raw"]).arg(path));
    for fact in [
        "PeriodType: cpu nanoseconds",
        "samples/count cpu/nanoseconds",
        "          3   30000000: 1 2",
        " method:[find all] service:[Shop]\n",
        "0x400010 M=1 main.leaf /src/main.go:11:0 s=10",
        "0x400020 M=1 main.inlined /src/main.go:22:0 s=20",
        "main.main /src/main.go:33:0 s=30",
        "0x400000/0x500000/0x1000 /bin/server 0aff [FN]",
    ] {
        assert!(raw.contains(fact), "{fact:?} is not in\n{raw}");
    }
}

const GO_PROGRAM: &str = r#"
package main

import (
	"os"
	"runtime/pprof"
)

//go:noinline
func work(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += i % 7
	}
	return
}

func main() {
	file, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(file)
	sum := 0
	for i := 0; i < 3000; i++ {
		sum += work(100000)
	}
	pprof.StopCPUProfile()
	file.Close()
	println(sum)
}
"#;

#[test]
fn a_profile_of_gos_runtime_is_read() {
    let Some(go) = go() else {
        return;
    };
    let scratch = Scratch::new();
    let source = scratch.file("main.go", GO_PROGRAM.as_bytes());
    let (program, profile) = (scratch.path().join("p"), scratch.path().join("cpu.pprof"));
    let build = ["build", "-o"];
    output_of(
        Command::new(&go)
            .args(build)
            .args([&program, &source])
            .env("GOFLAGS", "-mod=mod"),
    );
    output_of(Command::new(&program).arg(&profile));
    let bytes = std::fs::read(&profile).expect("the program wrote it");
    assert_eq!(kind_of(&bytes), Kind::Pprof);
    let table = parse(&bytes).expect("a profile");
    let work = table
        .functions
        .iter()
        .find(|f| table.text(f.name) == "main.work");
    assert_eq!(work.expect("it ran").start_line, 10);
    assert_eq!(table.losses.malformed_entries, 0);
    let raw = text_of(
        Command::new(&go)
            .args(["tool", "pprof", "-raw"])
            .arg(&profile),
    );
    let theirs = |mark: &str| raw.lines().filter(|line| line.contains(mark)).count();
    assert_eq!(theirs(" M=1 "), table.locations.len());

    let profile = read(&bytes).expect("places");
    assert_eq!(profile.events[0].name, "cpu/nanoseconds");
    let weight: u64 = profile.samples.iter().map(|sample| sample.weight).sum();
    let own = |sample: &&hone_profile::Sample| {
        let binary = profile.location(sample.ip).binary;
        Path::new(&profile.binary(binary).path).file_name() == program.file_name()
    };
    let in_program: u64 = profile.samples.iter().filter(own).map(|s| s.weight).sum();
    assert!(in_program * 10 > weight * 9, "{in_program} of {weight}");
}

#[test]
fn damaged_profiles() {
    let packed = write(&sample_profile()).expect("room in memory");
    read_pprof(&packed);
    let bare = unpacked(&packed);
    assert_eq!(kind_of(&bare), Kind::Pprof);
    read_pprof(&bare);
    by_chance(|u| {
        let mut bytes = u.choose(&[packed.clone(), bare.clone()])?.clone();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => bytes[at] = *u.choose(&[0, 1, 0x7f, 0x80, 0xff, 0x12, 0x22])?,
                2 => bytes.truncate(at + 1),
                _ => {
                    let from = u.choose_index(bytes.len())?;
                    let piece = bytes[from..(from + 24).min(bytes.len())].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        read_pprof(&bytes);
        Ok(())
    });
    by_chance(|u| {
        read_pprof(u.bytes(u.len())?);
        Ok(())
    });
}
