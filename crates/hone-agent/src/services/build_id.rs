//! The build id of an ELF file: what tells one build of a program from another.
//!
//! The GNU note (`NT_GNU_BUILD_ID`) where there is one, else Go's (`go tool buildid`). The notes are found through the
//! program headers, which stripping leaves in place. Every program of the host is read, so nothing that a file claims
//! is believed: so many headers, so many bytes of notes, and an id of a length that can be one.

use std::fmt::Write as _;
use std::os::unix::fs::FileExt;

/// Program headers that are looked at; real files have about a dozen.
const HEADERS_MAX: usize = 64;
/// Segments of notes that are read, and bytes of each.
const NOTE_SEGMENTS_MAX: usize = 8;
const NOTES_BYTES_MAX: usize = 16 << 10;
/// Bytes of a GNU id: 8 (xxhash) to 32 (SHA-256), 20 usually; whatever the linker was told else.
const GNU_BYTES_MAX: usize = 64;
/// Bytes of a Go id: four hashes of 20 characters and what separates them.
const GO_BYTES_MAX: usize = 128;

const PT_NOTE: u32 = 4;
const NT_GNU_BUILD_ID: u32 = 3;
const NT_GO_BUILD_ID: u32 = 4;

/// What is read: a file, or bytes in tests.
pub(super) trait ReadAt {
    /// Fills as much of `into` as there is from `offset` on, and says how much.
    fn read(&self, into: &mut [u8], offset: u64) -> usize;
}

impl ReadAt for std::fs::File {
    fn read(&self, into: &mut [u8], offset: u64) -> usize {
        let mut done = 0;
        while done < into.len() {
            match self.read_at(&mut into[done..], offset + done as u64) {
                Ok(0) | Err(_) => break,
                Ok(read) => done += read,
            }
        }
        done
    }
}

/// The id, in hexadecimal digits or as Go writes it. `None` where the file has none, or is no ELF file of this byte order.
pub(super) fn build_id(file: &impl ReadAt) -> Option<String> {
    let mut head = [0; 64];
    let read = file.read(&mut head, 0);
    let layout = Layout::of(head.get(..read)?)?;
    let mut headers = vec![0; layout.headers * layout.header_bytes];
    let read = file.read(&mut headers, layout.headers_at);
    let segments = headers[..read].chunks_exact(layout.header_bytes);
    let mut go = None;
    let notes = segments.filter_map(|header| layout.notes(header));
    for (offset, bytes) in notes.take(NOTE_SEGMENTS_MAX) {
        let mut notes = vec![0; bytes.min(NOTES_BYTES_MAX)];
        let read = file.read(&mut notes, offset);
        for note in Notes(&notes[..read]) {
            match note {
                (b"GNU\0", NT_GNU_BUILD_ID, id) if (1..=GNU_BYTES_MAX).contains(&id.len()) => {
                    return Some(hexadecimal(id));
                }
                (b"Go\0\0", NT_GO_BUILD_ID, id) => go = go.or_else(|| go_id(id)),
                _ => {}
            }
        }
    }
    go
}

/// Where the program headers are.
struct Layout {
    is_64: bool,
    headers_at: u64,
    header_bytes: usize,
    headers: usize,
}

impl Layout {
    fn of(head: &[u8]) -> Option<Self> {
        let is_64 = match head.get(..6)? {
            [0x7f, b'E', b'L', b'F', 2, 1] => true,
            [0x7f, b'E', b'L', b'F', 1, 1] => false,
            _ => return None,
        };
        let (headers_at, sizes) = if is_64 {
            (u64::from_le_bytes(head.get(32..40)?.try_into().ok()?), 54)
        } else {
            (u64::from(u32_at(head, 28)?), 42)
        };
        let header_bytes = usize::from(u16_at(head, sizes)?);
        let headers = usize::from(u16_at(head, sizes + 2)?);
        let expected = if is_64 { 56 } else { 32 };
        (header_bytes == expected).then_some(Self {
            is_64,
            headers_at,
            header_bytes,
            headers: headers.min(HEADERS_MAX),
        })
    }

    /// Where the notes are that a header speaks of, and how many bytes.
    fn notes(&self, header: &[u8]) -> Option<(u64, usize)> {
        if u32_at(header, 0)? != PT_NOTE {
            return None;
        }
        let word = |at: usize| Some(u64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?));
        let (offset, bytes) = if self.is_64 {
            (word(8)?, word(32)?)
        } else {
            (
                u64::from(u32_at(header, 4)?),
                u64::from(u32_at(header, 16)?),
            )
        };
        Some((offset, usize::try_from(bytes).ok()?))
    }
}

