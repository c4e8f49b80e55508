//! Instructions that read the time stamp counter or the number of the CPU.
//!
//! The kernel's code in every process (the vDSO) computes times from these values. Where the walk knows them, the
//! vDSO yields a time that the program could have read, and the program's timers behave as usual.

use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::{Machine, RAX, RCX, RDX};
use crate::state::flag::ZF;
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

/// Ticks that an instruction takes on average: CPUs execute one to a few in a cycle.
const TICKS_PER_INSTRUCTION: u64 = 1;
/// Ticks that reading the counter takes.
const TICKS_PER_READ: u64 = 24;
/// The segment in whose limit Linux keeps the CPU's number, for CPUs without `rdpid`.
const CPU_NUMBER_SELECTOR: u64 = 0x7b;
/// Mask of the bits of a segment's limit.
const LIMIT: u64 = 0xf_ffff;

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Rdtsc => |m, _| {
            read_counter(m);
            Ok(())
        },
        Rdtscp => |m, _| {
            read_counter(m);
            let number = m.state.cpu_number;
            m.set_gpr(RCX, 4, number);
            Ok(())
        },
        Rdpid => |m, step| {
            let number = m.state.cpu_number.low(0xffff_ffff);
            m.write(step, 0, number)
        },
        Lsl => segment_limit,
        _ => return None,
    })
}

fn read_counter(m: &mut Machine<'_>) {
    m.clock_reads += 1;
    let passed = m.instructions * TICKS_PER_INSTRUCTION + m.clock_reads * TICKS_PER_READ;
    let now = m.state.time_stamp.get();
    let now = now.map_or(Bits::UNKNOWN, |start| {
        Bits::known(start.wrapping_add(passed))
    });
    m.set_gpr(RAX, 4, now);
    m.set_gpr(RDX, 4, now.shifted_right(32));
}

/// Runs `lsl`. Only the segment with the CPU's number is known; any other segment may not even exist.
fn segment_limit(m: &mut Machine<'_>, step: &Step) -> Flow {
    let selector = m.read(step, 1)?.within(0xffff);
    if selector == Some(CPU_NUMBER_SELECTOR) {
        let number = m.state.cpu_number.low(LIMIT);
        m.write(step, 0, number)?;
        m.set_flags(ZF, ZF);
        return Ok(());
    }
    // Without such a segment the register keeps its value, so it is not certain that the upper half is zero.
    let bytes = step.operands[0].bytes;
    let wide = if bytes == 4 { 8 } else { bytes };
    m.set_gpr(usize::from(step.operands[0].index), wide, Bits::UNKNOWN);
    m.forget_flags(ZF);
    Ok(())
}
