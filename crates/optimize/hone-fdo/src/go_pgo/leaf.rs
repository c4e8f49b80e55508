//! Finds the frame that is missing behind a leaf.
//!
//! The kernel walks frame pointers. Go's small leaf functions set up no frame, so the chain goes from the leaf to the
//! caller of its caller: the edge would join two functions of which neither calls the other. But the call before each
//! return address names the function that was called there. If this function is not the leaf, it is the missing
//! function, and its code shows where it calls the leaf.
//!
//! Chains from other sources (from unwind information, as with `hone record -g`) miss nothing. The kind of the chains
//! is known from the leaves whose next frame goes on behind a direct call: in complete chains this call goes to the
//! leaf, in chains with gaps it never does.

use super::{Frame, Source};
use crate::code::Flow;
use crate::counts::add;
use hone_profile::Svma;
use rustc_hash::FxHashMap;

/// Opcode of `call rel32`.
const CALL: u8 = 0xe8;
const CALL_BYTES: u64 = 5;

/// Bytes of `push %rbp; mov %rsp,%rbp`, which every Go function with a frame has near its start.
const FRAME_SETUP: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
const PROLOGUE_BYTES: u64 = 48;

/// Result of the search for the caller of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Caller {
    /// The next frame of the chain is the caller.
    Next,
    /// The frame of this call is missing between the leaf and the next frame.
    Missing(Svma),
    /// A frame is missing, but its function or its call of the leaf is not known.
    Unknown,
}

/// Votes of the leaves on whether frames are missing in the chains.
#[derive(Clone, Copy, Default)]
pub(super) struct Votes {
    /// Number of samples whose next frame called the leaf, which has no frame.
    whole: u64,
    /// Number of samples whose next frame called another function.
    with_gaps: u64,
}

impl Votes {
    /// Counts the samples of one chain, if its leaf shows the kind of the chain.
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

    /// Returns true if frames may be missing.
    pub(super) fn have_gaps(self) -> bool {
        self.with_gaps >= self.whole
    }
}

/// Results by (start of the leaf's function, return address).
#[derive(Default)]
pub(super) struct Leaves(FxHashMap<(Svma, Svma), Caller>);

impl Leaves {
    /// Finds the caller of the leaf; the next frame of its chain goes on at `return_to`.
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
    /// Returns the target of the direct call at an address.
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

/// Returns true if the frame pointer is the leaf's own when this instruction runs: not in a function without a frame,
/// not before the frame is set up, and not at the return.
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
