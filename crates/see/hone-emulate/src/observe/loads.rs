//! Loads: how often an instruction reads far from where it read before, and over how many cache lines in all.
//!
//! A CPU fetches neighbouring lines before they are asked for, and those that follow at the same short distance. A load that goes elsewhere
//! each time waits for a cache further out, if it goes over more lines than the near caches hold.

use super::Met;
use crate::state::State;
use crate::step::{Kind, NO_REGISTER, Repeat, Segment, Step};
use hone_profile::{Avma, Jump, Watched};
use iced_x86::Mnemonic::{self, *};

/// Number of instructions whose loads are counted in one walk; a power of two.
const LOADS_MAX: usize = 128;
/// Number of loads that are counted in one walk, so that a long walk costs little more.
const COUNTED_MAX: u32 = 1024;
/// One line of so many is told: those whose hashes are small.
pub const LINES_ONE_OF: u32 = 16;
const LINE_BITS: u32 = 6;
/// Strides from which CPUs fetch nothing ahead (Intel's optimisation manual, "Data Prefetching": up to 2 KiB).
const STRIDE_FAR: u64 = 2048;
/// Bytes from a pointer within which an address is a field of what the pointer leads to.
const FIELDS_BYTES: u64 = 4096;
/// Number of the register that loads from the stack have as their base.
const STACK_POINTER: u8 = 4;

/// Returns the hash of an address's cache line, the multiplicative one of Fibonacci, if the line is one of those that are told.
#[inline(always)]
fn sampled_line(address: u64) -> Option<u32> {
    let hash = (address >> LINE_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let hash = hash as u32;
    (hash < u32::MAX / LINES_ONE_OF).then_some(hash)
}

/// Returns true if the step loads from an address that can change: not from the stack, nor from a place that the code names.
pub(super) fn loads(mnemonic: Mnemonic, step: &Step) -> bool {
    let reads = match mnemonic {
        Lea | Nop | Prefetchw | Prefetchnta | Prefetcht0 | Prefetcht1 | Prefetcht2 => false,
        Cmp | Test => step.is_memory(0) || step.is_memory(1),
        _ => (1..4).any(|operand| step.is_memory(operand)),
    };
    let address = &step.address;
    let has_register = address.index != NO_REGISTER
        || (address.base != NO_REGISTER && address.base != STACK_POINTER);
    let is_plain = address.segment == Segment::Flat && step.repeat == Repeat::No && step.mask == 0;
    reads && has_register && is_plain
}

/// Loads of one instruction in one walk.
#[derive(Clone, Copy, Default)]
struct Load {
    at: u64,
    address: u64,
    /// What was loaded, if it may be an address; else 0.
    value: u64,
    stride: u64,
    executions: u32,
    far: u32,
    chased: u32,
    strided: u32,
}

/// Loads of one walk, by instruction: those that come first where two take one place.
pub(super) struct Loads {
    places: Box<[Load]>,
    /// Place and hash of each load of a line that is told.
    lines: Vec<(usize, u32)>,
    counted: u32,
}

impl Default for Loads {
    fn default() -> Self {
        Self {
            places: vec![Load::default(); LOADS_MAX].into(),
            lines: Vec::with_capacity(COUNTED_MAX as usize / 8),
            counted: 0,
        }
    }
}

impl Loads {
    pub(super) fn start(&mut self) {
        self.counted = 0;
        self.lines.clear();
        for load in &mut self.places {
            load.at = 0;
        }
    }

    /// True if the walk counts more loads.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.counted < COUNTED_MAX
    }

    /// Counts a load that has run.
    #[inline(always)]
    pub(super) fn count(&mut self, state: &State, step: &Step, address: u64) {
        let place = (step.at ^ step.at >> 7) as usize % LOADS_MAX;
        let load = &mut self.places[place];
        self.counted += 1;
        let value = loaded_address(state, step);
        if load.at == step.at {
            load.again(address, value);
        } else if load.at == 0 {
            *load = Load {
                at: step.at,
                address,
                value,
                ..Load::default()
            };
        } else {
            return;
        }
        if let Some(line) = sampled_line(address) {
            self.lines.push((place, line));
        }
    }

    /// Returns what was met at the instructions that loaded more than once.
    pub(super) fn met(&self) -> impl Iterator<Item = Met> {
        let places = self.places.iter().enumerate();
        let repeated = places.filter(|(_, load)| load.at != 0 && load.executions > 0);
        repeated.map(|(place, load)| {
            let here = self.lines.iter().filter(move |(of, _)| *of == place);
            Met {
                at: Avma(load.at),
                watched: Watched::Loads,
                executions: load.executions.into(),
                odd: load.far.into(),
                value: load.jump().to_value(),
                lines: here.map(|(_, line)| *line).collect(),
            }
        })
    }
}

