//! The string comparisons of SSE4.2. Results are known only if all operands are known.

use crate::decode::Entry;
use crate::end::Flow;
use crate::known_bits::Bits;
use crate::machine::{Machine, RAX, RCX, RDX};
use crate::state::Vector;
use crate::state::flag::{CF, OF, SF, STATUS, ZF};
use crate::step::Step;
use iced_x86::Mnemonic::{self, *};

pub(super) fn entry(mnemonic: Mnemonic) -> Option<Entry> {
    Entry::plain(match mnemonic {
        Pcmpistri | Vpcmpistri => |m, step| run(m, step, None, true),
        Pcmpistrm | Vpcmpistrm => |m, step| run(m, step, None, false),
        Pcmpestri | Vpcmpestri => |m, step| run(m, step, Some(4), true),
        Pcmpestrm | Vpcmpestrm => |m, step| run(m, step, Some(4), false),
        Pcmpestri64 | Vpcmpestri64 => |m, step| run(m, step, Some(8), true),
        Pcmpestrm64 | Vpcmpestrm64 => |m, step| run(m, step, Some(8), false),
        _ => return None,
    })
}

/// An operand: its elements and the number of valid elements.
struct Text {
    elements: [i32; 16],
    length: usize,
}

/// Fields of the immediate.
struct Control {
    words: bool,
    with_sign: bool,
    aggregation: u8,
    polarity: u8,
    high: bool,
}

impl Control {
    fn new(immediate: u8) -> Self {
        Self {
            words: immediate & 1 != 0,
            with_sign: immediate & 2 != 0,
            aggregation: immediate >> 2 & 3,
            polarity: immediate >> 4 & 3,
            high: immediate & 0x40 != 0,
        }
    }

    fn count(&self) -> usize {
        if self.words { 8 } else { 16 }
    }

    fn text(&self, vector: &Vector, length: Option<usize>) -> Text {
        let mut elements = [0; 16];
        for (index, out) in elements[..self.count()].iter_mut().enumerate() {
            *out = match (self.words, self.with_sign) {
                (false, false) => i32::from(vector.bytes[index]),
                (false, true) => i32::from(vector.bytes[index] as i8),
                (true, with_sign) => {
                    let word = super::lanes::get::<2>(&vector.bytes, index) as u16;
                    if with_sign {
                        i32::from(word as i16)
                    } else {
                        i32::from(word)
                    }
                }
            };
        }
        let zero = elements[..self.count()]
            .iter()
            .position(|&element| element == 0);
        let length = length.unwrap_or(zero.unwrap_or(16)).min(self.count());
        Text { elements, length }
    }

    /// Computes one bit per element of `b`, before the polarity is applied.
    fn aggregate(&self, a: &Text, b: &Text) -> u32 {
        let count = self.count();
        let holds = |index: usize| match self.aggregation {
            0 => index < b.length && a.elements[..a.length].contains(&b.elements[index]),
            1 => {
                let within = |pair: &[i32]| matches!(pair, [low, high] if (*low..=*high).contains(&b.elements[index]));
                index < b.length && a.elements[..a.length].chunks(2).any(within)
            }
            2 => match (index < a.length, index < b.length) {
                (true, true) => a.elements[index] == b.elements[index],
                (a_valid, b_valid) => a_valid == b_valid,
            },
            _ => (0..a.length.min(count - index))
                .all(|at| index + at < b.length && a.elements[at] == b.elements[index + at]),
        };
        (0..count).fold(0, |bits, index| bits | u32::from(holds(index)) << index)
    }

    fn result(&self, a: &Text, b: &Text) -> u32 {
        let all = (1 << self.count()) - 1;
        let valid = (1_u32 << b.length) - 1;
        let bits = self.aggregate(a, b);
        match self.polarity {
            1 => bits ^ all,
            3 => bits ^ valid,
            _ => bits,
        }
    }
}

/// Returns the magnitude of an explicit length, at most 16.
fn length_of(m: &Machine<'_>, register: usize, bytes: u8) -> Option<usize> {
    let bits = m.state.gprs[register].sign_extended(bytes).get()?;
    Some((bits as i64).unsigned_abs().min(16) as usize)
}

fn run(m: &mut Machine<'_>, step: &Step, explicit: Option<u8>, index: bool) -> Flow {
    let (a, b) = (m.read_vector(step, 0)?, m.read_vector(step, 1)?);
    let control = Control::new(step.immediate as u8);
    let lengths = match explicit {
        None => Some((None, None)),
        Some(bytes) => length_of(m, RAX, bytes)
            .zip(length_of(m, RDX, bytes))
            .map(|(a, b)| (Some(a), Some(b))),
    };
    let known = a.known & b.known & 0xffff == 0xffff;
    let Some((length_a, length_b)) = lengths.filter(|_| known) else {
        m.forget_flags(STATUS);
        if index {
            m.set_gpr(RCX, 4, Bits::unknown_below(0x1f));
        } else {
            set_mask(m, step, &Vector::UNKNOWN);
        }
        return Ok(());
    };
    let (a, b) = (control.text(&a, length_a), control.text(&b, length_b));
    let bits = control.result(&a, &b);
    if index {
        let found = match (bits, control.high) {
            (0, _) => control.count() as u32,
            (bits, false) => bits.trailing_zeros(),
            (bits, true) => 31 - bits.leading_zeros(),
        };
        m.set_gpr(RCX, 4, Bits::known(u64::from(found)));
    } else {
        set_mask(m, step, &mask_of(&control, bits));
    }
    let flag = |which: u64, truth: bool| if truth { which } else { 0 };
    let flags = flag(CF, bits != 0)
        | flag(ZF, b.length < control.count())
        | flag(SF, a.length < control.count())
        | flag(OF, bits & 1 != 0);
    m.set_flags(STATUS, flags);
    Ok(())
}

/// Returns the result of the mask forms: as bits, or as one element of ones per bit.
fn mask_of(control: &Control, bits: u32) -> Vector {
    let mut mask = Vector::ZERO;
    if !control.high {
        mask.bytes[..4].copy_from_slice(&bits.to_le_bytes());
        return mask;
    }
    let size = 16 / control.count();
    for (index, element) in mask.bytes[..16].chunks_exact_mut(size).enumerate() {
        if bits >> index & 1 != 0 {
            element.fill(0xff);
        }
    }
    mask
}

/// Writes the result of the mask forms to xmm0.
fn set_mask(m: &mut Machine<'_>, step: &Step, mask: &Vector) {
    let target = &mut m.state.vectors[0];
    target.bytes[..16].copy_from_slice(&mask.bytes[..16]);
    target.known = (target.known & !0xffff) | (mask.known & 0xffff);
    if step.clears_upper {
        target.bytes[16..].fill(0);
        target.known |= !0xffff;
    }
}
