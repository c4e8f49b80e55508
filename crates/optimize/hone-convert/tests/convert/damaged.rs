//! Damage: one line that says what is wrong and one that says what to do, or what is left is converted and the loss told; never
//! a panic.

use std::fs;

use hone_convert::Form;
use hone_profile::pprof::{Function, Line, Location, Pprof, Sample, write};
use testkit::recorded;

use crate::common::{Case, first_count, jumps, program, refusal};

/// Where a perf.data header says where its records stand: offset and length.
const DATA_SECTION: (usize, usize) = (40, 48);

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Issue of hostile binaries: one line and a next step, whatever is wrong in them; never a panic.
#[test]
fn damaged_binaries_are_refused_in_one_line_or_read() {
    let (mut case, steps) = (Case::of("steps"), program("steps"));
    jumps(&steps, 20).write(&case.path("p.data"));
    case.binary = case.path("damaged");
    let whole = steps.bytes();
    let sections = word(whole, 40) as usize;
    // Deterministic damage: every word of the file header, of some program headers and of some section headers.
    let words = (16..64).step_by(8).chain((64..400).step_by(24));
    let words = words.chain((sections..whole.len() - 8).step_by(40));
    for at in words {
        for value in [0, u64::MAX, 1 << 40] {
            let mut damaged = whole.to_vec();
            damaged[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
            case.write("damaged", &damaged);
            for form in [Form::AutofdoText, Form::BoltFdata] {
                let converted = case.try_convert("p.data", form);
                if converted.is_err() {
                    refusal(converted);
                }
            }
        }
    }
    for len in [0, 3, 63, 64, whole.len() / 3] {
        case.write("damaged", &whole[..len]);
        let refused = case.refused("p.data", Form::AutofdoText);
        assert!(refused.contains("damaged"), "{refused}");
    }
}

/// Issue of sections without bytes: a reason, and never an empty profile.
#[test]
fn sections_of_no_length_are_a_reason_and_no_empty_profile() {
    let (mut case, steps) = (Case::of("steps"), program("steps"));
    jumps(&steps, 20).write(&case.path("p.data"));
    case.binary = case.path("damaged");
    for (name, form, expected) in [
        (".debug_info", Form::AutofdoText, "no debug info"),
        (".debug_line", Form::AutofdoText, "DWARF"),
        (".debug_abbrev", Form::AutofdoText, "DWARF"),
        (".symtab", Form::BoltFdata, "stripped"),
        (".strtab", Form::BoltFdata, "stripped"),
        (".text", Form::BoltFdata, "no names for the code that ran"),
        (".text", Form::SymbolOrder, "no names for the code that ran"),
        (".text", Form::Text, "no names for the code that ran"),
    ] {
        let mut damaged = steps.bytes().to_vec();
        let header = section_header(&damaged, name);
        damaged[header + 32..header + 40].fill(0);
        case.write("damaged", damaged);
        let refused = case.refused("p.data", form);
        assert!(refused.contains(expected), "{name}: {refused}");
    }
}

/// Where the header of a section stands in the file.
fn section_header(file: &[u8], name: &str) -> usize {
    let half = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let (start, size, count, names) = (word(file, 40) as usize, half(58), half(60), half(62));
    let headers = (0..count).map(|index| start + index * size);
    let strings = word(file, start + names * size + 24) as usize;
    let wanted = [name.as_bytes(), b"\0"].concat();
    let is_it = |&at: &usize| {
        let name = strings + u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        file[name..].starts_with(&wanted)
    };
    headers.into_iter().find(is_it).expect(name)
}

/// Issue of truncated files: a recording cut short was converted as if it were whole.
#[test]
fn a_recording_that_was_cut_short_says_so() {
    let case = Case::of("filters");
    let whole = fs::read(recorded("filters-walk.data")).unwrap();
    case.write("whole.data", &whole);
    case.write("cut.data", &whole[..whole.len() / 2]);
    let (profile, said) = case.convert("cut.data", Form::AutofdoText);
    assert!(profile.contains("_ZN3Mul3runEj:"), "{profile}");
    assert!(said.contains("cut short"), "{said}");
    assert!(said.contains("note: Copy the recording again"), "{said}");
    let (_, said) = case.convert("whole.data", Form::AutofdoText);
    assert!(!said.contains("cut short"), "{said}");
    let table = case.profile("cut.data", Form::Text);
    assert!(table.contains("cut short"), "{table}");
    case.write("head.data", &whole[..60]);
    let refused = case.refused("head.data", Form::AutofdoText);
    assert!(refused.contains("head.data: the header"), "{refused}");
}

/// "Record for longer" was said of a file that was damaged.
#[test]
fn a_corrupt_record_is_named_by_its_byte() {
    let (case, steps) = (Case::of("steps"), program("steps"));
    let mut bytes = jumps(&steps, 3).bytes();
    let (data, len) = (
        word(&bytes, DATA_SECTION.0) as usize,
        word(&bytes, DATA_SECTION.1) as usize,
    );
    let at_byte = format!("corrupt at byte {data}");
    let mut empty = bytes.clone();
    empty[data + 6..data + 8].fill(0);
    case.write("empty", &empty);
    let refused = case.refused("empty", Form::BoltFdata);
    assert!(refused.contains(&at_byte), "{refused}");
    // Only what stands before it counts: the samples are the last and of one length.
    let sample = length_of_last(&bytes, data, len);
    let last = data + len - sample;
    bytes[last + 6..last + 8].fill(0);
    case.write("last", &bytes);
    let (profile, said) = case.convert("last", Form::AutofdoText);
    assert_eq!(first_count(&profile, "turn"), Some("2"), "{profile}");
    assert!(said.contains(&format!("corrupt at byte {last}")), "{said}");
    // A recorder that was killed did not write how long the records are.
    bytes[DATA_SECTION.1..DATA_SECTION.1 + 8].fill(0);
    bytes.truncate(last);
    case.write("killed", &bytes);
    let (_, said) = case.convert("killed", Form::AutofdoText);
    assert!(said.contains("did not finish its header"), "{said}");
    bytes.truncate(data);
    case.write("nothing", &bytes);
    let refused = case.refused("nothing", Form::AutofdoText);
    assert!(refused.contains("did not finish the header"), "{refused}");
}

/// The length of the last of the records.
fn length_of_last(bytes: &[u8], data: usize, len: usize) -> usize {
    let (mut at, mut last) = (data, 0);
    while at < data + len {
        last = usize::from(u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]));
        at += last;
    }
    last
}

