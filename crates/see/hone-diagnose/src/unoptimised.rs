//! Detection of code that was compiled without optimisation, from the code alone.
//!
//! Without optimisation a compiler allocates no registers: each variable lives on the stack, each statement loads its
//! operands and stores its result, and the next statement loads that result again. An instruction therefore reads a
//! slot that the same straight piece of code has just written or read (a needless load), and no value but a result
//! waits in a register from one piece to the next. Frame pointers say nothing: optimised code has them too, and Rust's
//! debug builds have none. Options that GCC wrote into the debug information are believed; elsewhere, and in stripped
//! files, the code decides.
//!
//! A single function may say too little, or the wrong thing. What counts is the share of the time, or of a file, that is in
//! code of either kind ([`Optimisation`]): in optimised files up to 0.3 % looks unoptimised, in unoptimised files at
//! least four fifths.

use hone_profile::Svma;
use hone_symbols::{Binary, DebugInfo, Function};
use hone_views::weights_of_functions;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of bytes of a function that are decoded at most.
const FUNCTION_BYTES_MAX: u64 = 1 << 18;

/// Number of instructions examined from a sample on, where the start of the function is unknown.
const WINDOW: usize = 48;

/// Largest size of a window of instructions, in bytes.
const WINDOW_BYTES: u64 = 15 * WINDOW as u64;

/// Smallest part of windows that look unoptimised in unoptimised code, where a third to two thirds of them do; in
/// optimised code two of a hundred do.
const WINDOWS_MIN: f64 = 0.2;

/// Number of instructions below which code does not show how it was compiled.
const INSTRUCTIONS_MIN: usize = 5;

/// Smallest part of needless loads among the instructions of unoptimised code.
const NEEDLESS_MIN: f64 = 0.05;

/// Smallest part of the instructions that use a slot: about half without optimisation, about a tenth in optimised code.
const SLOTS_MIN: f64 = 0.2;

/// Smallest part of the instructions that use a slot, in code that stores its arguments in slots though registers are left.
const SLOTS_WITH_HOMES_MIN: f64 = 0.15;
const EXPOSED_WITH_HOMES_MAX: f64 = 0.2;

/// Largest part of the pieces of straight code behind the first that find a value in a register.
const EXPOSED_MAX: f64 = 0.5;

/// Way in which a piece of code was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compiled {
    /// Compiled without optimisation.
    Unoptimised,
    /// Compiled with optimisation.
    Optimised,
    /// Too little code to tell.
    Unclear,
}

/// Amounts of unoptimised and of optimised code: weights of samples for time, bytes for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Optimisation {
    /// Amount compiled without optimisation.
    pub without: u64,
    /// Amount compiled with optimisation.
    pub with: u64,
}

impl Optimisation {
    /// Returns the unoptimised part of the code that could be judged, 0 to 1.
    pub fn unoptimised_part(&self) -> f64 {
        self.without as f64 / self.without.saturating_add(self.with).max(1) as f64
    }

    /// Judges a file by the bytes of its functions, whether they run or not.
    pub fn of_file(binary: &Binary<'_>, debug: &DebugInfo<'_>) -> Self {
        let mut all = Self::default();
        for function in binary.functions().iter() {
            all.add(compiled(binary, debug, function), function.size());
        }
        all
    }

    /// Judges the time in a binary by the weights of the samples at each address.
    pub(crate) fn of_samples(
        binary: &Binary<'_>,
        debug: &DebugInfo<'_>,
        weights: &FxHashMap<Svma, u64>,
    ) -> Self {
        let mut all = Self::default();
        for (start, weight) in weights_of_functions(binary, weights) {
            if let Some(function) = binary.functions().starting_at(start) {
                all.add(compiled(binary, debug, function), weight);
            }
        }
        let nameless = weights.iter().filter(|(svma, _)| {
            binary.function_at(**svma).is_none() && !binary.plt().contains(**svma)
        });
        let mut windows = Self::default();
        for (&svma, &weight) in nameless {
            windows.add(window(binary, svma), weight);
        }
        let judged = windows.without + windows.with;
        match windows.unoptimised_part() >= WINDOWS_MIN {
            true => all.without += judged,
            false => all.with += judged,
        }
        all
    }

    fn add(&mut self, compiled: Compiled, weight: u64) {
        match compiled {
            Compiled::Unoptimised => self.without += weight,
            Compiled::Optimised => self.with += weight,
            Compiled::Unclear => {}
        }
    }
}