/// Notes one after the other, as name, type and content.
struct Notes<'a>(&'a [u8]);

impl<'a> Iterator for Notes<'a> {
    type Item = (&'a [u8], u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let size = |at| Some(u32_at(self.0, at)? as usize);
        let (name, content, kind) = (size(0)?, size(4)?, u32_at(self.0, 8)?);
        let content_at = 12_usize.checked_add(name.checked_next_multiple_of(4)?)?;
        let end = content_at.checked_add(content)?;
        let note = (
            self.0.get(12..12_usize.checked_add(name)?)?,
            kind,
            self.0.get(content_at..end)?,
        );
        let next = end.checked_next_multiple_of(4)?;
        self.0 = self.0.get(next..).unwrap_or_default();
        Some(note)
    }
}

fn go_id(id: &[u8]) -> Option<String> {
    let is_of_one = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_/".contains(byte);
    if id.is_empty() || id.len() > GO_BYTES_MAX || !id.iter().all(is_of_one) {
        return None;
    }
    String::from_utf8(id.to_vec()).ok()
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    impl ReadAt for Vec<u8> {
        fn read(&self, into: &mut [u8], offset: u64) -> usize {
            let from = usize::try_from(offset).unwrap_or(usize::MAX);
            let rest = self.get(from..).unwrap_or_default();
            let bytes = rest.len().min(into.len());
            into[..bytes].copy_from_slice(&rest[..bytes]);
            bytes
        }
    }

    fn note(name: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
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

    /// A 64-bit ELF file with these notes and nothing else, beside a header of another kind.
    fn elf(notes: &[u8]) -> Vec<u8> {
        let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1];
        file.resize(32, 0);
        file.extend(64_u64.to_le_bytes());
        file.resize(54, 0);
        file.extend([56, 0, 2, 0]);
        file.resize(64, 0);
        file.extend(1_u32.to_le_bytes());
        file.resize(64 + 56, 0);
        file.extend(PT_NOTE.to_le_bytes());
        file.extend(0_u32.to_le_bytes());
        file.extend(176_u64.to_le_bytes());
        file.resize(64 + 56 + 32, 0);
        file.extend((notes.len() as u64).to_le_bytes());
        file.resize(176, 0);
        file.extend(notes);
        file
    }

    /// A 64-bit ELF file with this GNU build id.
    pub(in crate::services) fn with_id(id: &[u8]) -> Vec<u8> {
        elf(&note(b"GNU\0", NT_GNU_BUILD_ID, id))
    }

    #[test]
    fn the_gnu_note_is_found_among_others_and_goes_before_gos() {
        let mut notes = note(b"GNU\0", 1, b"abi tag ..");
        notes.extend(note(b"Go\0\0", NT_GO_BUILD_ID, b"one/two/three/four"));
        assert_eq!(build_id(&elf(&notes)).unwrap(), "one/two/three/four");
        notes.extend(note(b"GNU\0", NT_GNU_BUILD_ID, &[0xde, 0xad, 0x01]));
        assert_eq!(build_id(&elf(&notes)).unwrap(), "dead01");
    }

    #[test]
    fn what_cannot_be_an_id_is_none() {
        for notes in [
            Vec::new(),
            note(b"GNU\0", NT_GNU_BUILD_ID, b""),
            note(b"GNU\0", NT_GNU_BUILD_ID, &[1; GNU_BYTES_MAX + 1]),
            note(b"Go\0\0", NT_GO_BUILD_ID, b"with\"quotes"),
            note(b"Go\0\0", NT_GO_BUILD_ID, &[b'a'; GO_BYTES_MAX + 1]),
            note(b"GNU\0", NT_GNU_BUILD_ID, &[1; 20])[..30].to_vec(),
            [0xff; 40].to_vec(),
        ] {
            assert_eq!(build_id(&elf(&notes)), None, "{notes:?}");
        }
        assert_eq!(build_id(&b"#!/bin/sh\n".to_vec()), None);
    }

    proptest! {
        #[test]
        fn no_bytes_at_all_break_it(
            changes in proptest::collection::vec((0_usize..240, any::<u8>()), 0..20),
            length in 0_usize..240,
        ) {
            let mut file = with_id(&[7; 20]);
            for (at, byte) in changes {
                if let Some(place) = file.get_mut(at) {
                    *place = byte;
                }
            }
            file.truncate(length);
            let id = build_id(&file);
            prop_assert!(id.is_none_or(|id| id.len() <= 2 * GO_BYTES_MAX));
        }
    }
}
