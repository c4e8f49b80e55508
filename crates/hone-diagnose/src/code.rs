//! The machine code of a hot function, with weights: what rules about code look at.
//!
//! A sample stands at the instruction that was next when the clock fired, which is often the one behind the slow
//! one: rules about single instructions count the following one too.

use crate::unoptimised::{Compiled, Habits, of_producer};
use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, Function, demangle};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use rustc_hash::FxHashMap;

/// Larger functions are not disassembled; interpreters' main loops stay below.
const FUNCTION_BYTES_MAX: u64 = 1 << 18;

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct CodeInstruction {
    /// What it is.
    pub code: Instruction,
    /// Weight of the samples at it.
    pub weight: u64,
    /// Source file and line; only where samples fell.
    pub line: Option<(String, u32)>,
}

/// A function in which time was spent.
#[derive(Clone, PartialEq, Debug)]
pub struct HotFunction {
    /// Its name for people.
    pub name: String,
    /// Its first byte.
    pub start: Svma,
    /// Its size in bytes.
    pub size: u64,
    /// Weight of the samples in it.
    pub weight: u64,
    /// The compiler and perhaps its options, where the debug information says so.
    pub producer: Option<String>,
    /// Its code; empty where it is too large or is not in the file.
    pub instructions: Vec<CodeInstruction>,
}

/// An innermost loop: from its head to the jump back.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'f> {
    /// Its instructions, the jump back last.
    pub body: &'f [CodeInstruction],
    /// Weight of the samples in it.
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

    /// The source line with the most samples.
    pub fn hottest_line(&self) -> Option<(String, u32)> {
        hottest_line(&self.instructions)
    }

    /// Whether it was compiled without optimisation: its compiler says so, or its code does.
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

    /// Its innermost loops: what lies between a jump back and its target, with no jump back inside.
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
            // Jumps back come in their order: if any lies inside, the last one does.
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

    /// Weight of the samples at the instructions that this accepts, and right behind them.
    pub fn weight_at(&self, accepts: impl Fn(&Instruction) -> bool) -> u64 {
        let mut weight = 0;
        let mut is_behind = false;
        for instruction in &self.instructions {
            let is_one = accepts(&instruction.code);
            if is_one || is_behind {
                weight += instruction.weight;
            }
            is_behind = is_one;
        }
        weight
    }
}

impl Loop<'_> {
    /// Its source line with the most samples.
    pub fn hottest_line(&self) -> Option<(String, u32)> {
        hottest_line(self.body)
    }
}

/// Where a direct jump inside a function leads.
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
