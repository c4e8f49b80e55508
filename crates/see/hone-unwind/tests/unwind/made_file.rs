//! A file made by hand: code of which functions are described, one after the other, and the rest is not.

use hone_unwind::{Ended, Image, Place, Process, Registers, Start, Unwinder};
use std::io::Cursor;
use std::ops::Range;

/// Addresses and file offsets of the code are the same.
pub(crate) const CODE: Range<u64> = 0x1000..0x5000;
/// Memory with code and without a file.
pub(crate) const MADE: Range<u64> = 0x10_0000..0x10_1000;
pub(crate) const SP: u64 = 0x7000_0000;

const PROGRAM_BITS: u32 = 1;
const STRINGS: u32 = 3;

/// A file whose functions keep their return address on top of the stack.
#[derive(Clone, Default)]
pub(crate) struct MadeFile {
    pub(crate) described: Vec<Range<u64>>,
    /// True if the linker has written an index.
    pub(crate) has_header: bool,
    pub(crate) is_go: bool,
    /// Bytes by their addresses; all others are `nop`.
    pub(crate) code: Vec<(u64, Vec<u8>)>,
}

/// Appends numbers of eight bytes.
fn push(bytes: &mut Vec<u8>, words: &[u64]) {
    words
        .iter()
        .for_each(|word| bytes.extend(word.to_le_bytes()));
}

impl MadeFile {
    /// Returns `.eh_frame` and the offset of the description of each function.
    fn frames(&self) -> (Vec<u8>, Vec<usize>) {
        // Version 1, absolute addresses; the frame's address is %rsp + 8, and the return address lies below it.
        let mut frames = vec![20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0];
        frames.extend([0x0c, 7, 8, 0x90, 1, 0, 0]);
        let mut starts = Vec::new();
        for range in &self.described {
            starts.push(frames.len());
            let back = frames.len() as u32 + 4;
            frames.extend([24_u32.to_le_bytes(), back.to_le_bytes()].concat());
            push(&mut frames, &[range.start, range.end - range.start]);
            frames.extend([0; 4]);
        }
        frames.extend([0; 4]);
        (frames, starts)
    }

    /// Returns `.eh_frame_hdr` for descriptions at these offsets.
    fn header(&self, frames_at: u64, starts: &[usize]) -> Vec<u8> {
        // Version 1; a pointer and the table of eight bytes each, a count of four.
        let mut header = vec![1, 0x04, 0x03, 0x04];
        push(&mut header, &[frames_at]);
        header.extend((starts.len() as u32).to_le_bytes());
        for (range, start) in self.described.iter().zip(starts) {
            push(&mut header, &[range.start, frames_at + *start as u64]);
        }
        header
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let (frames, starts) = self.frames();
        let header = self.header(CODE.end, &starts);
        let code = vec![0x90; (CODE.end - CODE.start) as usize];
        let mut sections: Vec<(&str, u32, Vec<u8>)> = vec![(".text", PROGRAM_BITS, code)];
        if !self.described.is_empty() {
            sections.push((".eh_frame", PROGRAM_BITS, frames));
        }
        if self.has_header {
            sections.push((".eh_frame_hdr", PROGRAM_BITS, header));
        }
        if self.is_go {
            sections.push((".go.buildinfo", PROGRAM_BITS, vec![0; 16]));
        }
        // A program that needs a linker, so that only Go's mark makes it Go's.
        sections.push((".interp", PROGRAM_BITS, b"/lib64/ld\0".to_vec()));
        sections.push((".shstrtab", STRINGS, Vec::new()));
        let mut names = vec![0];
        let mut bytes = vec![0; CODE.start as usize];
        let mut table = vec![0; 64];
        for (name, kind, content) in &mut sections {
            let name_at = names.len() as u32;
            names.extend(name.bytes().chain([0]));
            if *kind == STRINGS {
                content.clone_from(&names);
            }
            let at = bytes.len() as u64;
            table.extend([name_at.to_le_bytes(), kind.to_le_bytes()].concat());
            push(&mut table, &[2, at, at, content.len() as u64, 0, 1, 0]);
            bytes.append(content);
        }
        for (at, code) in &self.code {
            bytes[*at as usize..][..code.len()].copy_from_slice(code);
        }
        let table_at = bytes.len() as u64;
        bytes.extend(table);
        let mut start = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
        push(&mut start, &[0, 64, table_at]);
        let count = sections.len() as u8 + 1;
        start.extend([
            0,
            0,
            0,
            0,
            64,
            0,
            56,
            0,
            1,
            0,
            64,
            0,
            count,
            0,
            count - 1,
            0,
        ]);
        // One segment, to be loaded, readable and executable.
        start.extend([1, 0, 0, 0, 5, 0, 0, 0]);
        let len = CODE.end - CODE.start;
        push(
            &mut start,
            &[CODE.start, CODE.start, CODE.start, len, len, 4096],
        );
        bytes[..start.len()].copy_from_slice(&start);
        bytes
    }
}

/// A process that has mapped the file, and has code without a file.
struct Made(Option<Image>);

impl Process for Made {
    fn find(&self, address: u64) -> Option<Place> {
        let is_code = CODE.contains(&address);
        (is_code || MADE.contains(&address)).then_some(Place {
            file: is_code.then_some(0),
            offset: address,
        })
    }

    fn load(&mut self, _: u32) -> Option<Image> {
        self.0.take()
    }
}

/// Unwinds a thread at `ip` with these words on its stack, from [`SP`] upwards.
pub(crate) fn unwind(file: &MadeFile, ip: u64, bp: u64, words: &[u64]) -> (Vec<u64>, Ended) {
    let image = Image::read(Cursor::new(file.bytes())).expect("a file");
    let mut registers = Registers {
        ip,
        ..Registers::default()
    };
    (registers.general[6], registers.general[7]) = (Some(bp), Some(SP));
    let stack: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = Start {
        registers,
        stack: &stack,
        wanted: stack.len(),
    };
    let mut frames = Vec::new();
    let unwound = Unwinder::default().unwind(&start, &mut Made(Some(image)), &mut frames);
    (frames, unwound.ended)
}
