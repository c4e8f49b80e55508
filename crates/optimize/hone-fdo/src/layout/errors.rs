//! Finds the blocks that exist for errors only: they lead to nothing but a throw, a panic, an abort, a trap or the making
//! of an error value, or they are reached only by the unwinder or from other error blocks.
//!
//! These blocks are known from names of functions that report errors or make them, and from the project's own functions
//! that lead only to such functions. `exit` is not among them, because ordinary work ends with `exit` too.

use super::blocks::Blocks;
use hone_profile::Svma;
use hone_symbols::{Binary, demangle};
use iced_x86::{FlowControl, Instruction, Mnemonic, OpKind};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Maximum size in bytes of a function that is searched for a way to an error.
const FUNCTION_BYTES_MAX: u64 = 4096;
/// Maximum depth of calls that are searched.
const DEPTH_MAX: u32 = 3;

/// Functions that report an error and do not come back, by symbol; and the function that begins the code of a `catch`,
/// which the program's ordinary work does not reach.
const SYMBOLS: [&str; 22] = [
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_begin_catch",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_throw_bad_array_new_length",
    "__cxa_pure_virtual",
    "__cxa_call_unexpected",
    "__cxa_call_terminate",
    "__clang_call_terminate",
    "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow",
    "abort",
    "__assert_fail",
    "__assert",
    "__assert_perror_fail",
    "__stack_chk_fail",
    "__chk_fail",
    "__fortify_fail",
    "__longjmp_chk",
    "raise_assert",
    "_ZSt9terminatev",
];

/// Starts of the readable names of functions that report an error and do not come back.
const NAMES: [&str; 18] = [
    "std::__throw_",
    "std::__1::__throw_",
    "std::terminate",
    "std::rethrow_exception",
    "core::panicking::",
    "std::panicking::begin_panic",
    "std::panicking::panic_handler",
    "std::panicking::panic_with_hook",
    "std::panicking::rust_panic",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_",
    "core::str::slice_error_fail",
    "alloc::alloc::handle_alloc_error",
    "alloc::raw_vec::handle_error",
    "runtime.panic",
    "runtime.goPanic",
];

/// Functions of Go that make an error, which their callers return. If `fmt.Errorf` is inlined, its code calls
/// `fmt.errorf`.
const MAKERS: [&str; 5] = [
    "fmt.Errorf",
    "fmt.errorf",
    "errors.New",
    "errors.Join",
    "os.NewSyscallError",
];

/// Type whose methods are called by code of Hone's Thrift compiler if a message is not as expected: wrong, or with fields
/// that are in another order, unknown or missing.
const THRIFT: &str = "hone/go/thrift.(*Decoder).";
const THRIFT_METHODS: [&str; 5] = ["fail", "missing", "missingNth", "Rest", "RestOfMany"];

fn is_error_name(symbol: &str) -> bool {
    if SYMBOLS.contains(&symbol) || matches!(symbol, "runtime.gopanic" | "runtime.throw") {
        return true;
    }
    if makes_go_error(symbol) {
        return true;
    }
    let name = demangle(symbol);
    NAMES.iter().any(|start| name.starts_with(start))
}

/// Returns true if a function of Go makes an error, by the names in the standard library, Thrift and usual error packages.
fn makes_go_error(symbol: &str) -> bool {
    let name = symbol.split('[').next().unwrap_or(symbol);
    let Some((_, own)) = name.rsplit_once('.') else {
        return false;
    };
    let is_made = ["Error", "Exception"]
        .iter()
        .any(|kind| own.contains(kind) && (own.starts_with("New") || own.starts_with("new")));
    let of_thrift = name.strip_prefix(THRIFT);
    MAKERS.contains(&name)
        || is_made
        || own.starts_with("PrependError")
        || name.starts_with("github.com/pkg/errors.")
        || of_thrift.is_some_and(|method| THRIFT_METHODS.contains(&method))
}

/// Symbol of the method table of the errors that Go's `errors.New` makes. Only code that makes such an error refers to the
/// table, so the symbol also shows an inlined `errors.New`.
const GO_ERROR: &str = "go:itab.*errors.errorString,error";

/// Role of an instruction with regard to errors and the growth of stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Ordinary,
    /// End of the program's ordinary work.
    ErrorEnd,
    /// Call by which a function of Go gets a larger stack.
    StackGrowth,
}

/// Finds the ends of ordinary work: calls of functions that report errors or make them.
pub(super) struct ErrorCalls<'e, 'b> {
    binary: &'e Binary<'b>,
    /// Address of [`GO_ERROR`].
    go_error: Option<Svma>,
    known: RefCell<FxHashMap<Svma, bool>>,
    depth: RefCell<u32>,
}

impl<'e, 'b> ErrorCalls<'e, 'b> {
    pub(super) fn new(binary: &'e Binary<'b>) -> Self {
        Self {
            binary,
            go_error: binary.address_of(GO_ERROR),
            known: RefCell::default(),
            depth: RefCell::default(),
        }
    }