/// A recording that gzip has packed, or its first words.
pub(crate) const PACKED: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x0b\x70\x0d\x72\xf3\xf4\x71\x35\x52\x48\xcc\x4b\x51\x28\xcf\x48\x2c\x51\x48\xcb\xcf\xc9\xc9\x2f\x2f\x06\x00\xad\xdf\x31\x0e\x19\x00\x00\x00";

#[test]
fn packed_and_early_recordings_are_known_as_such() {
    let case = Case::of("steps");
    for (bytes, parts) in [
        (PACKED, ["compressed with gzip", "gunzip "]),
        (b"\x28\xb5\x2f\xfd....", ["zstd", "unzstd "]),
        (b"\xfd7zXZ\0....", ["xz", "unxz "]),
        (
            b"PERFFILE\x68\0\0\0\0\0\0\0",
            ["before 2012", "perf script"],
        ),
        (b"2ELIFREP\0\0\0\0\0\0\0\x68", ["big-endian", "perf script"]),
        (b"not a recording", ["perf.data", "r: "]),
        (b"", ["r: ", "next: "]),
    ] {
        case.write("r", bytes);
        let refused = case.refused("r", Form::BoltFdata);
        for part in parts {
            assert!(refused.contains(part), "{part}: {refused}");
        }
    }
    let refused = case.refused("", Form::BoltFdata);
    assert!(
        refused.contains("not one that perf record --threads makes"),
        "{refused}"
    );
}

/// Names alone are enough to look at a recording, and nothing to convert.
#[test]
fn names_without_addresses_are_refused() {
    let case = Case::of("steps");
    let mut made = Pprof::default();
    made.value_types = vec![made.value_type("cpu", "nanoseconds")];
    let name = made.intern("main");
    made.functions.push(Function {
        name,
        ..Function::default()
    });
    made.locations.push(Location {
        lines: vec![Line {
            function: 0,
            line: 1,
        }],
        ..Location::default()
    });
    made.samples.push(Sample {
        stack: vec![0],
        values: vec![5],
        labels: Vec::new(),
    });
    case.write("names.pprof", write(&made).unwrap());
    case.write("a.folded", "main;f 5\n");
    for (name, expected) in [
        ("names.pprof", "its locations have no addresses, only names"),
        ("a.folded", "it has names of functions, and no addresses"),
    ] {
        let refused = case.refused(name, Form::BoltFdata);
        assert!(refused.contains(expected), "{refused}");
    }
}
