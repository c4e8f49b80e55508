//! The build id of an ELF file, which tells one build of a program from another.
//!
//! The id is the GNU note (`NT_GNU_BUILD_ID`) if the file has one, else Go's (`go tool buildid`). The notes are found
//! through the program headers, which stripping leaves in place. `object` knows the layouts; this module reads a few
//! kilobytes of each file for it. Files of all programs of the host are read, so no claim of a file is believed: the number
//! of headers, the bytes of notes and the length of an id are limited.

mod known;

pub use known::KnownBuilds;

use object::elf::{FileHeader32, FileHeader64, NT_GNU_BUILD_ID, NT_GO_BUILD_ID, PT_NOTE};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader};
use object::{Endianness, FileKind, pod};
use std::fmt::Write as _;
use std::os::unix::fs::FileExt;

/// Maximum number of program headers that are read; real files have about a dozen.
const HEADERS_MAX: usize = 64;
/// Maximum number of segments of notes that are read.
const NOTE_SEGMENTS_MAX: usize = 8;
/// Maximum number of bytes that are read of each segment of notes.
const NOTES_BYTES_MAX: usize = 16 << 10;
/// Maximum length of a GNU id in bytes: 20 usually, 8 (xxhash) to 32 (SHA-256), or what the linker was told.
const GNU_BYTES_MAX: usize = 64;
/// Maximum length of a Go id in bytes: four hashes of 20 characters and their separators.
const GO_BYTES_MAX: usize = 128;

/// A source of bytes: a file, or a vector in tests.
pub trait ReadAt {
    /// Reads from `offset` on until `into` is full or the source ends, and returns the number of bytes read.
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

/// A part of a file, as far as the file reaches. The bytes are aligned for every structure of an ELF file.
struct Extract {
    words: Vec<u64>,
    bytes: usize,
}

impl Extract {
    fn of(file: &impl ReadAt, offset: u64, bytes: usize) -> Self {
        let mut words = vec![0; bytes.div_ceil(size_of::<u64>())];
        let room = &mut pod::bytes_of_slice_mut(&mut words)[..bytes];
        let bytes = file.read(room, offset);
        Self { words, bytes }
    }