    pub(super) fn role_of(&self, instruction: &Instruction) -> Role {
        let is_direct = instruction.op0_kind() == OpKind::NearBranch64;
        let is_error_end = match instruction.flow_control() {
            FlowControl::Call if is_direct && self.grows_stack(instruction) => {
                return Role::StackGrowth;
            }
            FlowControl::Call | FlowControl::UnconditionalBranch if is_direct => {
                self.is_for_errors(Svma(instruction.near_branch_target()))
            }
            FlowControl::IndirectCall | FlowControl::IndirectBranch
                if instruction.is_ip_rel_memory_operand() =>
            {
                let slot = Svma(instruction.ip_rel_memory_address());
                let symbol = self.binary.plt().slot_symbol(slot);
                symbol.is_some_and(is_error_name)
            }
            _ => match instruction.mnemonic() {
                Mnemonic::Ud2 => true,
                Mnemonic::Lea if instruction.is_ip_rel_memory_operand() => {
                    self.go_error == Some(Svma(instruction.ip_rel_memory_address()))
                }
                _ => false,
            },
        };
        match is_error_end {
            true => Role::ErrorEnd,
            false => Role::Ordinary,
        }
    }

    fn grows_stack(&self, call: &Instruction) -> bool {
        let called = Svma(call.near_branch_target());
        let function = self.binary.functions().starting_at(called);
        function.is_some_and(|function| function.name.starts_with("runtime.morestack"))
    }

    fn is_for_errors(&self, target: Svma) -> bool {
        if let Some(stub) = self.binary.plt_entry_at(target) {
            return stub.symbol.is_some_and(is_error_name);
        }
        let Some(function) = self.binary.functions().starting_at(target) else {
            return false;
        };
        if let Some(&known) = self.known.borrow().get(&target) {
            return known;
        }
        // A function that calls itself is asked for again; until the answer is known, it counts as a function that returns.
        self.known.borrow_mut().insert(target, false);
        let names = || std::iter::once(&function.name).chain(&function.aliases);
        let is_one = names().any(|name| is_error_name(name)) || {
            let is_small = function.size() <= FUNCTION_BYTES_MAX;
            let code = self.binary.bytes_at(target, function.size());
            match code {
                Some(code) if is_small && *self.depth.borrow() < DEPTH_MAX => {
                    *self.depth.borrow_mut() += 1;
                    let blocks = Blocks::of(code, target, self);
                    *self.depth.borrow_mut() -= 1;
                    leads_to_error(&blocks).first().copied().unwrap_or(false)
                }
                _ => false,
            }
        };
        self.known.borrow_mut().insert(target, is_one);
        is_one
    }
}

/// Returns, for each block, true if all paths from the block lead to an error.
fn leads_to_error(blocks: &Blocks) -> Vec<bool> {
    let mut leads: Vec<bool> = blocks.all.iter().map(|block| block.is_error_end).collect();
    let before = blocks.before();
    let mut open: Vec<usize> = (0..leads.len()).filter(|&index| leads[index]).collect();
    while let Some(error) = open.pop() {
        for &index in &before[error] {
            let block = &blocks.all[index];
            let mut ways = (block.next.iter()).filter(|&&next| !blocks.all[next].grows_stack);
            if !leads[index] && !block.may_leave && ways.all(|&next| leads[next]) {
                leads[index] = true;
                open.push(index);
            }
        }
    }
    leads
}

/// Returns, for each block, true if the block exists for errors only.
pub(super) fn for_errors(blocks: &Blocks) -> Vec<bool> {
    let leads = leads_to_error(blocks);
    let before = blocks.before();
    let mut is_ordinary = vec![false; leads.len()];
    // A block to which nothing leads is a landing pad, unless a jump table may lead to the block.
    let is_entry =
        |index: usize| index == 0 || (blocks.has_unknown_jumps && before[index].is_empty());
    let mut open: Vec<usize> = (0..leads.len())
        .filter(|&index| is_entry(index) && !leads[index])
        .collect();
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut is_ordinary[index], true) {
            continue;
        }
        let next = blocks.all[index].next.iter();
        open.extend(next.filter(|&&next| !leads[next] && !is_ordinary[next]));
    }
    let each = blocks.all.iter().zip(is_ordinary);
    each.map(|(block, is_ordinary)| !is_ordinary && !block.is_padding)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_reporters_are_known_in_every_language() {
        for symbol in [
            "__cxa_throw",
            "_ZSt20__throw_length_errorPKc",
            "_ZN4core9panicking5panic17h0123456789abcdefE",
            "_ZN3std9panicking11begin_panic17h0123456789abcdefE",
            "_ZN4core6option13unwrap_failed17h0123456789abcdefE",
            "runtime.panicIndex",
            "fmt.Errorf",
            "github.com/apache/thrift/lib/go/thrift.NewTProtocolExceptionWithType",
            "github.com/apache/thrift/lib/go/thrift.PrependError",
            "hone/go/thrift.(*Decoder).Rest",
        ] {
            assert!(is_error_name(symbol), "{symbol}");
        }
        for symbol in [
            "exit",
            "memcpy",
            "_ZNSt6vectorIiE9push_backEi",
            "throwaway",
            "main.New",
            "main.(*Errors).Len",
            "hone/go/thrift.New[go.shape.struct { Error string }]",
            // The first is called by each guard of a lock; the second is below every `main` on the stack.
            "_ZN3std9panicking11panic_count17is_zero_slow_path17h0123456789abcdefE",
            "_ZN3std9panicking3try17h0123456789abcdefE",
        ] {
            assert!(!is_error_name(symbol), "{symbol}");
        }
    }
}
