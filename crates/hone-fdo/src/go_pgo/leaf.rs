//! The frame that is missing behind a leaf.
//!
//! The kernel walks frame pointers. A function that sets up no frame, as Go's small leaf functions do, is on
//! no such chain, so the chain goes from the leaf to its caller's caller: the edge would be of two
//! functions of which neither calls the other. But the call before each return address names the function
//! that was called there. If that is not the leaf, it is the one that is missing, and where it calls the
//! leaf is in its code.
//!
//! Chains of other makers (from unwind information, as `hone record -g` has them) miss nothing. Which kind it is, tell
//! the leaves whose next frame goes on behind a direct call: on chains of the one kind it calls the leaf, on the other
//! it never does.

use super::{Frame, Source};
use crate::code::Flow;
use crate::counts::add;
use hone_profile::Svma;
use rustc_hash::FxHashMap;

/// `call rel32`
const CALL: u8 = 0xe8;
const CALL_BYTES: u64 = 5;

/// `push %rbp; mov %rsp,%rbp`, as every Go function with a frame has it near its start.
const FRAME_SETUP: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
const PROLOGUE_BYTES: u64 = 48;

/// What is to be done about a leaf and its caller on the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Caller {
    /// The chain is right.
    Next,
    /// This call lies between.
    Missing(Svma),
    /// Something lies between, and nobody knows what.
    Unknown,
}

/// What chains are made from, as far as their leaves tell.
#[derive(Clone, Copy, Default)]
pub(super) struct Votes {
    /// Samples whose next frame called a leaf without a frame.
    whole: u64,
    /// Samples whose next frame called something else.
    with_gaps: u64,
}

impl Votes {
    /// Counts the samples of one chain, if it tells.
    pub(super) fn add(&mut self, leaf: Svma, return_to: Svma, source: &Source<'_>, samples: u64) {
        let Some(function) = source.binary.function_at(leaf) else {
            return;
        };
        let call = Svma(return_to.0.wrapping_sub(CALL_BYTES));
        if let Some(called) = source.call_target(call)
            && !has_frame(leaf, function.start, source)
        {
            let is_caller = called == function.start;
            add(
                if is_caller {
                    &mut self.whole
                } else {
                    &mut self.with_gaps
                },
                samples,
            );
        }
    }

    /// Whether frames may be missing.
    pub(super) fn have_gaps(self) -> bool {
        self.with_gaps >= self.whole
    }
}

/// Answers by (start of the leaf's function, return address).
#[derive(Default)]
pub(super) struct Leaves(FxHashMap<(Svma, Svma), Caller>);

impl Leaves {
    /// Who called the leaf, if the next frame of its chain goes on at `return_to`.
    pub(super) fn caller(&mut self, leaf: Svma, return_to: Svma, source: &Source<'_>) -> Caller {
        let Some(function) = source.binary.function_at(leaf) else {
            return Caller::Next;
        };
        let start = function.start;
        if has_frame(leaf, start, source) {
            return Caller::Next;
        }
        *self
            .0
            .entry((start, return_to))
            .or_insert_with(|| find(start, return_to, source))
    }
}

fn find(leaf: Svma, return_to: Svma, source: &Source<'_>) -> Caller {
    let call = Svma(return_to.0.wrapping_sub(CALL_BYTES));
    let Some(called) = source.call_target(call) else {
        return Caller::Unknown;
    };
    if called == leaf {
        return Caller::Next;
    }
    let Some(between) = source.binary.functions().starting_at(called) else {
        return Caller::Next;
    };
    let instructions = source.code.of_function(between);
    let sites = |wanted: &dyn Fn(Svma, Flow) -> bool| -> Vec<Svma> {
        (0..instructions.len())
            .filter(|&index| wanted(instructions.address(index), instructions.flow(index)))
            .map(|index| instructions.address(index))
            .collect()
    };
    let mut found = sites(&|at, flow| flow == Flow::Call && source.call_target(at) == Some(leaf));
    if found.is_empty() {
        found = sites(&|_, flow| flow == Flow::IndirectCall);
    }
    let line = |at: Svma| -> Option<Frame<'_>> { source.frames(at).first().copied() };
    match found[..] {
        [first, ref rest @ ..] if rest.iter().all(|&at| line(at) == line(first)) => {
            Caller::Missing(first)
        }
        _ => Caller::Unknown,
    }
}

impl Source<'_> {
    /// Where the direct call at an address goes.
    pub(super) fn call_target(&self, call: Svma) -> Option<Svma> {
        let bytes: [u8; CALL_BYTES as usize] =
            self.binary.bytes_at(call, CALL_BYTES)?.try_into().ok()?;
        let [CALL, distance @ ..] = bytes else {
            return None;
        };
        let distance = i64::from(i32::from_le_bytes(distance));
        let next = call.0.wrapping_add(CALL_BYTES);
        Some(Svma(next.wrapping_add_signed(distance)))
    }
}

/// Whether the frame pointer is the leaf's own when this instruction runs: not in a function without a frame,
/// nor before it is set up, nor at the return.
fn has_frame(leaf: Svma, start: Svma, source: &Source<'_>) -> bool {
    let size = source.binary.function_at(start).map_or(0, |f| f.size());
    let bytes = source.binary.bytes_at(start, size.min(PROLOGUE_BYTES));
    let mut windows = bytes.unwrap_or_default().windows(FRAME_SETUP.len());
    let Some(setup) = windows.position(|window| window == FRAME_SETUP) else {
        return false;
    };
    let is_set_up = leaf.0 >= start.0 + (setup + FRAME_SETUP.len()) as u64;
    is_set_up && source.code.flow_at(leaf) != Flow::Return
}
