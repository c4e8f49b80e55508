//! The machine code of a hot function, with weights: what rules about code look at.
//!
//! A sample stands at the instruction that was next when the clock fired, which is often the one behind the slow
//! one: rules about single instructions count the following one too.

use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, Function, demangle};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use rustc_hash::FxHashMap;

/// Larger functions are not disassembled; interpreters' main loops stay below.
const FUNCTION_BYTES_MAX: u64 = 1 << 18;

/// Functions of fewer instructions do not show how they were compiled.
const UNOPTIMISED_MIN: usize = 8;

/// Part of the instructions that use a variable on the stack; at -O0 it is about half, in optimised code a tenth.
const UNOPTIMISED_SLOTS: f64 = 0.3;

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

    /// Whether it was compiled without optimisation: its compiler says so, or every variable lives in memory.
    pub fn is_unoptimised(&self) -> bool {
        let producer = self.producer.as_deref().unwrap_or_default();
        // GCC writes down its options (unless told -gno-record-gcc-switches), and -O0 is the one that is not written.
        let has_options = producer.starts_with("GNU C") && producer.contains(" -");
        if has_options || producer.contains(" -O") {
            return !producer.contains(" -O") || producer.contains(" -O0");
        }
        if producer.starts_with("GNU AS") {
            return false;
        }
        let code = &self.instructions;
        let in_slots = code
            .iter()
            .filter(|instruction| slot(&instruction.code).is_some())
            .count();
        let is_reloaded = |pair: &[CodeInstruction]| {
            let [store, load] = pair else { return false };
            let stored = slot(&store.code).filter(|_| store.code.op0_kind() == OpKind::Memory);
            stored.is_some()
                && stored == slot(&load.code)
                && load.code.op0_kind() == OpKind::Register
        };
        code.len() >= UNOPTIMISED_MIN
            && in_slots as f64 >= UNOPTIMISED_SLOTS * code.len() as f64
            && code.windows(2).any(is_reloaded)
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

/// The place on the stack that an instruction uses, relative to the frame.
fn slot(code: &Instruction) -> Option<u64> {
    let is_memory = (0..code.op_count()).any(|index| code.op_kind(index) == OpKind::Memory);
    let is_slot = code.memory_base() == Register::RBP && code.memory_index() == Register::None;
    (is_memory && is_slot).then(|| code.memory_displacement64())
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