    fn bytes(&self) -> &[u8] {
        &pod::bytes_of_slice(&self.words)[..self.bytes]
    }
}

/// The ids that the notes of a file tell.
#[derive(Default)]
struct Ids {
    gnu: Option<Vec<u8>>,
    go: Option<String>,
}

/// Returns the id, in hexadecimal digits or as Go writes it; `None` if the file has no id, or is not an ELF file.
pub fn build_id(file: &impl ReadAt) -> Option<String> {
    let Ids { gnu, go } = ids(file)?;
    gnu.map(|id| hexadecimal(&id)).or(go)
}

/// Returns the bytes of the GNU id; `None` if the file has none, or is not an ELF file.
pub fn gnu_build_id(file: &impl ReadAt) -> Option<Vec<u8>> {
    ids(file)?.gnu
}

fn ids(file: &impl ReadAt) -> Option<Ids> {
    let head = Extract::of(file, 0, size_of::<FileHeader64<Endianness>>());
    match FileKind::parse(head.bytes()).ok()? {
        FileKind::Elf32 => noted::<FileHeader32<Endianness>>(file, head.bytes()),
        FileKind::Elf64 => noted::<FileHeader64<Endianness>>(file, head.bytes()),
        _ => None,
    }
}

/// Returns the ids from the notes of a file that begins with this head; behind a GNU id nothing is looked for.
fn noted<Elf: FileHeader<Endian = Endianness>>(file: &impl ReadAt, head: &[u8]) -> Option<Ids> {
    let head = Elf::parse(head).ok()?;
    let endian = head.endian().ok()?;
    let header_bytes = size_of::<Elf::ProgramHeader>();
    if usize::from(head.e_phentsize(endian)) != header_bytes {
        return None;
    }
    let headers = usize::from(head.e_phnum(endian)).min(HEADERS_MAX);
    let headers = Extract::of(file, head.e_phoff(endian).into(), headers * header_bytes);
    let whole = headers.bytes().len() / header_bytes;
    let (headers, _) = pod::slice_from_bytes::<Elf::ProgramHeader>(headers.bytes(), whole).ok()?;
    let segments = headers.iter();
    let segments = segments.filter(|header| header.p_type(endian) == PT_NOTE);
    let mut ids = Ids::default();
    for segment in segments.take(NOTE_SEGMENTS_MAX) {
        let claimed: u64 = segment.p_filesz(endian).into();
        let bytes = usize::try_from(claimed).map_or(NOTES_BYTES_MAX, |it| it.min(NOTES_BYTES_MAX));
        let notes = Extract::of(file, segment.p_offset(endian).into(), bytes);
        let notes = NoteIterator::<Elf>::new(endian, segment.p_align(endian), notes.bytes());
        // The notes after a broken note cannot be read.
        for note in notes.into_iter().flatten().map_while(Result::ok) {
            match (note.name(), note.n_type(endian), note.desc()) {
                (b"GNU", NT_GNU_BUILD_ID, id) if (1..=GNU_BYTES_MAX).contains(&id.len()) => {
                    ids.gnu = Some(id.to_vec());
                    return Some(ids);
                }
                (b"Go", NT_GO_BUILD_ID, id) => ids.go = ids.go.or_else(|| go_id(id)),
                _ => {}
            }
        }
    }
    Some(ids)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use testkit::made_elf::{elf, note, with_id};

    impl ReadAt for Vec<u8> {
        fn read(&self, into: &mut [u8], offset: u64) -> usize {
            let from = usize::try_from(offset).unwrap_or(usize::MAX);
            let rest = self.get(from..).unwrap_or_default();
            let bytes = rest.len().min(into.len());
            into[..bytes].copy_from_slice(&rest[..bytes]);
            bytes
        }
    }

    #[test]
    fn the_gnu_note_is_found_among_others_and_goes_before_gos() {
        let mut notes = note(b"GNU\0", 1, b"abi tag ..");
        notes.extend(note(b"Go\0\0", NT_GO_BUILD_ID.0, b"one/two/three/four"));
        assert_eq!(build_id(&elf(&notes)).unwrap(), "one/two/three/four");
        assert_eq!(gnu_build_id(&elf(&notes)), None);
        notes.extend(note(b"GNU\0", NT_GNU_BUILD_ID.0, &[0xde, 0xad, 0x01]));
        assert_eq!(build_id(&elf(&notes)).unwrap(), "dead01");
        assert_eq!(gnu_build_id(&elf(&notes)).unwrap(), [0xde, 0xad, 0x01]);
    }

    #[test]
    fn what_cannot_be_an_id_is_none() {
        for notes in [
            Vec::new(),
            note(b"GNU\0", NT_GNU_BUILD_ID.0, b""),
            note(b"GNU\0", NT_GNU_BUILD_ID.0, &[1; GNU_BYTES_MAX + 1]),
            note(b"Go\0\0", NT_GO_BUILD_ID.0, b"with\"quotes"),
            note(b"Go\0\0", NT_GO_BUILD_ID.0, &[b'a'; GO_BYTES_MAX + 1]),
            note(b"GNU\0", NT_GNU_BUILD_ID.0, &[1; 20])[..30].to_vec(),
            [0xff; 40].to_vec(),
        ] {
            assert_eq!(build_id(&elf(&notes)), None, "{notes:?}");
        }
        assert_eq!(build_id(&b"#!/bin/sh\n".to_vec()), None);
    }

    #[test]
    fn a_file_of_the_system_has_the_id_that_readelf_shows() {
        let own = std::env::current_exe().unwrap();
        let mut seen = 0;
        for file in [own.to_str().unwrap(), "/bin/sh", "/usr/bin/openssl"] {
            let shown = std::process::Command::new("readelf")
                .args(["-n", file])
                .output();
            let (Ok(shown), Ok(opened)) = (shown, std::fs::File::open(file)) else {
                println!("skipped: {file}, or readelf (Debian: binutils), is not there");
                continue;
            };
            let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
            let shown = shown
                .split_once("Build ID: ")
                .map(|(_, id)| id.split_whitespace().next().unwrap().to_owned());
            assert_eq!(build_id(&opened), shown, "{file}");
            seen += 1;
        }
        println!("{seen} files compared");
    }

    /// A file that counts the bytes that it was asked for.
    struct Watched(Vec<u8>, std::cell::Cell<usize>);

    impl ReadAt for Watched {
        fn read(&self, into: &mut [u8], offset: u64) -> usize {
            self.1.set(self.1.get() + into.len());
            self.0.read(into, offset)
        }
    }

    #[test]
    fn no_more_is_read_than_the_limits_say_whatever_a_file_claims() {
        let mut file = with_id(&[7; 20]);
        // Sixty thousand headers, a segment of notes of a terabyte, and a note of four gigabytes.
        file[56..58].copy_from_slice(&60_000_u16.to_le_bytes());
        file[64 + 56 + 32..][..8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        file[176 + 4..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        file.resize(10 << 20, 0);
        let file = Watched(file, Default::default());
        assert_eq!(build_id(&file), None);
        let most = 64 + HEADERS_MAX * 56 + NOTE_SEGMENTS_MAX * NOTES_BYTES_MAX;
        assert!((64..=most).contains(&file.1.get()), "{}", file.1.get());
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