impl Load {
    #[inline(always)]
    fn again(&mut self, address: u64, value: u64) {
        let stride = address.wrapping_sub(self.address);
        let lines = (address >> LINE_BITS).abs_diff(self.address >> LINE_BITS);
        let is_stride = stride == self.stride;
        let is_short = (stride as i64).unsigned_abs() < STRIDE_FAR;
        self.executions += 1;
        if lines > 1 && !(is_stride && is_short) {
            self.far += 1;
            self.chased += u32::from(address.wrapping_sub(self.value) < FIELDS_BYTES);
            self.strided += u32::from(is_stride);
        }
        (self.address, self.value, self.stride) = (address, value, stride);
    }

    /// Tells how most of the far loads came to their addresses. Of strides the first has none before it.
    fn jump(&self) -> Jump {
        let most = |of: u32| of > 0 && of * 2 >= self.far;
        match () {
            () if most(self.chased) => Jump::Chased,
            () if most(self.strided) => Jump::Stride((self.stride as i64).unsigned_abs()),
            () => Jump::Scattered,
        }
    }
}

/// Returns what a step has loaded into a register of 8 bytes; else 0.
#[inline(always)]
fn loaded_address(state: &State, step: &Step) -> u64 {
    let [result, ..] = step.operands;
    match result.kind {
        Kind::Gpr if result.bytes == 8 => {
            let loaded = state.gprs[usize::from(result.index & 15)];
            loaded.get().unwrap_or_default()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_sixteen_is_told_wherever_in_it_a_load_reads() {
        for start in [0_u64, 0x7f00_0000_0000] {
            let told =
                |stride| (0..100_000_u64).filter_map(move |i| sampled_line(start + i * stride));
            for stride in [64, 128, 8192] {
                let share = told(stride).count() as f64 / 100_000.0;
                assert!((0.05..0.08).contains(&share), "{stride}: {share}");
            }
            assert_eq!(sampled_line(start), sampled_line(start + 63));
        }
    }

    fn jump(addresses: impl IntoIterator<Item = (u64, u64)>) -> (u32, u32, Jump) {
        let mut addresses = addresses.into_iter();
        let (address, value) = addresses.next().unwrap();
        let mut load = Load {
            address,
            value,
            ..Load::default()
        };
        for (address, value) in addresses {
            load.again(address, value);
        }
        (load.executions, load.far, load.jump())
    }

    #[test]
    fn loads_are_near_strided_chased_or_scattered() {
        assert_eq!(jump((0..99).map(|i| (4096 + i * 64, 0))).1, 0);
        assert_eq!(jump((0..99).map(|i| (99_999 - i * 64, 0))).1, 0);
        let fetched_ahead = jump((0..99).map(|i| (4096 + i * 128, 4096 + i * 128 + 128)));
        assert_eq!(fetched_ahead.1, 1, "the first has no stride before it");
        let columns = jump((0..99).map(|i| (4096 + i * 8192, 0)));
        assert_eq!(columns, (98, 98, Jump::Stride(8192)));
        let back = jump((0..99).map(|i| (1_000_000 - i * 8192, 0)));
        assert_eq!(back, (98, 98, Jump::Stride(8192)));
        let node = |i: u64| 0x5555_0000_0000 + i * i % 997 * 8192;
        let chain = jump((1..99).map(|i| (node(i) + 8, node(i + 1))));
        assert_eq!(chain.2, Jump::Chased);
        let scattered = jump((1..99).map(|i| (node(i), 7)));
        assert_eq!(scattered.2, Jump::Scattered);
    }
}
