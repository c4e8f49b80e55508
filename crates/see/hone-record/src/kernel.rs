//! Mapping and build id of the kernel for a recording, so that samples in the kernel can be named.

use crate::procfs::{self, Mapping};
use hone_profile::BuildId;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};

/// Name that perf gives the kernel's image, followed by the symbol that marks the start of the image.
const NAME: &str = "[kernel.kallsyms]";
const FIRST_SYMBOL: &str = "_text";
/// `NT_GNU_BUILD_ID`.
const NOTE_BUILD_ID: u32 = 3;

/// Returns the mapping of the kernel's image; `None` if its addresses are hidden from us.
pub(crate) fn mapping() -> Option<Mapping> {
    let symbols = BufReader::new(File::open("/proc/kallsyms").ok()?);
    let start = symbols
        .lines()
        .map_while(Result::ok)
        .find_map(|line| address_of(&line, FIRST_SYMBOL))?;
    Some(Mapping {
        start,
        end: u64::MAX,
        file_offset: start,
        protection: (libc::PROT_READ | libc::PROT_EXEC) as u32,
        flags: libc::MAP_PRIVATE as u32,
        device: (0, 0, 0),
        path: format!("{NAME}{FIRST_SYMBOL}"),
    })
}

/// Returns the address on a line of `/proc/kallsyms`, if the line is about `symbol` and the address is not hidden.
fn address_of(line: &str, symbol: &str) -> Option<u64> {
    let mut fields = line.split_ascii_whitespace();
    let address = u64::from_str_radix(fields.next()?, 16).ok()?;
    (fields.nth(1)? == symbol && address != 0).then_some(address)
}

/// Returns the running kernel's build id under perf's name for the kernel.
pub(crate) fn build_id() -> Option<(String, BuildId, bool)> {
    Some((NAME.to_owned(), kernel_build_id()?, true))
}

/// Returns the running kernel's release; empty if the kernel does not report it.
pub fn kernel_release() -> String {
    procfs::setting("kernel/osrelease").unwrap_or_default()
}

/// Returns the running kernel's build id; `None` if the kernel does not report it.
pub fn kernel_build_id() -> Option<BuildId> {
    build_id_in(&fs::read("/sys/kernel/notes").ok()?)
}

fn build_id_in(mut notes: &[u8]) -> Option<BuildId> {
    let word = |bytes: &[u8], at: usize| {
        Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
    };
    loop {
        let (name_len, id_len) = (word(notes, 0)?, word(notes, 4)?);
        let name = notes.get(12..)?.get(..name_len)?;
        let id_at = 12 + name_len.next_multiple_of(4);
        let id = notes.get(id_at..)?.get(..id_len)?;
        if name == b"GNU\0" && word(notes, 8)? == NOTE_BUILD_ID as usize {
            return BuildId::new(id);
        }
        notes = notes.get(id_at + id_len.next_multiple_of(4)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for word in [name.len() as u32, content.len() as u32, kind] {
            note.extend_from_slice(&word.to_ne_bytes());
        }
        for part in [name, content] {
            note.extend_from_slice(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let mut notes = note(b"Xen\0", 3, &[9; 5]);
        notes.extend(note(b"GNU\0", 1, &[8; 4]));
        notes.extend(note(b"GNU\0", NOTE_BUILD_ID, &[0xab; 20]));
        assert_eq!(build_id_in(&notes), BuildId::new(&[0xab; 20]));
        assert_eq!(build_id_in(&notes[..notes.len() - 1]), None);
        assert_eq!(build_id_in(&[0xff; 40]), None);
    }

    #[test]
    fn hidden_addresses_are_none() {
        assert_eq!(
            address_of("ffffffff81000000 T _text", "_text"),
            Some(0xffff_ffff_8100_0000)
        );
        assert_eq!(address_of("0000000000000000 T _text", "_text"), None);
        assert_eq!(address_of("ffffffff81000000 T _stext", "_text"), None);
        assert_eq!(address_of("", "_text"), None);
    }
}