/// Judges code by the options in the compiler's description of itself; `None` if it names none.
pub(crate) fn of_producer(producer: &str) -> Option<Compiled> {
    // GCC writes down its options (unless told -gno-record-gcc-switches), and -O0 is the one that is not written.
    let has_options = producer.starts_with("GNU C") && producer.contains(" -");
    if has_options || producer.contains(" -O") {
        let is_optimised = producer.contains(" -O") && !producer.contains(" -O0");
        return Some(match is_optimised {
            true => Compiled::Optimised,
            false => Compiled::Unoptimised,
        });
    }
    producer
        .starts_with("GNU AS")
        .then_some(Compiled::Optimised)
}

fn compiled(binary: &Binary<'_>, debug: &DebugInfo<'_>, function: &Function<'_>) -> Compiled {
    let producer = debug.producer_at(function.start).unwrap_or_default();
    of_producer(&producer).unwrap_or_else(|| {
        let code = decoded(binary, function.start, function.size(), usize::MAX);
        Habits::of(code.iter()).verdict()
    })
}

/// Judges the code from a sample on, up to the first unconditional jump, return or trap.
fn window(binary: &Binary<'_>, svma: Svma) -> Compiled {
    let mut code = decoded(binary, svma, WINDOW_BYTES, WINDOW);
    let leaves = code.iter().position(|code| {
        matches!(
            code.flow_control(),
            FlowControl::UnconditionalBranch
                | FlowControl::IndirectBranch
                | FlowControl::Return
                | FlowControl::Interrupt
                | FlowControl::Exception
        )
    });
    code.truncate(leaves.unwrap_or(code.len()));
    Habits::of(code.iter()).verdict_of_part()
}

fn decoded(binary: &Binary<'_>, start: Svma, bytes: u64, count: usize) -> Vec<Instruction> {
    let bytes = bytes.min(FUNCTION_BYTES_MAX);
    let code = binary.bytes_at(start, bytes).unwrap_or_default();
    let decoder = Decoder::with_ip(64, code, start.0, DecoderOptions::NONE);
    decoder.into_iter().take(count).collect()
}

/// Counts of the habits by which unoptimised code is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Habits {
    /// Instructions without padding.
    pub(crate) instructions: usize,
    /// Instructions with an operand on the stack.
    pub(crate) slots: usize,
    /// Instructions that read a slot which the same piece has read or written before.
    pub(crate) needless: usize,
    /// Pieces of straight code behind the first.
    pub(crate) pieces: usize,
    /// Pieces behind the first that find a value in a register.
    pub(crate) exposed: usize,
    /// Arguments that the first piece puts into a slot from which they are read again.
    pub(crate) homes: usize,
    /// Registers saved for the caller, except the two that unoptimised code uses too.
    pub(crate) saved: usize,
}

impl Habits {
    /// Counts the habits of a function's code.
    pub(crate) fn of<'c>(code: impl Iterator<Item = &'c Instruction> + Clone) -> Self {
        let leaders: FxHashSet<u64> = code.clone().filter_map(crate::code::jump_target).collect();
        let mut factory = InstructionInfoFactory::new();
        let mut habits = Self::default();
        let mut piece = Piece::default();
        let mut is_first = true;
        let mut ends = false;
        let mut homes: FxHashSet<Slot> = FxHashSet::default();
        for code in code {
            if is_padding(code) {
                continue;
            }
            if ends || leaders.contains(&code.ip()) {
                piece = Piece::default();
                is_first = false;
                habits.pieces += 1;
            }
            habits.instructions += 1;
            if piece.finds(&mut factory, code) && !is_first && !piece.is_exposed {
                piece.is_exposed = true;
                habits.exposed += 1;
            }
            habits.saved += usize::from(saves(code));
            if let Some((slot, reads)) = slot(&mut factory, code) {
                habits.slots += 1;
                habits.homes += usize::from(reads && homes.remove(&slot));
                if is_first && is_argument(code) && !piece.has_written(code.op1_register()) {
                    homes.insert(slot);
                }
                habits.needless += usize::from(reads && piece.slots.contains(&slot));
                piece.slots.insert(slot);
            }
            piece.after(&mut factory, code);
            ends = matches!(
                code.flow_control(),
                FlowControl::ConditionalBranch
                    | FlowControl::UnconditionalBranch
                    | FlowControl::IndirectBranch
                    | FlowControl::Return
            );
        }
        habits
    }

    /// Judges a whole function.
    pub(crate) fn verdict(&self) -> Compiled {
        // A single straight piece that stores no arguments and runs out of registers is cryptography, often in assembly.
        let is_straight = self.pieces == 0 && self.homes == 0;
        match self.verdict_of_part() {
            Compiled::Unoptimised if is_straight => Compiled::Optimised,
            verdict => verdict,
        }
    }

    /// Judges a part of a function.
    fn verdict_of_part(&self) -> Compiled {
        let part = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        if self.instructions < INSTRUCTIONS_MIN {
            return Compiled::Unclear;
        }
        let reloads = part(self.needless, self.instructions) >= NEEDLESS_MIN
            && part(self.slots, self.instructions) >= SLOTS_MIN
            && part(self.exposed, self.pieces) <= EXPOSED_MAX;
        let homes = self.homes > 0
            && self.saved == 0
            && part(self.slots, self.instructions) >= SLOTS_WITH_HOMES_MIN
            && part(self.exposed, self.pieces) <= EXPOSED_WITH_HOMES_MAX;
        let is_unoptimised = reloads || homes;
        match is_unoptimised {
            true => Compiled::Unoptimised,
            false if self.slots == 0 && self.pieces == 0 => Compiled::Unclear,
            false => Compiled::Optimised,
        }
    }
}

