//! What an ELF file of any size contains, from its headers and notes alone: what is decided by before all of it is read.

use crate::error::SymbolError;
use crate::ranges::is_needed;
use crate::split_files::INDEX;
use hone_profile::BuildId;
use object::LittleEndian;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{
    CompressionHeader, FileHeader, NoteIterator, ProgramHeader, SectionHeader, SectionTable,
};
use object::read::{ReadCache, ReadRef};
use std::io::{Read, Seek};

/// Maximum size in bytes of all notes that are searched for the build id.
const NOTES_BYTES_MAX: u64 = 1 << 20;

/// Maximum number of sections. Programs have less than a hundred.
const SECTIONS_MAX: u16 = 1 << 14;

/// Bytes of the header of an ELF file.
const HEADER_BYTES: u64 = 64;

/// What an ELF file contains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// GNU build id; `None` if the file has none.
    pub build_id: Option<BuildId>,
    /// True for programs and shared libraries and their debug files; false for objects and core dumps.
    pub is_linked: bool,
    /// True if the file has machine code. Debug files have only its headers.
    pub has_code: bool,
    /// True if the file has a symbol table with more than what is exported.
    pub has_symbols: bool,
    /// True if the file has debug information.
    pub has_debug_info: bool,
    /// True for a package of split debug information (`.dwp`).
    pub is_package: bool,
    /// Bytes of memory that compressed debug sections claim to need.
    pub unpacked_bytes: u64,
}

/// Reads what an ELF file contains. Memory is bounded by the number of sections that a program may have, not by the size
/// of the file.
///
/// # Errors
///
/// Returns an error if the file is not an ELF file for x86-64, has thousands of sections or segments, or if its headers
/// reach beyond its end.
pub fn contents_of<R: Read + Seek>(file: R) -> Result<Contents, SymbolError> {
    contents(&ReadCache::new(file))
}

fn contents<'d, R: ReadRef<'d>>(data: R) -> Result<Contents, SymbolError> {
    let endian = LittleEndian;
    let header = header(data)?;
    let kind = header.e_type(endian);
    let mut contents = Contents {
        is_linked: kind == elf::ET_EXEC || kind == elf::ET_DYN,
        ..Contents::default()
    };
    // A number in the first section stands for one that is too large for the header.
    let has_many = header.e_shnum(endian) == 0 && header.e_shoff(endian) > 0;
    let counts = [header.e_shnum(endian), header.e_phnum(endian)];
    if has_many || counts.iter().any(|count| *count > SECTIONS_MAX) {
        let problem = format!("more than {SECTIONS_MAX} sections or segments");
        return Err(SymbolError::MalformedElf(problem));
    }
    let mut notes_left = NOTES_BYTES_MAX;
    let table = header.sections(endian, data)?;
    for section in table.iter() {
        contents.add_section(&table, section, data, &mut notes_left)?;
    }
    for segment in header.program_headers(endian, data)? {
        let size = segment.p_filesz(endian);
        if segment.p_type(endian) == elf::PT_NOTE && take_from(&mut notes_left, size) {
            let notes = segment.notes(endian, data).ok().flatten();
            contents.take_build_id(notes);
        }
        let is_code = segment.p_type(endian) == elf::PT_LOAD
            && segment.p_flags(endian).0 & elf::PF_X.0 != 0
            && size > 0;
        // Without section headers, segments are all that there is.
        contents.has_code |= is_code && header.e_shnum(endian) == 0;
    }
    Ok(contents)
}

fn header<'d, R: ReadRef<'d>>(data: R) -> Result<&'d FileHeader64<LittleEndian>, SymbolError> {
    let start = data.read_bytes_at(0, HEADER_BYTES);
    let start = start.map_err(|()| SymbolError::NotElf)?;
    crate::binary::check_header(start)?;
    Ok(FileHeader64::parse(data)?)
}

/// Takes bytes from those that are left; returns false if there are not as many.
fn take_from(left: &mut u64, bytes: u64) -> bool {
    let rest = left.checked_sub(bytes);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

impl Contents {
    fn add_section<'d, R: ReadRef<'d>>(
        &mut self,
        table: &SectionTable<'d, FileHeader64<LittleEndian>, R>,
        section: &SectionHeader64<LittleEndian>,
        data: R,
        notes_left: &mut u64,
    ) -> Result<(), SymbolError> {
        let endian = LittleEndian;
        let size = section.sh_size(endian);
        let kind = section.sh_type(endian);
        if size == 0 || kind == elf::SHT_NOBITS {
            return Ok(());
        }
        if kind == elf::SHT_NOTE && take_from(notes_left, size) {
            self.take_build_id(section.notes(endian, data).ok().flatten());
        }
        let flags = section.sh_flags(endian).0;
        let code = elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0;
        self.has_code |= flags & code == code;
        self.has_symbols |= kind == elf::SHT_SYMTAB;
        let name = table.section_name(endian, section).unwrap_or_default();
        self.has_debug_info |= name == b".debug_info";
        self.is_package |= name == INDEX.as_bytes();
        let is_read = |name: &str| name.starts_with(".debug_") && is_needed(name);
        if std::str::from_utf8(name).is_ok_and(is_read)
            && let Some((header, _, _)) = section.compression(endian, data)?
        {
            self.unpacked_bytes = self.unpacked_bytes.saturating_add(header.ch_size(endian));
        }
        Ok(())
    }

    fn take_build_id(&mut self, notes: Option<NoteIterator<'_, FileHeader64<LittleEndian>>>) {
        let Some(mut notes) = notes else {
            return;
        };
        while let Ok(Some(note)) = notes.next() {
            let is_id = note.name() == elf::ELF_NOTE_GNU
                && note.n_type(LittleEndian) == elf::NT_GNU_BUILD_ID;
            if is_id && self.build_id.is_none() {
                self.build_id = BuildId::new(note.desc());
            }
        }
    }
}
