//! The build id of an ELF file, which tells one build of a program from another.
//!
//! The id is the GNU note (`NT_GNU_BUILD_ID`) if the file has one, else Go's (`go tool buildid`). The notes are found
//! through the program headers, which stripping leaves in place, and else through the section headers: Go's linker leaves
//! the GNU note (`-B gobuildid`) out of the former. `object` knows the layouts; this module reads a few kilobytes of each
//! file for it. Files of all programs of the host are read, so no claim of a file is believed: the number of headers, the
//! bytes of notes and the length of an id are limited.

mod cache;

pub use cache::KnownBuilds;

use object::elf::{FileHeader32, FileHeader64, NT_GNU_BUILD_ID, NT_GO_BUILD_ID, PT_NOTE, SHT_NOTE};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::{Endianness, FileKind, pod};
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;

/// Maximum number of program headers that are read; real files have about a dozen.
const HEADERS_MAX: usize = 64;
/// Maximum number of section headers that are read; programs have a few dozen.
const SECTIONS_MAX: usize = 512;
/// Maximum number of segments, and of sections, of notes that are read.
const NOTES_MAX: usize = 8;
/// Maximum number of bytes that are read of each of them.
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
    let mut ids = Ids::default();
    let segments = headers_at::<Elf::ProgramHeader>(
        file,
        head.e_phoff(endian).into(),
        (head.e_phnum(endian), head.e_phentsize(endian)),
        HEADERS_MAX,
    )?;
    let segments = segments.list().iter();
    let segments = segments.filter(|segment| segment.p_type(endian) == PT_NOTE);
    for segment in segments.take(NOTES_MAX) {
        let place = (
            segment.p_offset(endian).into(),
            segment.p_filesz(endian).into(),
        );
        ids.read::<Elf>(file, endian, place, segment.p_align(endian));
    }
    if ids.gnu.is_some() {
        return Some(ids);
    }
    let sections = headers_at::<Elf::SectionHeader>(
        file,
        head.e_shoff(endian).into(),
        (head.e_shnum(endian), head.e_shentsize(endian)),
        SECTIONS_MAX,
    );
    let sections = sections.iter().flat_map(Headers::list);
    let sections = sections.filter(|section| section.sh_type(endian) == SHT_NOTE);
    for section in sections.take(NOTES_MAX) {
        let place = (
            section.sh_offset(endian).into(),
            section.sh_size(endian).into(),
        );
        ids.read::<Elf>(file, endian, place, section.sh_addralign(endian));
    }
    Some(ids)
}

/// A table of headers, as far as the file reaches.
struct Headers<Header> {
    extract: Extract,
    of: PhantomData<Header>,
}

impl<Header: pod::Pod> Headers<Header> {
    fn list(&self) -> &[Header] {
        let bytes = self.extract.bytes();
        let whole = bytes.len() / size_of::<Header>();
        pod::slice_from_bytes(bytes, whole).map_or(&[], |(headers, _)| headers)
    }
}

/// Reads a table of at most `max` headers, of which the file tells the number and the bytes of each; `None` if these are
/// another number of bytes.
fn headers_at<Header: pod::Pod>(
    file: &impl ReadAt,
    offset: u64,
    (count, bytes): (u16, u16),
    max: usize,
) -> Option<Headers<Header>> {
    let known = size_of::<Header>();
    (usize::from(bytes) == known).then(|| Headers {
        extract: Extract::of(file, offset, usize::from(count).min(max) * known),
        of: PhantomData,
    })
}

impl Ids {
    /// Adds what the notes at an offset tell, of so many bytes as the file says.
    fn read<Elf: FileHeader<Endian = Endianness>>(
        &mut self,
        file: &impl ReadAt,
        endian: Endianness,
        (offset, claimed): (u64, u64),
        align: Elf::Word,
    ) {
        let bytes = usize::try_from(claimed).map_or(NOTES_BYTES_MAX, |it| it.min(NOTES_BYTES_MAX));
        let notes = Extract::of(file, offset, bytes);
        let notes = NoteIterator::<Elf>::new(endian, align, notes.bytes());
        // The notes after a broken note cannot be read.
        for note in notes.into_iter().flatten().map_while(Result::ok) {
            match (note.name(), note.n_type(endian), note.desc()) {
                (b"GNU", NT_GNU_BUILD_ID, id) if (1..=GNU_BYTES_MAX).contains(&id.len()) => {
                    self.gnu.get_or_insert_with(|| id.to_vec());
                }
                (b"Go", NT_GO_BUILD_ID, id) => self.go = self.go.take().or_else(|| go_id(id)),
                _ => {}
            }
        }
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
    fn a_note_that_no_segment_has_is_found_by_its_section() {
        let mut file = elf(&note(b"Go\0\0", NT_GO_BUILD_ID.0, b"one/two/three/four"));
        let gnu = note(b"GNU\0", NT_GNU_BUILD_ID.0, &[0xde, 0xad, 0x01]);
        let notes_at = file.len() as u64;
        file.extend(&gnu);
        let headers_at = file.len() as u64;
        let mut header = [0; 64];
        header[4..8].copy_from_slice(&SHT_NOTE.0.to_le_bytes());
        header[24..32].copy_from_slice(&notes_at.to_le_bytes());
        header[32..40].copy_from_slice(&(gnu.len() as u64).to_le_bytes());
        file.extend(header);
        assert_eq!(build_id(&file).unwrap(), "one/two/three/four");
        file[40..48].copy_from_slice(&headers_at.to_le_bytes());
        file[58..60].copy_from_slice(&64_u16.to_le_bytes());
        file[60..62].copy_from_slice(&1_u16.to_le_bytes());
        assert_eq!(build_id(&file).unwrap(), "dead01");
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
        file[58..60].copy_from_slice(&64_u16.to_le_bytes());
        file[60..62].copy_from_slice(&60_000_u16.to_le_bytes());
        file[64 + 56 + 32..][..8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        file[176 + 4..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        file.resize(10 << 20, 0);
        let file = Watched(file, Default::default());
        assert_eq!(build_id(&file), None);
        let most = 64 + HEADERS_MAX * 56 + SECTIONS_MAX * 64 + 2 * NOTES_MAX * NOTES_BYTES_MAX;
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
