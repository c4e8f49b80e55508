//! Which source lines spend their samples in vector arithmetic, and which no longer do under another build.
//!
//! Inlining and a profile's trip counts can cost a hot loop its vectorisation, which no total shows. Plain samples of
//! both builds do: a line whose samples fell into loops of packed arithmetic and now fall into none has lost it. Which
//! instruction of a loop a sample falls on is the CPU's choice, and some CPUs choose the same one always, so a sample
//! in a loop counts for each line of the loop. Moves and shuffles, which scalar code has too, are no arithmetic.

use std::collections::{BTreeMap, HashMap};

use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, demangle};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};

use crate::counts::Counts;

/// A line is hot from this share of its binary's samples on.
const HOT_SHARE: f64 = 0.01;
/// Fewer samples than this of a line say nothing.
const SAMPLES_MIN: f64 = 20.0;
/// A line counts as vectorised from this share of packed arithmetic on, since a loop also loads, stores and counts ...
const VECTORISED_SHARE: f64 = 0.2;
/// ... and as not vectorised below this one.
const SCALAR_SHARE: f64 = 0.02;
/// The longest instruction.
const INSTRUCTION_BYTES_MAX: u64 = 15;
/// Instructions from a sample on that are looked at: longer loops are rarely hot.
const INSTRUCTIONS_MAX: usize = 256;
/// What packed arithmetic is called, without the V of AVX.
const FLOAT: [&str; 10] = [
    "add", "sub", "mul", "div", "max", "min", "sqrt", "fmadd", "fmsub", "fnmadd",
];
const INTEGER: [&str; 14] = [
    "padd", "psub", "pmul", "pmadd", "pmax", "pmin", "pabs", "psad", "pavg", "pcmp", "psll",
    "psrl", "psra", "pand",
];

/// The samples of one source line: those in loops that it is a part of, and those on itself elsewhere.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineWork {
    /// The innermost function there.
    pub function: String,
    /// Share of the binary's samples.
    pub share: f64,
    /// Of these, the share in loops where the line does packed arithmetic.
    pub packed: f64,
    /// How many samples `share` stands for.
    pub samples: f64,
    /// The loops where it does, by their first instruction, with how many such instructions it has there.
    pub packed_loops: BTreeMap<Svma, usize>,
}

/// The samples of a binary's lines, by file and line.
pub type Lines = BTreeMap<(String, u32), LineWork>;

/// A hot line that was vectorised.
#[derive(Clone, PartialEq, Debug)]
pub struct Lost {
    /// The source file.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// The innermost function there.
    pub function: String,
    /// Its share of the binary's samples then and now.
    pub shares: [f64; 2],
}

/// Adds up plain samples by source line.
pub fn by_line<'b>(counts: &Counts, binary: &Binary<'b>, debug: &DebugInfo<'b>) -> Lines {
    let all: u64 = counts.ips.values().sum();
    let samples = counts.report.samples_here as f64;
    let mut code = Code::new(binary, debug);
    let mut lines = Lines::new();
    for (&address, &weight) in &counts.ips {
        let share = weight as f64 / all as f64;
        let (head, here) = code.lines_around(address);
        for (place, part) in here {
            let work = lines.entry(place).or_default();
            work.function = part.function;
            work.share += share;
            work.samples += share * samples;
            if part.packed > 0 {
                work.packed += share;
                work.packed_loops.insert(head, part.packed);
            }
        }
    }
    for work in lines.values_mut() {
        work.packed /= work.share;
    }
    lines
}

/// The name as the source has it, without what `-funique-internal-linkage-names` adds.
fn source_name(name: &str) -> String {
    let unique = name.find(".__uniq.").unwrap_or(name.len());
    demangle(&name[..unique])
}