/// A variable's place on the stack.
type Slot = (Register, u64);

/// State of a piece of straight code up to the current instruction.
#[derive(Default)]
struct Piece {
    slots: FxHashSet<Slot>,
    written: FxHashSet<Register>,
    is_exposed: bool,
}

impl Piece {
    /// True if the instruction reads a register that this piece has not written.
    fn finds(&self, factory: &mut InstructionInfoFactory, code: &Instruction) -> bool {
        if is_zeroing(code) || code.mnemonic() == Mnemonic::Push {
            return false;
        }
        let info = factory.info(code);
        info.used_registers().iter().any(|used| {
            let register = used.register().full_register();
            let is_variable = (register.is_gpr() || register.is_vector_register())
                && !matches!(register, Register::RSP | Register::RBP);
            let reads = matches!(
                used.access(),
                OpAccess::Read | OpAccess::ReadWrite | OpAccess::CondRead
            );
            is_variable && reads && !self.written.contains(&register)
        })
    }

    fn has_written(&self, register: Register) -> bool {
        self.written.contains(&register.full_register())
    }

    fn after(&mut self, factory: &mut InstructionInfoFactory, code: &Instruction) {
        let is_call = matches!(
            code.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        if is_call {
            self.slots.clear();
            self.written.extend([
                Register::RAX,
                Register::RDX,
                Register::XMM0.full_register(),
                Register::XMM1.full_register(),
            ]);
            return;
        }
        for used in factory.info(code).used_registers() {
            let register = used.register().full_register();
            let writes = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead);
            if writes && register == Register::RSP {
                self.slots.retain(|slot| slot.0 != Register::RSP);
            }
            if writes {
                self.written.insert(register);
            }
        }
    }
}

/// Returns the slot that an instruction uses, and true if the instruction reads it.
fn slot(factory: &mut InstructionInfoFactory, code: &Instruction) -> Option<(Slot, bool)> {
    let is_memory = (0..code.op_count()).any(|index| code.op_kind(index) == OpKind::Memory);
    let base = code.memory_base();
    let is_slot = matches!(base, Register::RBP | Register::RSP)
        && code.memory_index() == Register::None
        && code.mnemonic() != Mnemonic::Lea;
    if !is_memory || !is_slot {
        return None;
    }
    let used = factory.info(code);
    let mut accesses = used.used_memory().iter().map(|used| used.access());
    let reads = accesses.any(|access| !matches!(access, OpAccess::Write | OpAccess::CondWrite));
    Some(((base, code.memory_displacement64()), reads))
}

/// True if the instruction stores a register in which arguments are passed.
fn is_argument(code: &Instruction) -> bool {
    let is_store = code.mnemonic() == Mnemonic::Mov && code.op0_kind() == OpKind::Memory;
    let register = match code.op1_kind() {
        OpKind::Register => code.op1_register().full_register(),
        _ => Register::None,
    };
    is_store
        && matches!(
            register,
            Register::RDI
                | Register::RSI
                | Register::RDX
                | Register::RCX
                | Register::R8
                | Register::R9
        )
}

/// True if the instruction saves a register for the caller that only optimised code needs.
fn saves(code: &Instruction) -> bool {
    code.mnemonic() == Mnemonic::Push
        && matches!(
            code.op0_register(),
            Register::R12 | Register::R13 | Register::R14 | Register::R15
        )
}

