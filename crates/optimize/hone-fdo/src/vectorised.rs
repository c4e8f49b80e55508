//! Finds source lines that spend their samples in vector arithmetic, and lines that no longer do so in another build.
//!
//! Inlining and a profile's trip counts can cost a hot loop its vectorisation, which no total shows. Plain samples of
//! both builds show it: a line whose samples fell into loops of packed arithmetic and now fall into none has lost it. The
//! CPU chooses the instruction of a loop that a sample falls on, and some CPUs always choose the same instruction, so a
//! sample in a loop counts for each line of the loop. Moves and shuffles, which scalar code has too, are no arithmetic.

use std::collections::{BTreeMap, HashMap};

use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, demangle};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};

use crate::counts::Counts;

/// Minimum share of its binary's samples for a hot line.
const HOT_SHARE: f64 = 0.01;
/// Minimum number of samples of a hot line; fewer samples are no evidence.
const SAMPLES_MIN: f64 = 20.0;
/// Minimum share of packed arithmetic in a vectorised line; it is below 1 since a loop also loads, stores and counts.
const VECTORISED_SHARE: f64 = 0.2;
/// Share of packed arithmetic below which a line counts as not vectorised.
const SCALAR_SHARE: f64 = 0.02;
/// Maximum length of an instruction in bytes.
const INSTRUCTION_BYTES_MAX: u64 = 15;
/// Maximum number of instructions that are read from a sample on: longer loops are rarely hot.
const INSTRUCTIONS_MAX: usize = 256;
/// Starts of the names of packed arithmetic, without the V of AVX.
const FLOAT: [&str; 10] = [
    "add", "sub", "mul", "div", "max", "min", "sqrt", "fmadd", "fmsub", "fnmadd",
];
const INTEGER: [&str; 14] = [
    "padd", "psub", "pmul", "pmadd", "pmax", "pmin", "pabs", "psad", "pavg", "pcmp", "psll",
    "psrl", "psra", "pand",
];

/// Samples of one source line: samples in loops that contain the line, and samples on the line itself elsewhere.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineWork {
    /// Innermost function at the line.
    pub function: String,
    /// Share of the binary's samples.
    pub share: f64,
    /// Share of the line's samples in loops where the line does packed arithmetic.
    pub packed: f64,
    /// Number of samples that `share` represents.
    pub samples: f64,
    /// Loops in which the line does packed arithmetic: first instruction, and number of the line's packed instructions.
    pub packed_loops: BTreeMap<Svma, usize>,
}

/// Samples of a binary's lines, by file and line.
pub type Lines = BTreeMap<(String, u32), LineWork>;

/// A hot line that was vectorised and no longer is.
#[derive(Clone, PartialEq, Debug)]
pub struct Lost {
    /// Source file.
    pub file: String,
    /// Line in the file.
    pub line: u32,
    /// Innermost function at the line.
    pub function: String,
    /// Share of the binary's samples before and now.
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

/// Returns the name as in the source, without the suffix that `-funique-internal-linkage-names` adds.
fn source_name(name: &str) -> String {
    let unique = name.find(".__uniq.").unwrap_or(name.len());
    demangle(&name[..unique])
}

/// Returns the hot lines that were vectorised in one build and are hot and not vectorised in another, the line that is
/// now hottest first. A loop is reported by one of its lines, the line that did most of its arithmetic.
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

/// Part of a loop that belongs to one line.
struct Part {
    function: String,
    /// Number of instructions of packed arithmetic.
    packed: usize,
}

/// Instructions of a binary with their lines, each looked up once.
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

    /// Returns the first instruction and the lines of the loop around an address; without a loop, the address' own line.
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

/// Returns the instructions of the innermost loop around an address: straight on from the address, back at the end of the
/// loop, and to the address again, without the instructions of inner loops; `None` if this path leads elsewhere.
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

/// Returns true if the instruction computes with several numbers at once. Of bitwise operations only AND counts: scalar
/// code makes a zero by XOR of a register with itself.
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