/// The hot lines that were vectorised under one build and are hot and not vectorised under another, the hottest
/// of now first. A loop is told by one of its lines, the one that did most of its arithmetic.
pub fn lost(before: &Lines, after: &Lines) -> Vec<Lost> {
    let is_hot = |work: &LineWork| work.share >= HOT_SHARE && work.samples >= SAMPLES_MIN;
    let was_packed = |work: &LineWork| is_hot(work) && work.packed >= VECTORISED_SHARE;
    let is_lost = |place: &(String, u32)| {
        let now = after.get(place);
        now.filter(|now| is_hot(now) && now.packed < SCALAR_SHARE)
    };
    let mut told: BTreeMap<Svma, (usize, Lost)> = BTreeMap::new();
    for (place, work) in before.iter().filter(|(_, work)| was_packed(work)) {
        let Some(now) = is_lost(place) else {
            continue;
        };
        let most = work.packed_loops.iter().max_by_key(|(_, packed)| **packed);
        let Some((&head, &packed)) = most else {
            continue;
        };
        if told.get(&head).is_none_or(|(most, _)| *most < packed) {
            let lost = Lost {
                file: place.0.clone(),
                line: place.1,
                function: now.function.clone(),
                shares: [work.share, now.share],
            };
            told.insert(head, (packed, lost));
        }
    }
    let mut all: Vec<Lost> = told.into_values().map(|(_, lost)| lost).collect();
    all.sort_by(|a, b| b.shares[1].total_cmp(&a.shares[1]));
    all
}

/// What a line has in a loop.
struct Part {
    function: String,
    /// Instructions of packed arithmetic.
    packed: usize,
}

/// A binary's instructions with their lines, each looked up once.
struct Code<'a, 'b> {
    binary: &'a Binary<'b>,
    debug: &'a DebugInfo<'b>,
    lines: HashMap<Svma, Option<(String, u32, String)>>,
}

impl<'a, 'b> Code<'a, 'b> {
    fn new(binary: &'a Binary<'b>, debug: &'a DebugInfo<'b>) -> Self {
        Self {
            binary,
            debug,
            lines: HashMap::new(),
        }
    }

    /// The lines of the loop around an address and its first instruction; where there is none, the address' own line.
    fn lines_around(&mut self, address: Svma) -> (Svma, BTreeMap<(String, u32), Part>) {
        let around = loop_around(address, |at| instruction_at(self.binary, at));
        let alone = || vec![instruction_at(self.binary, address)];
        let is_loop = around.is_some();
        let instructions = around.unwrap_or_else(alone);
        let head = instructions.iter().map(Instruction::ip).min();
        let mut parts = BTreeMap::new();
        for instruction in &instructions {
            let Some((file, line, function)) = self.line(Svma(instruction.ip())) else {
                continue;
            };
            let part = parts.entry((file, line)).or_insert(Part {
                function,
                packed: 0,
            });
            part.packed += usize::from(is_loop && is_packed(instruction));
        }
        (head.map_or(address, Svma), parts)
    }

    fn line(&mut self, address: Svma) -> Option<(String, u32, String)> {
        let debug = self.debug;
        let line = self.lines.entry(address).or_insert_with(|| {
            let stack = debug.inline_stack(address);
            let frame = stack.first().filter(|frame| frame.line > 0)?;
            let function = source_name(frame.function);
            Some((frame.file.to_owned(), frame.line, function))
        });
        line.clone()
    }
}

/// The instructions of the innermost loop around an address: straight on from it, back at the end of the loop, and to
/// the address again, without those of loops within; `None` where that way leads elsewhere.
fn loop_around(
    address: Svma,
    instruction_at: impl Fn(Svma) -> Instruction,
) -> Option<Vec<Instruction>> {
    let mut way: Vec<Instruction> = Vec::new();
    let mut at = address;
    let mut has_turned = false;
    for _ in 0..INSTRUCTIONS_MAX {
        if has_turned && at >= address {
            return Some(way);
        }
        let instruction = instruction_at(at);
        if instruction.is_invalid() {
            return None;
        }
        way.push(instruction);
        let target = instruction.near_branch_target();
        at = match instruction.flow_control() {
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
                if !has_turned && target <= address.0 =>
            {
                has_turned = true;
                Svma(target)
            }
            FlowControl::UnconditionalBranch if !has_turned => Svma(target),
            FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Return
            | FlowControl::Exception => return None,
            FlowControl::ConditionalBranch => {
                way.retain(|inner| !(target..=instruction.ip()).contains(&inner.ip()));
                Svma(instruction.next_ip())
            }
            _ => Svma(instruction.next_ip()),
        };
    }
    None
}

