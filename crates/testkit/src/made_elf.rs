//! ELF files that are made of notes alone.

use object::elf::{NT_GNU_BUILD_ID, PT_NOTE};

/// A note with its name, type and content.
pub fn note(name: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
    let mut note = Vec::new();
    for number in [name.len() as u32, content.len() as u32, kind] {
        note.extend(number.to_le_bytes());
    }
    for part in [name, content] {
        note.extend(part);
        note.resize(note.len().next_multiple_of(4), 0);
    }
    note
}

/// Builds a 64-bit ELF file with these notes, a program header of another kind, and nothing else.
pub fn elf(notes: &[u8]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1];
    file.resize(32, 0);
    file.extend(64_u64.to_le_bytes());
    file.resize(54, 0);
    file.extend([56, 0, 2, 0]);
    file.resize(64, 0);
    file.extend(1_u32.to_le_bytes());
    file.resize(64 + 56, 0);
    file.extend(PT_NOTE.0.to_le_bytes());
    file.extend(0_u32.to_le_bytes());
    file.extend(176_u64.to_le_bytes());
    file.resize(64 + 56 + 32, 0);
    file.extend((notes.len() as u64).to_le_bytes());
    file.resize(176, 0);
    file.extend(notes);
    file
}

/// Builds a 64-bit ELF file with this GNU build id.
pub fn with_id(id: &[u8]) -> Vec<u8> {
    elf(&note(b"GNU\0", NT_GNU_BUILD_ID.0, id))
}
