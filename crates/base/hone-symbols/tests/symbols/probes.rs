//! Pseudo probes, against `llvm-profgen-19`, which prints those of every instruction.

use crate::common::{compile, run};
use hone_symbols::{Binary, ProbeKind, Probes};
use object::{Object, ObjectSection};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use testkit::{by_chance, has_tools};

const TOOLS: [&str; 3] = ["clang++-19", "ld.lld-19", "llvm-profgen-19"];
const WITH_PROBES: [&str; 4] = [
    "-g1",
    "-fpseudo-probe-for-profiling",
    "-funique-internal-linkage-names",
    "-fuse-ld=lld",
];

/// Ways to build that change what the section holds.
const BUILDS: [(&str, &[&str]); 4] = [
    ("plain", &[]),
    ("fixed address", &["-fno-pie", "-no-pie"]),
    (
        "a section for each function",
        &["-ffunction-sections", "-Wl,--gc-sections"],
    ),
    ("link-time optimisation", &["-flto=thin"]),
];

/// The probes of each address, as text.
type Listing = BTreeMap<u64, Vec<String>>;

/// What `llvm-profgen` prints: lines of probes before that of their instruction.
fn theirs(path: &Path) -> Listing {
    let output = Command::new("llvm-profgen-19")
        .args([
            "--show-disassembly-only",
            "--show-pseudo-probe",
            "--output=/dev/null",
            "--binary",
        ])
        .arg(path)
        .output()
        .expect("llvm-profgen starts");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (mut listing, mut waiting) = (Listing::new(), Vec::new());
    for line in text.lines() {
        if let Some((_, probe)) = line.split_once("[Probe]:") {
            let probe = probe.split_whitespace().collect::<Vec<_>>().join(" ");
            waiting.push(from_known_call(&probe));
        } else if !waiting.is_empty() {
            let address = line.split(':').next().map(str::trim);
            let address = address.and_then(|text| u64::from_str_radix(text, 16).ok());
            let address = address.unwrap_or_else(|| panic!("no instruction: {line}"));
            listing.insert(address, std::mem::take(&mut waiting));
        }
    }
    sorted(listing)
}

/// A call whose number is lost has number 0. It is printed, but for the profile `llvm-profgen` too lets the
/// stack begin after it.
fn from_known_call(probe: &str) -> String {
    let Some((own, callers)) = probe.split_once(" Inlined: @ ") else {
        return probe.to_owned();
    };
    match callers.rsplit_once(":0 @ ") {
        Some((_, known)) => format!("{own} Inlined: @ {known}"),
        None if callers.ends_with(":0") => own.to_owned(),
        None => probe.to_owned(),
    }
}

