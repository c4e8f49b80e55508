//! Instructions on the path of a walk.
//!
//! Code is kept for one walk only: at another moment the code may be different (JIT compilers, dlclose), and
//! compared with the steps the few pages that a walk touches cost nothing.

use super::End;
use crate::sys::memory;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};
use rustc_hash::FxHashMap;

const PAGE_BYTES: u64 = 4096;
/// Longest instruction of the architecture in bytes.
const INSTRUCTION_BYTES_MAX: usize = 15;

/// Possible effect of an instruction on the instruction pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The instruction goes on behind itself.
    Plain,
    /// A string instruction with a repeat prefix stays until it is done.
    Repeats,
    /// The instruction goes on behind itself or elsewhere.
    Conditional,
    /// The instruction always goes elsewhere, even if the target is right behind it.
    Transfer,
    /// The instruction must not be stepped.
    Refused(End),
}

/// A decoded instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decoded {
    pub(crate) len: u64,
    pub(crate) kind: Kind,
}

/// Code of one process at the present moment.
pub(crate) struct Code {
    pid: i32,
    pages: FxHashMap<u64, Option<Box<[u8]>>>,
    decoded: FxHashMap<u64, Decoded>,
}

impl Code {
    pub(crate) fn of(pid: i32) -> Self {
        Self {
            pid,
            pages: FxHashMap::default(),
            decoded: FxHashMap::default(),
        }
    }

    /// Returns the instruction at an address.
    pub(crate) fn at(&mut self, address: u64) -> Decoded {
        if let Some(decoded) = self.decoded.get(&address) {
            return *decoded;
        }
        let mut bytes = Vec::with_capacity(INSTRUCTION_BYTES_MAX);
        while bytes.len() < INSTRUCTION_BYTES_MAX {
            let next = address.wrapping_add(bytes.len() as u64);
            let Some(page) = self.page(next / PAGE_BYTES) else {
                break;
            };
            let rest = &page[(next % PAGE_BYTES) as usize..];
            bytes.extend_from_slice(&rest[..rest.len().min(INSTRUCTION_BYTES_MAX - bytes.len())]);
        }
        let decoded = decode(&bytes, address);
        self.decoded.insert(address, decoded);
        decoded
    }

    fn page(&mut self, number: u64) -> Option<&[u8]> {
        let pid = self.pid;
        let page = self.pages.entry(number).or_insert_with(|| {
            let mut bytes = vec![0; PAGE_BYTES as usize].into_boxed_slice();
            let count = memory::read(pid, number.wrapping_mul(PAGE_BYTES), &mut bytes).ok()?;
            (count == bytes.len()).then_some(bytes)
        });
        page.as_deref()
    }
}

fn decode(bytes: &[u8], address: u64) -> Decoded {
    let mut instruction = Instruction::default();
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    if bytes.is_empty() {
        return Decoded {
            len: 0,
            kind: Kind::Refused(End::Undecodable),
        };
    }
    decoder.decode_out(&mut instruction);
    Decoded {
        len: instruction.len() as u64,
        kind: kind(&instruction),
    }
}

fn kind(instruction: &Instruction) -> Kind {
    if instruction.is_invalid() {
        return Kind::Refused(End::Undecodable);
    }
    match instruction.mnemonic() {
        Mnemonic::Syscall | Mnemonic::Sysenter => return Kind::Refused(End::SystemCall),
        // The trace flag would be stored where the program sees it, and would kill the program when loaded.
        Mnemonic::Pushf | Mnemonic::Pushfd | Mnemonic::Pushfq => {
            return Kind::Refused(End::ReadsFlags);
        }
        Mnemonic::Popf | Mnemonic::Popfd | Mnemonic::Popfq => {
            return Kind::Refused(End::ReadsFlags);
        }
        Mnemonic::Xbegin | Mnemonic::Xabort | Mnemonic::Xend => {
            return Kind::Refused(End::Transaction);
        }
        Mnemonic::Retf | Mnemonic::Uiret => return Kind::Refused(End::Special),
        _ => {}
    }
    let repeats = instruction.has_rep_prefix() || instruction.has_repne_prefix();
    match instruction.flow_control() {
        FlowControl::Next if repeats && instruction.is_string_instruction() => Kind::Repeats,
        FlowControl::Next => Kind::Plain,
        FlowControl::ConditionalBranch => Kind::Conditional,
        FlowControl::UnconditionalBranch
        | FlowControl::IndirectBranch
        | FlowControl::Return
        | FlowControl::Call
        | FlowControl::IndirectCall
            if !is_far(instruction) =>
        {
            Kind::Transfer
        }
        _ => Kind::Refused(End::Special),
    }
}

fn is_far(instruction: &Instruction) -> bool {
    instruction.is_jmp_far()
        || instruction.is_jmp_far_indirect()
        || instruction.is_call_far()
        || instruction.is_call_far_indirect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(bytes: &[u8]) -> Kind {
        decode(bytes, 0x1000).kind
    }

    #[test]
    fn instructions_are_sorted_by_what_they_do_to_the_instruction_pointer() {
        assert_eq!(
            decode(&[0x48, 0x89, 0xd8], 0),
            Decoded {
                len: 3,
                kind: Kind::Plain
            }
        );
        assert_eq!(kind_of(&[0xf3, 0xa4]), Kind::Repeats); // rep movsb
        assert_eq!(kind_of(&[0xf3, 0x90]), Kind::Plain); // pause
        assert_eq!(kind_of(&[0xf3, 0x0f, 0xbc, 0xc0]), Kind::Plain); // tzcnt
        assert_eq!(kind_of(&[0x75, 0x10]), Kind::Conditional);
        assert_eq!(kind_of(&[0xe2, 0x10]), Kind::Conditional); // loop
        assert_eq!(kind_of(&[0xeb, 0x00]), Kind::Transfer);
        assert_eq!(kind_of(&[0xf3, 0xc3]), Kind::Transfer); // rep ret
        assert_eq!(kind_of(&[0xff, 0xd0]), Kind::Transfer);
        assert_eq!(kind_of(&[0x0f, 0x05]), Kind::Refused(End::SystemCall));
        assert_eq!(kind_of(&[0xcd, 0x80]), Kind::Refused(End::Special));
        assert_eq!(kind_of(&[0xcc]), Kind::Refused(End::Special));
        assert_eq!(kind_of(&[0x9c]), Kind::Refused(End::ReadsFlags));
        assert_eq!(kind_of(&[0xcb]), Kind::Refused(End::Special));
        assert_eq!(kind_of(&[0x06]), Kind::Refused(End::Undecodable));
        assert_eq!(kind_of(&[0x0f]), Kind::Refused(End::Undecodable));
        assert_eq!(kind_of(&[]), Kind::Refused(End::Undecodable));
    }

    #[test]
    fn own_code_can_be_read_and_address_zero_not() {
        let mut code = Code::of(std::process::id() as i32);
        let here = own_code_can_be_read_and_address_zero_not as fn() as usize as u64;
        assert_ne!(code.at(here).kind, Kind::Refused(End::Undecodable));
        assert_eq!(code.at(0).kind, Kind::Refused(End::Undecodable));
        assert_eq!(code.at(u64::MAX).kind, Kind::Refused(End::Undecodable));
    }
}