fn instruction_at(binary: &Binary<'_>, address: Svma) -> Instruction {
    let code = (1..=INSTRUCTION_BYTES_MAX)
        .rev()
        .find_map(|len| binary.bytes_at(address, len));
    let code = code.unwrap_or_default();
    Decoder::with_ip(64, code, address.0, DecoderOptions::NONE).decode()
}

/// Whether it computes with several numbers at once. Of bitwise operations only AND counts: XOR of a register with
/// itself is how scalar code makes a zero.
fn is_packed(instruction: &Instruction) -> bool {
    if !(0..instruction.op_count())
        .any(|operand| instruction.op_register(operand).is_vector_register())
    {
        return false;
    }
    let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
    let name = name.strip_prefix('v').unwrap_or(&name);
    let starts = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    let is_float = (name.ends_with("ps") || name.ends_with("pd")) && starts(&FLOAT);
    is_float || (instruction.mnemonic() != Mnemonic::Pause && starts(&INTEGER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> bool {
        is_packed(&Decoder::new(64, bytes, DecoderOptions::NONE).decode())
    }

    #[test]
    fn names_are_those_of_the_source() {
        assert_eq!(source_name("_ZL3addi.__uniq.123"), "add(int)");
        assert_eq!(source_name("add"), "add");
    }

    #[test]
    fn arithmetic_on_vectors_is_told_from_scalars_and_moves() {
        for (bytes, expected, name) in [
            (&[0x0f, 0x58, 0xc1][..], true, "addps xmm0, xmm1"),
            (&[0x66, 0x0f, 0xfe, 0xc1], true, "paddd xmm0, xmm1"),
            (
                &[0xc4, 0xe2, 0x75, 0xb8, 0xc2],
                true,
                "vfmadd231ps ymm0, ymm1, ymm2",
            ),
            (&[0xc5, 0xf5, 0xfe, 0xc2], true, "vpaddd ymm0, ymm1, ymm2"),
            (&[0xf3, 0x0f, 0x58, 0xc1], false, "addss xmm0, xmm1"),
            (&[0xf2, 0x0f, 0x59, 0xc1], false, "mulsd xmm0, xmm1"),
            (&[0x0f, 0x28, 0xc1], false, "movaps xmm0, xmm1"),
            (&[0x66, 0x0f, 0xef, 0xc0], false, "pxor xmm0, xmm0"),
            (&[0x01, 0xc8], false, "add eax, ecx"),
        ] {
            assert_eq!(packed(bytes), expected, "{name}");
        }
    }

    fn lines(all: &[(u32, f64, f64)]) -> Lines {
        let work = |&(line, share, packed): &(u32, f64, f64)| {
            let work = LineWork {
                function: "f".into(),
                share,
                packed,
                samples: share * 3_000.0,
                packed_loops: BTreeMap::from([(Svma(u64::from(line / 10)), line as usize)]),
            };
            (("a.c".to_owned(), line), work)
        };
        all.iter().map(work).collect()
    }

    #[test]
    fn a_hot_line_that_was_vectorised_and_is_not_is_lost() {
        let before = lines(&[
            (1, 0.3, 0.5),
            (2, 0.3, 0.5),
            (3, 0.3, 0.0),
            (4, 0.005, 0.9),
            (5, 0.1, 0.4),
            (11, 0.2, 0.5),
            (12, 0.2, 0.5),
        ]);
        let after = lines(&[
            (1, 0.4, 0.0),
            (2, 0.3, 0.3),
            (3, 0.2, 0.0),
            (4, 0.1, 0.0),
            (5, 0.005, 0.0),
            (11, 0.2, 0.0),
            (12, 0.2, 0.0),
        ]);
        let found = lost(&before, &after);
        let found: Vec<_> = found.iter().map(|one| (one.line, one.shares)).collect();
        assert_eq!(found, [(1, [0.3, 0.4]), (12, [0.2, 0.2])]);
        assert_eq!(lost(&after, &after), []);
    }
}
