//! Conversion of the kernel's registers to the emulator's.

use crate::record_bytes;
use crate::sys::ptrace::{self, Registers};
use crate::sys::xstate::Layout;
use hone_emulate::{Bits, State, Vector};
use hone_profile::Avma;

/// Flags that describe the tracing or the CPU's mode, not the program: TF, RF and ID.
const FLAGS_NOT_THE_PROGRAMS: u64 = 1 << 8 | 1 << 16 | 1 << 21;
/// Offset in the XSAVE area of the mask of components that are in use.
const COMPONENTS_AT: usize = 512;
const SSE: u32 = 1;
const AVX: u32 = 2;
const MASKS: u32 = 5;
const ZMM_HIGH: u32 = 6;
const ZMM16: u32 = 7;

/// Returns all registers that ptrace reports for a stopped thread; `buffer` holds its extended registers for a moment.
pub(crate) fn stopped(
    tid: i32,
    registers: &Registers,
    layout: Layout,
    buffer: &mut Vec<u8>,
) -> State {
    let mut state = general(registers);
    if ptrace::extended_state(tid, buffer, layout.bytes).is_ok() {
        add_extended(&mut state, buffer, layout);
    }
    state
}

/// Returns the general registers of a stopped thread; the other registers are unknown.
fn general(registers: &Registers) -> State {
    let mut state = State::unknown(Avma(registers.rip));
    let gprs = [
        registers.rax,
        registers.rcx,
        registers.rdx,
        registers.rbx,
        registers.rsp,
        registers.rbp,
        registers.rsi,
        registers.rdi,
        registers.r8,
        registers.r9,
        registers.r10,
        registers.r11,
        registers.r12,
        registers.r13,
        registers.r14,
        registers.r15,
    ];
    state.gprs = gprs.map(Bits::known);
    state.rflags = Bits::partly(registers.eflags, !FLAGS_NOT_THE_PROGRAMS);
    state.fs_base = Bits::known(registers.fs_base);
    state.gs_base = Bits::known(registers.gs_base);
    state
}

/// Returns the general registers that came with a sample. The sample does not hold segments and vectors, which are
/// unknown.
pub(crate) fn sampled(registers: &record_bytes::Registers) -> State {
    let [ax, bx, cx, dx, si, di, bp, sp, ip, flags, _cs, high @ ..] = *registers;
    let mut state = State::unknown(Avma(ip));
    let low = [ax, cx, dx, bx, sp, bp, si, di];
    for (gpr, value) in state.gprs.iter_mut().zip(low.into_iter().chain(high)) {
        *gpr = Bits::known(value);
    }
    state.rflags = Bits::partly(flags, !FLAGS_NOT_THE_PROGRAMS);
    state
}

/// Adds the registers in the XSAVE area: vectors, opmasks and control words.
fn add_extended(state: &mut State, area: &[u8], layout: Layout) {
    let Some(components) = word(area, COMPONENTS_AT) else {
        return;
    };
    let has = |component: u32| components >> component & 1 != 0;
    state.x87_control = Bits::known(word(area, 0).unwrap_or(0) & 0xffff);
    state.mxcsr = Bits::known(word(area, 24).unwrap_or(0) & 0xffff_ffff);
    for (index, vector) in state.vectors.iter_mut().enumerate() {
        let mut bytes = [0; 64];
        // A component that is not in use holds zeros, whatever bytes are in the area. The vectors are known
        // even where the CPU lacks the component, since no instruction then reads it.
        let parts = match index {
            0..16 => [
                (SSE, 160 + index * 16, 0, 16),
                (AVX, layout.avx + index * 16, 16, 16),
                (ZMM_HIGH, layout.zmm_high + index * 32, 32, 32),
            ],
            _ => [(ZMM16, layout.zmm16 + (index - 16) * 64, 0, 64); 3],
        };
        for (component, from, to, len) in parts {
            if has(component)
                && let Some(part) = area.get(from..from + len)
            {
                bytes[to..to + len].copy_from_slice(part);
            }
        }
        *vector = Vector::known(bytes);
    }
    for (index, mask) in state.masks.iter_mut().enumerate() {
        let value = word(area, layout.masks + index * 8).filter(|_| has(MASKS));
        *mask = Bits::known(value.unwrap_or(0));
    }
}

fn word(area: &[u8], offset: usize) -> Option<u64> {
    let mut word = [0; 8];
    word.copy_from_slice(area.get(offset..offset + 8)?);
    Some(u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout {
        avx: 576,
        masks: 832,
        zmm_high: 896,
        zmm16: 1408,
        bytes: 2432,
    };

    /// Returns an area in which every byte is its offset modulo 251.
    fn area(components: u64) -> Vec<u8> {
        let mut area: Vec<u8> = (0..LAYOUT.bytes).map(|at| (at % 251) as u8).collect();
        area[COMPONENTS_AT..COMPONENTS_AT + 8].copy_from_slice(&components.to_le_bytes());
        area
    }

    #[test]
    fn a_register_is_put_together_from_three_places() {
        let mut state = State::unknown(Avma(0));
        add_extended(&mut state, &area(0xe7), LAYOUT);
        let expect = |at: usize| (at % 251) as u8;
        let vector = state.vectors[3];
        assert_eq!(vector.known, u64::MAX);
        assert_eq!(vector.bytes[0], expect(160 + 48));
        assert_eq!(vector.bytes[16], expect(576 + 48));
        assert_eq!(vector.bytes[32], expect(896 + 96));
        assert_eq!(state.vectors[17].bytes[5], expect(1408 + 64 + 5));
        assert_eq!(state.masks[2].value as u8, expect(832 + 16));
    }

    #[test]
    fn components_not_in_use_are_zero_and_known() {
        let mut state = State::unknown(Avma(0));
        add_extended(&mut state, &area(1 << SSE), LAYOUT);
        assert_ne!(state.vectors[3].bytes[0], 0);
        assert_eq!(state.vectors[3].bytes[16..], [0; 48]);
        assert_eq!(state.vectors[20], Vector::ZERO);
        assert_eq!(state.masks[7], Bits::known(0));
    }

    #[test]
    fn a_cut_area_leaves_everything_unknown() {
        let mut state = State::unknown(Avma(0));
        add_extended(&mut state, &[0; 100], LAYOUT);
        assert_eq!(state, State::unknown(Avma(0)));
    }
}
