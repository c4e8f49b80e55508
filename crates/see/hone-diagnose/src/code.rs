//! Machine code of hot functions with the weight of each instruction; the input of rules about code.
//!
//! The address of a sample is the instruction that was next when the clock fired, often the instruction behind the slow
//! one. Rules about single instructions therefore count the following instruction too.

use crate::unoptimised::{Compiled, Habits, of_producer};
use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, Function, demangle};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use rustc_hash::FxHashMap;

/// Number of bytes of a function that are disassembled at most; interpreters' main loops are smaller.
const FUNCTION_BYTES_MAX: u64 = 1 << 18;

/// An instruction with the weight of its samples.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeInstruction {
    /// Decoded instruction.
    pub code: Instruction,
    /// Weight of the samples at the instruction.
    pub weight: u64,
    /// Source file and line; set only if samples fell on the instruction.
    pub line: Option<(String, u32)>,
}

/// A function in which time was spent.
#[derive(Clone, PartialEq, Debug)]
pub struct HotFunction {
    /// Demangled name.
    pub name: String,
    /// Address of the first byte.
    pub start: Svma,
    /// Size in bytes.
    pub size: u64,
    /// Weight of the samples in the function.
    pub weight: u64,
    /// Compiler and perhaps its options, as the debug information names them.
    pub producer: Option<String>,
    /// Instructions of the first 256 KiB at most; empty if the file does not contain the code.
    pub instructions: Vec<CodeInstruction>,
}

/// An innermost loop: from its head to the jump back.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'f> {
    /// Instructions, the jump back last.
    pub body: &'f [CodeInstruction],
    /// Weight of the samples in the loop.
    pub weight: u64,
}

impl HotFunction {
    /// Disassembles a function.
    pub(crate) fn new(
        binary: &Binary<'_>,
        debug: &DebugInfo<'_>,
        function: &Function<'_>,
        weight: u64,
        weights: &FxHashMap<Svma, u64>,
    ) -> Self {
        let code = binary.bytes_at(function.start, function.size().min(FUNCTION_BYTES_MAX));
        let mut instructions = instructions(code.unwrap_or_default(), function.start);
        for instruction in &mut instructions {
            let at = Svma(instruction.code.ip());
            instruction.weight = weights.get(&at).copied().unwrap_or(0);
            if instruction.weight > 0 {
                let frames = debug.inline_stack(at);
                let frame = frames.iter().find(|frame| frame.line > 0);
                instruction.line = frame.map(|frame| (frame.file.to_owned(), frame.line));
            }
        }
        Self {
            name: demangle(function.canonical_name()),
            start: function.start,
            size: function.size(),
            weight,
            producer: debug.producer_at(function.start),
            instructions,
        }
    }

    /// Returns the source line with the most samples.
    pub fn hottest_line(&self) -> Option<(String, u32)> {
        hottest_line(&self.instructions)
    }

    /// True if the function was compiled without optimisation, by the recorded compiler options or else by its code.
    pub fn is_unoptimised(&self) -> bool {
        let producer = self.producer.as_deref().unwrap_or_default();
        let compiled = of_producer(producer).unwrap_or_else(|| {
            let code = self
                .instructions
                .iter()
                .map(|instruction| &instruction.code);
            Habits::of(code).verdict()
        });
        compiled == Compiled::Unoptimised
    }

    /// Returns the innermost loops: the code from the target of a backward jump to the jump, without another backward jump inside.
    pub fn loops(&self) -> Vec<Loop<'_>> {
        let position: FxHashMap<u64, usize> = self
            .instructions
            .iter()
            .enumerate()
            .map(|(index, instruction)| (instruction.code.ip(), index))
            .collect();
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut last_back: Option<usize> = None;
        for (tail, instruction) in self.instructions.iter().enumerate() {
            let target = jump_target(&instruction.code).and_then(|to| position.get(&to));
            let Some(&head) = target.filter(|head| **head <= tail) else {
                continue;
            };
            // Backward jumps come in ascending order: if any of them lies inside the loop, the last one does.
            if last_back.is_none_or(|back| back < head) {
                found.push((head, tail));
            }
            last_back = Some(tail);
        }
        let loops = found.into_iter().map(|(head, tail)| {
            let body = &self.instructions[head..=tail];
            let weight = body.iter().map(|instruction| instruction.weight).sum();
            Loop { body, weight }
        });
        loops.collect()
    }

    /// Returns the accepted instructions, and the instruction right behind each.
    pub fn at_and_behind(&self, accepts: impl Fn(&Instruction) -> bool) -> Vec<&CodeInstruction> {
        let mut is_behind = false;
        let found = self.instructions.iter().filter(|instruction| {
            let is_one = accepts(&instruction.code);
            std::mem::replace(&mut is_behind, is_one) || is_one
        });
        found.collect()
    }
}

impl Loop<'_> {
    /// Returns the source line of the loop with the most samples.
    pub fn hottest_line(&self) -> Option<(String, u32)> {
        hottest_line(self.body)
    }
}

/// Returns the target address of a direct jump, conditional or not; `None` for other instructions.
pub(crate) fn jump_target(code: &Instruction) -> Option<u64> {
    let is_jump = matches!(
        code.flow_control(),
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
    );
    is_jump.then(|| code.near_branch_target())
}

fn instructions(code: &[u8], start: Svma) -> Vec<CodeInstruction> {
    let mut decoder = Decoder::with_ip(64, code, start.0, DecoderOptions::NONE);
    let mut instructions = Vec::new();
    while decoder.can_decode() {
        instructions.push(CodeInstruction {
            code: decoder.decode(),
            weight: 0,
            line: None,
        });
    }
    instructions
}

fn hottest_line(instructions: &[CodeInstruction]) -> Option<(String, u32)> {
    let mut lines: FxHashMap<&(String, u32), u64> = FxHashMap::default();
    for instruction in instructions {
        if let Some(line) = &instruction.line {
            *lines.entry(line).or_default() += instruction.weight;
        }
    }
    let hottest = lines
        .into_iter()
        .max_by_key(|(line, weight)| (*weight, *line));
    hottest.map(|(line, _)| line.clone())
}