/// True for `xor eax,eax` and the like, which read nothing.
fn is_zeroing(code: &Instruction) -> bool {
    let is_exclusive = matches!(
        code.mnemonic(),
        Mnemonic::Xor | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Vpxor | Mnemonic::Vxorps
    );
    is_exclusive
        && code.op0_kind() == OpKind::Register
        && code.op0_register() == code.op1_register()
}

fn is_padding(code: &Instruction) -> bool {
    matches!(
        code.mnemonic(),
        Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Int3 | Mnemonic::INVALID
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Machine code by compiler of `int f(int *a, int n)`, which adds up the elements that are larger than the sum so far.
    const UNOPTIMISED: [(&str, &str); 4] = [
        (
            "gcc -O0",
            "554889e548897de88975e4c745fc00000000c745f800000000eb388b45f84898488d148500000000488b45e84801d08b00\
             3945fc7d198b45f84898488d148500000000488b45e84801d08b000145fc8345f8018b45f83b45e47cc08b45fc5dc3",
        ),
        (
            "gcc -O0 -fomit-frame-pointer",
            "48897c24e8897424e4c74424fc00000000c74424f800000000eb3f8b4424f84898488d148500000000488b4424e84801d0\
             8b00394424fc7d1c8b4424f84898488d148500000000488b4424e84801d08b00014424fc834424f8018b4424f83b4424e4\
             7cb78b4424fcc3",
        ),
        (
            "clang -O0",
            "554889e548897df88975f4c745f000000000c745ec000000008b45ec3b45f47d2e488b45f848634dec8b04883b45f07e11\
             488b45f848634dec8b04880345f08945f0eb008b45ec83c0018945ecebca8b45f05dc3",
        ),
        (
            "clang -O0 -fomit-frame-pointer",
            "48897c24f8897424f4c74424f000000000c74424ec000000008b4424ec3b4424f47d37488b4424f848634c24ec8b04883b\
             4424f07e15488b4424f848634c24ec8b0488034424f0894424f0eb008b4424ec83c001894424ecebbf8b4424f0c3",
        ),
    ];
    const OPTIMISED: [(&str, &str); 2] = [
        (
            "gcc -O1",
            "85f67e234889fa4863f6488d3cb7b8000000008b0a8d340839c10f4fc64883c2044839fa75edc3b800000000c3",
        ),
        (
            "clang -O1, with a frame pointer",
            "554889e585f67e1f89f131d231f6eb0c01f048ffc289c64839d1740d8b049739f07fed31c0ebe931c05dc3",
        ),
    ];

    fn code(hex: &str) -> Vec<Instruction> {
        let digits: Vec<char> = hex.chars().collect();
        let bytes = digits.chunks(2).map(|pair| {
            let pair: String = pair.iter().collect();
            u8::from_str_radix(&pair, 16).unwrap()
        });
        let bytes: Vec<u8> = bytes.collect();
        Decoder::with_ip(64, &bytes, 0x1000, DecoderOptions::NONE)
            .into_iter()
            .collect()
    }

    #[test]
    fn code_tells_how_it_was_compiled_with_frame_pointers_and_without() {
        for (compiler, hex) in UNOPTIMISED {
            let habits = Habits::of(code(hex).iter());
            assert_eq!(
                habits.verdict(),
                Compiled::Unoptimised,
                "{compiler}: {habits:?}"
            );
        }
        for (compiler, hex) in OPTIMISED {
            let habits = Habits::of(code(hex).iter());
            assert_eq!(
                habits.verdict(),
                Compiled::Optimised,
                "{compiler}: {habits:?}"
            );
        }
    }

    #[test]
    fn a_function_that_only_returns_a_number_tells_nothing() {
        let habits = Habits::of(code("554889e5b8010000005dc3").iter());
        assert_eq!(habits.verdict(), Compiled::Unclear);
    }

    #[test]
    fn gccs_options_are_believed() {
        for (producer, compiled) in [
            (
                "GNU C++17 12.2.0 -mtune=generic -g",
                Some(Compiled::Unoptimised),
            ),
            (
                "GNU C++17 12.2.0 -mtune=generic -g -O2",
                Some(Compiled::Optimised),
            ),
            ("GNU C17 12.2.0 -g -O2 -O0", Some(Compiled::Unoptimised)),
            ("clang version 19.1.0", None),
            ("", None),
        ] {
            assert_eq!(of_producer(producer), compiled, "{producer}");
        }
    }
}
