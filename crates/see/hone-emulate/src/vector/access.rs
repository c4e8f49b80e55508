//! Reading and writing vector operands: broadcasts, opmasks, and the part of the register above the operand.

use crate::end::{End, Flow};
use crate::known_bits::Bits;
use crate::machine::Machine;
use crate::state::Vector;
use crate::step::{Kind, Step};

impl Machine<'_> {
    /// Reads an operand as a vector; bytes above its size mean nothing, except that they are 0 for a memory operand.
    #[inline]
    pub(crate) fn read_vector(&mut self, step: &Step, operand: usize) -> Result<Vector, End> {
        let operand_of = step.operands[operand];
        match operand_of.kind {
            Kind::Vector => Ok(self.state.vectors[usize::from(operand_of.index & 31)]),
            Kind::Memory => self.load_vector(step, operand_of.bytes),
            _ => {
                let bits = self.read(step, operand)?;
                let mut vector = Vector::ZERO;
                vector.bytes[..8].copy_from_slice(&bits.value.to_le_bytes());
                vector.known = !0xff | u64::from(crate::known_bits::bytes_of_bits(bits.known));
                Ok(vector)
            }
        }
    }

    fn load_vector(&mut self, step: &Step, bytes: u8) -> Result<Vector, End> {
        let address = self.address(step)?;
        if step.broadcast {
            return self.load_broadcast(step, address);
        }
        let mut vector = Vector::ZERO;
        let size = usize::from(bytes);
        let out = &mut vector.bytes[..size];
        match self.pages.load_bytes(self.memory, address, out) {
            Ok(known) => {
                vector.known = known | u64::MAX.checked_shl(u32::from(bytes)).unwrap_or(0);
                Ok(vector)
            }
            // Elements that the mask leaves out are not read and cannot fault.
            Err(End::UnreadableMemory(_)) if step.mask != 0 => {
                self.load_chosen(step, address, size)
            }
            Err(end) => Err(end),
        }
    }

    fn load_broadcast(&mut self, step: &Step, address: u64) -> Result<Vector, End> {
        let size = step.memory_element.clamp(1, 8);
        let bits = self.load(address, size)?;
        let mut vector = Vector::ZERO;
        let size = usize::from(size);
        for element in vector.bytes.chunks_exact_mut(size) {
            element.copy_from_slice(&bits.value.to_le_bytes()[..size]);
        }
        let unknown = u64::from(!crate::known_bits::bytes_of_bits(bits.known));
        for at in (0..64).step_by(size) {
            vector.known &= !((unknown & ((1 << size) - 1)) << at);
        }
        Ok(vector)
    }

    fn load_chosen(&mut self, step: &Step, address: u64, size: usize) -> Result<Vector, End> {
        let mask = self.state.masks[usize::from(step.mask & 7)];
        let element = usize::from(step.memory_element.max(1));
        let mut vector = Vector::ZERO;
        for index in 0..size / element {
            if mask.bit(index as u32) == Some(false) {
                continue;
            }
            let at = index * element;
            let out = &mut vector.bytes[at..at + element];
            let from = address.wrapping_add(at as u64);
            let known = self.pages.load_bytes(self.memory, from, out)?;
            let unknown = !known & ((1 << element) - 1);
            vector.known &= !(unknown << at);
        }
        Ok(vector)
    }

    /// Writes operand 0 under the opmask; the rest of the register is kept or cleared as the encoding demands.
    #[inline]
    pub(super) fn write_vector(&mut self, step: &Step, result: &Vector) -> Flow {
        let operand = step.operands[0];
        if operand.kind == Kind::Memory {
            return self.store_vector(step, result);
        }
        if step.mask != 0 {
            let old = &self.state.vectors[usize::from(operand.index & 31)];
            let chosen = self.chosen(step, result, old, 64);
            return self.write_whole(step, &chosen);
        }
        self.write_whole(step, result)
    }

    /// Writes a result of `size` bytes; the bytes above become zero whatever the opmask.
    pub(super) fn write_narrow(&mut self, step: &Step, result: &Vector, size: usize) -> Flow {
        let operand = step.operands[0];
        if operand.kind == Kind::Memory || step.mask == 0 {
            return self.write_vector(step, result);
        }
        let old = &self.state.vectors[usize::from(operand.index & 31)];
        let chosen = self.chosen(step, result, old, size);
        self.write_whole(step, &chosen)
    }

    /// Writes operand 0, which is a register, whatever the opmask.
    #[inline]
    pub(super) fn write_whole(&mut self, step: &Step, result: &Vector) -> Flow {
        let operand = step.operands[0];
        let index = usize::from(operand.index & 31);
        let target = &mut self.state.vectors[index];
        let size = usize::from(operand.bytes);
        if size == 64 {
            *target = *result;
            return Ok(());
        }
        let low = (1_u64 << size) - 1;
        target.bytes[..size].copy_from_slice(&result.bytes[..size]);
        if step.clears_upper {
            target.bytes[size..].fill(0);
            target.known = result.known | !low;
        } else {
            target.known = (result.known & low) | (target.known & !low);
        }
        Ok(())
    }

    /// Applies the opmask to the first `limit` bytes of a result.
    fn chosen(&self, step: &Step, result: &Vector, old: &Vector, limit: usize) -> Vector {
        let mask = self.state.masks[usize::from(step.mask & 7)];
        let size = usize::from(step.element);
        let mut out = *result;
        for index in 0..limit / size {
            let at = index * size;
            let bytes = ((1_u64 << size) - 1) << at;
            match mask.bit(index as u32) {
                Some(true) => {}
                Some(false) if step.zeroing => {
                    out.bytes[at..at + size].fill(0);
                    out.known |= bytes;
                }
                Some(false) => {
                    out.bytes[at..at + size].copy_from_slice(&old.bytes[at..at + size]);
                    out.known = (out.known & !bytes) | (old.known & bytes);
                }
                None => out.known &= !bytes,
            }
        }
        out
    }

    fn store_vector(&mut self, step: &Step, result: &Vector) -> Flow {
        let address = self.address(step)?;
        let size = usize::from(step.operands[0].bytes);
        if step.mask == 0 {
            let bytes = &result.bytes[..size];
            return self
                .pages
                .store_bytes(self.memory, address, bytes, result.known);
        }
        let mask = self.state.masks[usize::from(step.mask & 7)];
        let element = usize::from(step.element);
        let chosen = (0..size / element).filter(|&index| mask.bit(index as u32) != Some(false));
        for index in chosen.clone() {
            let at = address.wrapping_add((index * element) as u64);
            self.pages.touch(self.memory, at, element)?;
        }
        for index in chosen {
            let at = index * element;
            let certain = mask.bit(index as u32) == Some(true);
            let known = if certain { result.known >> at } else { 0 };
            let bytes = &result.bytes[at..at + element];
            let to = address.wrapping_add(at as u64);
            self.pages.store_bytes(self.memory, to, bytes, known)?;
        }
        Ok(())
    }

    /// Writes a result of one bit per element to the opmask register that is operand 0. The opmask of the instruction,
    /// if any, clears the bits that it leaves out.
    pub(super) fn write_mask(&mut self, step: &Step, result: Bits) -> Flow {
        let result = match step.mask {
            0 => result,
            mask => result.and(self.state.masks[usize::from(mask & 7)]),
        };
        self.write(step, 0, result)
    }

    /// Returns true if floating-point results are those of the default modes: round to nearest, denormals honoured. Ends
    /// the walk if an exception may trap. The status bits that are not yet set may be set now, so they become unknown.
    pub(crate) fn floats_are_exact(&mut self) -> Result<bool, End> {
        const STATUS: u64 = 0x3f;
        const MASKED: u64 = 0x1f80;
        const MODES: u64 = 0xe040;
        let mxcsr = self.state.mxcsr;
        if mxcsr.within(MASKED) != Some(MASKED) {
            return Err(End::UnknownTrap);
        }
        self.state.mxcsr.known &= !(STATUS & !mxcsr.value);
        Ok(mxcsr.within(MODES) == Some(0))
    }
}
