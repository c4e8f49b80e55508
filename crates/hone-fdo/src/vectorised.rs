//! Which source lines spend their samples in vector arithmetic, and which no longer do under another build.
//!
//! Inlining and a profile's trip counts can cost a hot loop its vectorisation, which no total shows. Plain samples of
//! both builds do: a line whose samples fell into loops of packed arithmetic and now fall into none has lost it. Which
//! instruction of a loop a sample falls on is the CPU's choice, so what counts is all that the loop does for that
//! line; moves and shuffles, which scalar code has too, are left out.

use std::collections::BTreeMap;

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

/// The samples of one source line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineWork {
    /// The innermost function there.
    pub function: String,
    /// Share of the binary's samples.
    pub share: f64,
    /// Of these, the share in loops of packed arithmetic.
    pub packed: f64,
    /// How many samples `share` stands for.
    pub samples: f64,
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
pub fn by_line(counts: &Counts, binary: &Binary<'_>, debug: &DebugInfo<'_>) -> Lines {
    let all: u64 = counts.ips.values().sum();
    let samples = counts.report.samples_here as f64;
    let mut lines = Lines::new();
    for (&address, &weight) in &counts.ips {
        let stack = debug.inline_stack(address);
        let Some(frame) = stack.first().filter(|frame| frame.line > 0) else {
            continue;
        };
        let share = weight as f64 / all as f64;
        let work = lines
            .entry((frame.file.to_owned(), frame.line))
            .or_insert_with(|| LineWork {
                function: source_name(frame.function),
                ..LineWork::default()
            });
        work.share += share;
        work.samples += share * samples;
        let is_same_line = |other: Svma| {
            let stack = debug.inline_stack(other);
            stack
                .first()
                .is_some_and(|other| (other.file, other.line) == (frame.file, frame.line))
        };
        if is_among_packed(binary, address, is_same_line) {
            work.packed += share;
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
/// of now first.
pub fn lost(before: &Lines, after: &Lines) -> Vec<Lost> {
    let is_hot = |work: &LineWork| work.share >= HOT_SHARE && work.samples >= SAMPLES_MIN;
    let mut all: Vec<Lost> = before
        .iter()
        .filter(|(_, work)| is_hot(work) && work.packed >= VECTORISED_SHARE)
        .filter_map(|(place, work)| {
            let now = after.get(place)?;
            (is_hot(now) && now.packed < SCALAR_SHARE).then(|| Lost {
                file: place.0.clone(),
                line: place.1,
                function: now.function.clone(),
                shares: [work.share, now.share],
            })
        })
        .collect();
    all.sort_by(|a, b| b.shares[1].total_cmp(&a.shares[1]));
    all
}

/// Whether packed arithmetic of the same line is met on the way from an address straight on, back at the end of the loop
/// around it, and to the address again.
fn is_among_packed(
    binary: &Binary<'_>,
    address: Svma,
    is_same_line: impl Fn(Svma) -> bool,
) -> bool {
    let mut at = address;
    let mut has_turned = false;
    for _ in 0..INSTRUCTIONS_MAX {
        let instruction = instruction_at(binary, at);
        if instruction.is_invalid() {
            return false;
        }
        if is_packed(&instruction) && is_same_line(at) {
            return true;
        }
        at = match instruction.flow_control() {
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
                if !has_turned && instruction.near_branch_target() <= address.0 =>
            {
                has_turned = true;
                Svma(instruction.near_branch_target())
            }
            FlowControl::UnconditionalBranch if !has_turned => {
                Svma(instruction.near_branch_target())
            }
            FlowControl::UnconditionalBranch
            | FlowControl::IndirectBranch
            | FlowControl::Return
            | FlowControl::Exception => return false,
            _ => Svma(instruction.next_ip()),
        };
        if has_turned && at >= address {
            return false;
        }
    }
    false
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
        ]);
        let after = lines(&[
            (1, 0.4, 0.0),
            (2, 0.3, 0.3),
            (3, 0.2, 0.0),
            (4, 0.1, 0.0),
            (5, 0.005, 0.0),
        ]);
        let found = lost(&before, &after);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].line, found[0].shares), (1, [0.3, 0.4]));
        assert_eq!(lost(&after, &after), []);
    }
}
