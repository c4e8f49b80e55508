//! What a program ran, by single steps of the CPU (`tests/tracer.c`).

use super::{Builder, Place, run};
use hone_profile::{FileOffset, Profile};
use iced_x86::{Decoder, DecoderOptions};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::Made;

/// Changes with the form of the files that [`record`] writes.
const FORM: &str = "mappings as in /proc, instructions in 9 bytes each";

/// A mapping of the program's file.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) offset: u64,
    pub(crate) executable: bool,
}

/// Every instruction that ran, in order.
pub(crate) struct Trace {
    pub(crate) path: PathBuf,
    pub(crate) mappings: Vec<Mapping>,
    /// (address, length)
    pub(crate) instructions: Vec<(u64, u64)>,
    /// The program's file.
    image: Vec<u8>,
}

impl Trace {
    /// Steps through the program from its entry on, or finds what the tracer said of this very program.
    pub(crate) fn of(path: &Path) -> Self {
        let image = fs::read(path).expect("the program");
        let traced = Made::new("fdo-trace")
            .with_words(&[FORM])
            .with_file(&tracer())
            .with_file(path)
            .by(|directory| record(path, directory));
        let text = fs::read_to_string(traced.join("own mappings")).expect("mappings");
        let mappings = text.lines().map(|line| mapping(line).expect("a mapping"));
        let packed = fs::read(traced.join("packed")).expect("instructions");
        let bytes = zstd::decode_all(&packed[..]).expect("whole instructions");
        let instructions = bytes.chunks_exact(9).map(|bytes| {
            let (address, length) = bytes.split_at(8);
            let address = u64::from_le_bytes(address.try_into().expect("eight bytes"));
            (address, u64::from(length[0]))
        });
        Self {
            path: path.to_owned(),
            mappings: mappings.collect(),
            instructions: instructions.collect(),
            image,
        }
    }

    /// The file offset of an address, if it is the program's own.
    pub(crate) fn offset(&self, address: u64) -> Option<FileOffset> {
        let inside = |mapping: &&Mapping| (mapping.start..mapping.end).contains(&address);
        let mapping = self.mappings.iter().find(inside)?;
        Some(FileOffset(address - mapping.start + mapping.offset))
    }

    /// All taken branches, in order.
    pub(crate) fn branches(&self) -> Vec<(u64, u64)> {
        let pairs = self.instructions.windows(2);
        let taken = pairs.filter(|pair| {
            // A repeated string instruction is traced once for each repetition.
            pair[1].0 != pair[0].0 + pair[0].1 && pair[1].0 != pair[0].0
                || self.jumps_to_the_next(pair[0].0)
        });
        taken.map(|pair| (pair[0].0, pair[1].0)).collect()
    }

    /// Whether it is a jump to the instruction behind it, as linkers leave them between blocks.
    fn jumps_to_the_next(&self, address: u64) -> bool {
        let at = self.offset(address).map(|offset| offset.0 as usize);
        let rest = at.and_then(|at| self.image.get(at..));
        rest.is_some_and(|rest| rest.starts_with(&[0xe9, 0, 0, 0, 0]))
    }

    /// The branches as stacks of `depth` records, newest first.
    ///
    /// As a walk, each stack repeats the newest record of the one before as its oldest.
    pub(crate) fn stacks(&self, depth: usize, is_walk: bool) -> Vec<Vec<(u64, u64)>> {
        let branches = self.branches();
        let overlap = usize::from(is_walk);
        let mut stacks = Vec::new();
        let mut at = 0;
        while at + overlap < branches.len() {
            let end = (at + depth).min(branches.len());
            stacks.push(branches[at..end].iter().rev().copied().collect());
            at = end - if end < branches.len() { overlap } else { 0 };
        }
        stacks
    }

    /// The profile that a recorder would have made of the stacks.
    pub(crate) fn profile(&self, event: &str, depth: usize) -> Profile {
        let mut builder = Builder::new(event, true, self.path.to_str().expect("text"));
        for stack in self.stacks(depth, event == hone_fdo::WALK_EVENT) {
            let stack: Vec<_> = stack
                .iter()
                .map(|&(from, to)| (self.place(from), self.place(to)))
                .collect();
            builder.add_stack(&stack);
        }
        builder.profile
    }

    /// A place of the program, or of another file.
    fn place(&self, address: u64) -> Place {
        match self.offset(address) {
            Some(offset) => Place::Program(offset),
            None => Place::Other(FileOffset(address)),
        }
    }
}

/// The program that steps through others.
fn tracer() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tracer.c");
    let made = Made::new("fdo-tracer")
        .with_tools(&["cc"])
        .with_file(&source);
    let directory = made.by(|directory| {
        run(Command::new("cc")
            .args(["-O2", "-o"])
            .arg(directory.join("tracer"))
            .arg(&source));
    });
    directory.join("tracer")
}

/// Keeps what the tracer says of a program: its own mappings as the kernel prints them, and each instruction's address and length.
fn record(path: &Path, directory: &Path) {
    run(Command::new(tracer()).arg(path).current_dir(directory));
    let read = |name: &str| fs::read(directory.join(name)).expect("the tracer wrote it");
    let mappings = String::from_utf8(read("mappings")).expect("text");
    let end = path.to_str().expect("text");
    let own = mappings.lines().filter(|line| line.ends_with(end));
    let own: Vec<&str> = own.collect();
    assert!(!own.is_empty(), "{end} is not in {mappings}");
    let code = Code(read("code"));
    let mut lengths: HashMap<u64, u8> = HashMap::new();
    let mut bytes = Vec::new();
    for address in read("instructions").chunks_exact(8) {
        let at = u64::from_le_bytes(address.try_into().expect("eight bytes"));
        let length = lengths.entry(at).or_insert_with(|| code.length_at(at));
        bytes.extend_from_slice(address);
        bytes.push(*length);
    }
    for name in ["mappings", "code", "instructions"] {
        fs::remove_file(directory.join(name)).expect("the tracer's file");
    }
    fs::write(directory.join("own mappings"), own.join("\n")).expect("room on the disk");
    let packed = zstd::encode_all(&bytes[..], 1).expect("room in memory");
    fs::write(directory.join("packed"), packed).expect("room on the disk");
}

/// The executable memory of a program, as the tracer writes it.
struct Code(Vec<u8>);

impl Code {
    /// Bytes of the instruction at an address.
    fn length_at(&self, address: u64) -> u8 {
        let mut rest = &self.0[..];
        while !rest.is_empty() {
            let (start, size) = (number(&rest[..8]), number(&rest[8..16]) as usize);
            let (piece, next) = rest[16..].split_at(size);
            if let Some(at) = address.checked_sub(start).filter(|at| *at < size as u64) {
                let bytes = &piece[at as usize..];
                let instruction =
                    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
                assert!(!instruction.is_invalid(), "{address:#x} ran");
                return instruction.len() as u8;
            }
            rest = next;
        }
        panic!("{address:#x} ran and was not there at the program's entry");
    }
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

fn mapping(line: &str) -> Option<Mapping> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = fields[0].split_once('-')?;
    Some(Mapping {
        start: number(start)?,
        end: number(end)?,
        offset: number(fields[2])?,
        executable: fields[1].contains('x'),
    })
}