/// The same of ours.
fn ours(path: &Path) -> Listing {
    let bytes = std::fs::read(path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let probes = Probes::parse(&binary).unwrap().expect("it has probes");
    assert_eq!(probes.losses().sum(), 0, "{:?}", probes.losses());
    let mut listing = Listing::new();
    for probe in probes.all() {
        let stack = probes.inline_stack(probe);
        let kind = match probe.kind {
            ProbeKind::Block => "Block",
            ProbeKind::IndirectCall => "IndirectCall",
            ProbeKind::DirectCall => "DirectCall",
        };
        let mut text = format!(
            "FUNC: {} Index: {} Type: {kind}",
            stack[0].function.name, probe.id
        );
        let callers = stack[1..].iter().rev();
        let callers: Vec<String> = callers
            .map(|frame| format!("{}:{}", frame.function.name, frame.id))
            .collect();
        if !callers.is_empty() {
            text += &format!(" Inlined: @ {}", callers.join(" @ "));
        }
        listing.entry(probe.svma.0).or_default().push(text);
    }
    sorted(listing)
}

fn sorted(mut listing: Listing) -> Listing {
    listing.values_mut().for_each(|probes| probes.sort());
    listing
}

#[test]
fn every_probe_is_where_llvm_has_it() {
    if !has_tools(&TOOLS) {
        return;
    }
    for (name, flags) in BUILDS {
        let path = compile(&[&WITH_PROBES, flags].concat());
        let listing = compare(&path, name);
        assert!(listing.len() > 50, "{name}: {} addresses", listing.len());
        let all = listing.values().flatten();
        assert!(
            all.filter(|probe| probe.contains(" @ ")).count() > 50,
            "{name}"
        );
    }
}

fn compare(path: &Path, name: &str) -> Listing {
    let (ours, theirs) = (ours(path), theirs(path));
    for (address, probes) in &ours {
        let theirs = theirs.get(address).map_or(&[][..], Vec::as_slice);
        let other = probes
            .iter()
            .zip(theirs)
            .find(|(ours, theirs)| ours != theirs);
        assert_eq!(other, None, "{name}: {address:#x}");
        assert_eq!(probes.len(), theirs.len(), "{name}: {address:#x}");
    }
    assert_eq!(ours.len(), theirs.len(), "{name}");
    ours
}

/// A function with another symbol than its own name has a sentinel before its probes.
#[test]
fn a_promoted_function_keeps_its_probes() {
    if !has_tools(&TOOLS) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("promoted");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    run(Command::new("clang++-19")
        .args(["-O2", "-flto=thin"])
        .args(WITH_PROBES)
        .args([
            sources.join("promoted_main.cpp"),
            sources.join("promoted.cpp"),
        ])
        .arg("-o")
        .arg(&path));
    let listing = compare(&path, "promoted");
    let bytes = std::fs::read(&path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let mut functions = binary.functions().iter();
    let helper = functions.find(|function| function.name.contains(".llvm."));
    let helper = helper.expect("link-time optimisation promoted it");
    let probes: Vec<_> = listing.range(helper.start.0..helper.end.0).collect();
    assert!(
        probes[0].1[0].contains(helper.canonical_name()),
        "{probes:?}"
    );
    assert!(probes.len() > 1, "{probes:?}");
}

/// clang 19 gives addresses in parts of a function that stand elsewhere as if the parts followed each other,
/// and outlined cold parts functions that it does not describe. The first would count other blocks; on the
/// second llvm-profgen 19 crashes.
#[test]
fn probes_without_a_place_are_counted_and_not_used() {
    if !has_tools(&TOOLS) {
        return;
    }
    let losses = |flags: &[&str]| {
        let path = compile(&[&WITH_PROBES, flags].concat());
        let bytes = std::fs::read(&path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let probes = Probes::parse(&binary).unwrap().expect("it has probes");
        for probe in probes.all() {
            assert!(binary.function_at(probe.svma).is_some());
            assert!(!probes.inline_stack(probe).is_empty());
        }
        *probes.losses()
    };
    let blocks = losses(&["-fbasic-block-sections=all"]);
    assert!(
        blocks.outside > 0 && blocks.sum() == blocks.outside,
        "{blocks:?}"
    );
    let split = losses(&[
        "-mllvm",
        "-hot-cold-split",
        "-mllvm",
        "-hotcoldsplit-threshold=0",
    ]);
    assert!(split.without_description > 0, "{split:?}");
    assert_eq!(split.sum(), split.without_description);
}

#[test]
fn a_binary_without_probes_has_none() {
    if !has_tools(&TOOLS) {
        return;
    }
    let bytes = std::fs::read(compile(&["-fuse-ld=lld"])).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    assert!(Probes::parse(&binary).unwrap().is_none());
}

/// Damages only what is between the headers: the two sections.
#[test]
fn damaged_sections_do_not_panic() {
    if !has_tools(&TOOLS) {
        return;
    }
    let whole = std::fs::read(compile(&WITH_PROBES)).unwrap();
    let elf = object::File::parse(&*whole).unwrap();
    let ranges: Vec<_> = [".pseudo_probe_desc", ".pseudo_probe"]
        .iter()
        .filter_map(|name| elf.section_by_name(name)?.file_range())
        .collect();
    assert_eq!(ranges.len(), 2);
    let (mut read, mut refused) = (0, 0);
    by_chance(|u| {
        let mut bytes = whole.clone();
        for _ in 0..u.int_in_range(1..=6)? {
            let &(start, size) = u.choose(&ranges)?;
            // Most damage near the start, where it moves everything behind it.
            let size = if u.ratio(1, 2)? { size.min(400) } else { size };
            let at = start + u.int_in_range(0..=size - 1)?;
            let any = u.arbitrary()?;
            bytes[at as usize] = *u.choose(&[0, 1, 0x7f, 0x80, 0xff, any])?;
        }
        let Ok(binary) = Binary::parse(&bytes) else {
            return Ok(());
        };
        match Probes::parse(&binary) {
            Ok(Some(probes)) => {
                read += 1;
                for probe in probes.all() {
                    assert!(probes.at(probe.svma).contains(probe));
                    assert!(!probes.inline_stack(probe).is_empty());
                }
            }
            Ok(None) => {}
            Err(_) => refused += 1,
        }
        Ok(())
    });
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
