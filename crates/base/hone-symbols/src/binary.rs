//! One ELF file: its layout, its functions, its PLT and its debug sections.
//!
//! The recording names bytes of the file; the symbol table and DWARF name addresses. Linkers lay the two
//! out differently (`ld` puts code at offset 0x1000 = address 0x1000, `lld` at offset 0x1240 = address
//! 0x2240, a fixed binary at 0x400000 more), so this module assumes no constant difference: every
//! translation goes through the `PT_LOAD` headers.

use crate::bodies::MadeNames;
use crate::dwarf::UnreadUnits;
use crate::error::SymbolError;
use crate::functions::{Function, Functions};
use crate::go_table;
use crate::image::Image;
use crate::plt::{Plt, PltEntry};
use crate::ranges::is_needed;
use crate::split_files::SplitFiles;
use hone_profile::{BuildId, FileOffset, Svma};
use object::LittleEndian;
use object::elf;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader, SectionHeader};
use object::read::{CompressedFileRange, CompressionFormat, Object, ObjectSection, ObjectSymbol};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// Maximum ratio of the size of a debug section to its compressed bytes; zlib cannot exceed 1032.
const DEBUG_EXPANSION_MAX: u64 = 4096;

pub(crate) type Elf<'a> = ElfFile64<'a, LittleEndian>;

/// Type of linking of a binary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryType {
    /// Loaded at the address it states (`ET_EXEC`).
    Fixed,
    /// A program that is loaded anywhere (`ET_DYN` with an entry and an interpreter, or static PIE).
    PositionIndependent,
    /// A shared library.
    SharedLibrary,
    /// An object file, a core dump or something else that does not run.
    Other,
}

/// One `PT_LOAD` program header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Offset in the file of the first byte.
    pub offset: FileOffset,
    /// Address of the first byte in memory.
    pub svma: Svma,
    /// Number of bytes in the file.
    pub file_size: u64,
    /// True if the segment may be executed.
    pub executable: bool,
}

/// Symbol in a build with flow-sensitive discriminators.
const FLOW_SENSITIVE: &str = "__llvm_fs_discriminator__";

/// One section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// Name of the section.
    pub name: &'a str,
    /// Address of the section; 0 if the section is not loaded.
    pub svma: Svma,
    /// Size in bytes.
    pub size: u64,
    /// True if the section holds instructions.
    pub executable: bool,
    /// True if the section is part of the program in memory.
    pub loaded: bool,
}

/// An ELF file for x86-64.
#[derive(Debug)]
pub struct Binary<'a> {
    data: &'a [u8],
    build_id: Option<BuildId>,
    kind: BinaryType,
    statically_linked: bool,
    entry: Svma,
    segments: Vec<Segment>,
    sections: Vec<Section<'a>>,
    executable: Vec<Range<u64>>,
    functions: Functions<'a>,
    plt: Plt<'a>,
    debug_sections: FxHashMap<&'a str, Cow<'a, [u8]>>,
    split_files: Option<&'a dyn SplitFiles>,
    debug_file: Option<&'a [u8]>,
    unread: UnreadUnits,
}

impl<'a> Binary<'a> {
    /// Reads the headers, the symbols and the debug sections, which are decompressed if necessary. Symbols and
    /// debug sections that the binary lacks come from its debug file.
    pub fn parse(image: impl Into<Image<'a>>) -> Result<Self, SymbolError> {
        Self::read(image.into(), None)
    }

    /// Reads a binary like [`Binary::parse`], and names functions of a stripped file that have no name after their place
    /// ([`MadeNames`]): for views, not for compilers.
    pub fn parse_with_bodies(
        image: impl Into<Image<'a>>,
        names: &'a MadeNames,
    ) -> Result<Self, SymbolError> {
        Self::read(image.into(), Some(names))
    }

    fn read(image: Image<'a>, names: Option<&'a MadeNames>) -> Result<Self, SymbolError> {
        let Image {
            binary: data,
            debug,
            split: split_files,
        } = image;
        let elf = open(data)?;
        let debug_file = debug;
        let debug = debug.map(open).transpose()?;
        let build_id = build_id(&elf);
        if let Some(debug) = &debug {
            check_same_build(build_id.as_ref(), self::build_id(debug).as_ref())?;
        }
        let endian = LittleEndian;
        let header = elf.elf_header();
        let interpreter = elf
            .elf_program_headers()
            .iter()
            .any(|p| p.p_type(endian) == elf::PT_INTERP);
        let entry = Svma(header.e_entry(endian));
        let segments = load_segments(&elf);
        let sections = sections(&elf);
        let executable = executable_ranges(&sections, &segments);
        let kind = match header.e_type(endian) {
            elf::ET_EXEC => BinaryType::Fixed,
            elf::ET_DYN if interpreter || is_static_pie(&elf) => BinaryType::PositionIndependent,
            elf::ET_DYN => BinaryType::SharedLibrary,
            _ => BinaryType::Other,
        };
        let statically_linked =
            !interpreter && matches!(kind, BinaryType::Fixed | BinaryType::PositionIndependent);
        let mut unread = UnreadUnits::default();
        let debug_sections = all_debug_sections(&elf, debug.as_ref(), &mut unread)?;
        Ok(Self {
            data,
            build_id,
            kind,
            statically_linked,
            entry,
            functions: functions(&elf, debug.as_ref(), &executable, names),
            plt: Plt::read(&elf),
            debug_sections,
            segments,
            sections,
            executable,
            split_files,
            debug_file,
            unread,
        })
    }

    /// Returns the GNU build id, if the linker wrote one.
    pub fn build_id(&self) -> Option<&BuildId> {
        self.build_id.as_ref()
    }

    /// Returns how the binary is linked.
    pub fn kind(&self) -> BinaryType {
        self.kind
    }

    /// Returns true for a program that needs no dynamic linker.
    pub fn is_statically_linked(&self) -> bool {
        self.statically_linked
    }

    /// Returns the address where execution starts.
    pub fn entry(&self) -> Svma {
        self.entry
    }

    /// Returns the bytes of the file.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns the `PT_LOAD` headers.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns all sections, in the order of the file.
    pub fn sections(&self) -> &[Section<'a>] {
        &self.sections
    }

    /// Returns the size in bytes of the section with this name; 0 if there is none.
    pub fn section_size(&self, name: &str) -> u64 {
        self.sections
            .iter()
            .filter(|section| section.name == name)
            .fold(0, |sum, section| sum.saturating_add(section.size))
    }

    /// Returns what the compilers of the parts say of themselves, such as `clang version 19.1.7`: the strings of section `.comment`.
    pub fn compilers(&self) -> Vec<&'a str> {
        let elf = open(self.data).ok();
        let data = elf.and_then(|elf| elf.section_by_name(".comment")?.data().ok());
        let strings = data.unwrap_or_default().split(|byte| *byte == 0);
        strings
            .filter_map(|text| str::from_utf8(text).ok())
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// Returns the number of bytes of instructions: the sizes of all executable sections.
    pub fn text_size(&self) -> u64 {
        self.executable.iter().fold(0, |sum: u64, range| {
            sum.saturating_add(range.end - range.start)
        })
    }

    /// Returns the number of bytes of the file that are loaded to run: the file without debug information and symbols.
    pub fn loaded_size(&self) -> u64 {
        let sizes = self.segments.iter().map(|segment| segment.file_size);
        sizes.fold(0, u64::saturating_add)
    }

    /// Returns the address of a byte of the file; `None` if no segment loads the byte.
    ///
    /// A byte may be loaded twice (in the page where two segments meet); the executable segment wins, because
    /// recordings refer to instructions.
    pub fn svma_of(&self, offset: FileOffset) -> Option<Svma> {
        let holds = |segment: &&Segment| {
            offset
                .0
                .checked_sub(segment.offset.0)
                .is_some_and(|delta| delta < segment.file_size)
        };
        let segment = (self
            .segments
            .iter()
            .filter(|segment| segment.executable)
            .find(holds))
        .or_else(|| self.segments.iter().find(holds))?;
        Some(Svma(
            segment.svma.0.checked_add(offset.0 - segment.offset.0)?,
        ))
    }

    /// Returns the byte of the file that is loaded at an address; `None` if there is no such byte.
    pub fn file_offset_of(&self, svma: Svma) -> Option<FileOffset> {
        self.segments.iter().find_map(|segment| {
            let delta = svma.0.checked_sub(segment.svma.0)?;
            (delta < segment.file_size).then_some(FileOffset(segment.offset.0.checked_add(delta)?))
        })
    }

    /// Returns `len` bytes at an address; `None` if the file does not hold all of these bytes.
    pub fn bytes_at(&self, svma: Svma, len: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(self.file_offset_of(svma)?.0).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        self.data.get(start..end)
    }

    /// Returns the address ranges that hold instructions, sorted: the executable sections, or the executable
    /// segments of a file without section headers.
    pub fn executable_ranges(&self) -> &[Range<u64>] {
        &self.executable
    }

    /// Returns true if the address may hold an instruction.
    pub fn is_executable(&self, svma: Svma) -> bool {
        in_ranges(&self.executable, svma.0)
    }

    /// Returns the functions, sorted by address.
    pub fn functions(&self) -> &Functions<'a> {
        &self.functions
    }

    /// Returns the function whose body holds the address.
    pub fn function_at(&self, svma: Svma) -> Option<&Function<'a>> {
        self.functions.at(svma)
    }

    /// Returns the address of a symbol of code or data. Searches the symbols of the binary, not of its debug file.
    pub fn address_of(&self, symbol: &str) -> Option<Svma> {
        let elf = open(self.data).ok()?;
        let found = elf.symbol_by_name(symbol)?;
        Some(Svma(found.address()))
    }

    /// Returns true if clang made the discriminators flow-sensitive (`-enable-fs-discriminator`); clang then adds a symbol.
    pub fn has_flow_sensitive_discriminators(&self) -> bool {
        let files = [Some(self.data), self.debug_file];
        let mut tables = files
            .into_iter()
            .flatten()
            .filter_map(|file| open(file).ok());
        tables.any(|elf| elf.symbol_by_name(FLOW_SENSITIVE).is_some())
    }

    /// Returns the PLT sections and their stubs.
    pub fn plt(&self) -> &Plt<'a> {
        &self.plt
    }

    /// Returns the PLT stub that holds the address.
    pub fn plt_entry_at(&self, svma: Svma) -> Option<&PltEntry<'a>> {
        self.plt.entry_at(svma)
    }

    /// Returns the bytes of a debug section such as `.debug_info`; empty if there is no such section.
    pub(crate) fn debug_section(&self, name: &str) -> &[u8] {
        self.debug_sections.get(name).map_or(&[], |data| data)
    }

    /// Returns the debug sections that could not be decompressed.
    pub(crate) fn unread_debug_sections(&self) -> &UnreadUnits {
        &self.unread
    }

    /// Returns the source of the files with split debug information.
    pub(crate) fn split_files(&self) -> Option<&dyn SplitFiles> {
        self.split_files
    }
}

/// Returns true if the address lies in one of the sorted ranges.
pub(crate) fn in_ranges(ranges: &[Range<u64>], address: u64) -> bool {
    let next = ranges.partition_point(|range| range.start <= address);
    next > 0 && ranges[next - 1].contains(&address)
}

pub(crate) fn open(data: &[u8]) -> Result<Elf<'_>, SymbolError> {
    check_header(data)?;
    Ok(Elf::parse(data)?)
}

/// Refuses a file whose first bytes are not those of an ELF file for x86-64.
pub(crate) fn check_header(data: &[u8]) -> Result<(), SymbolError> {
    if data.get(..4) != Some(b"\x7fELF") {
        return Err(SymbolError::NotElf);
    }
    let machine = data
        .get(18..20)
        .map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let bits = if data.get(4) == Some(&2) { 64 } else { 32 };
    if bits != 64 || data.get(5) != Some(&1) || machine != elf::EM_X86_64.0 {
        return Err(SymbolError::NotX8664 { machine, bits });
    }
    Ok(())
}

pub(crate) fn build_id(elf: &Elf<'_>) -> Option<BuildId> {
    elf.build_id().ok().flatten().and_then(BuildId::new)
}

/// Compares the build ids of a binary and its debug file. A missing build id is no error.
fn check_same_build(binary: Option<&BuildId>, debug: Option<&BuildId>) -> Result<(), SymbolError> {
    match (binary, debug) {
        (Some(binary), Some(debug)) if binary != debug => Err(SymbolError::OtherDebugFile {
            binary: binary.clone(),
            debug: debug.clone(),
        }),
        _ => Ok(()),
    }
}

fn functions<'a>(
    elf: &Elf<'a>,
    debug: Option<&Elf<'a>>,
    executable: &[Range<u64>],
    names: Option<&'a MadeNames>,
) -> Functions<'a> {
    let own = Functions::read(elf, executable);
    if !own.only_exported() {
        return own;
    }
    let split_off = debug.map(|debug| Functions::read(debug, executable));
    match split_off {
        Some(split_off) if !split_off.is_empty() => split_off,
        _ => own
            .with_bodies(go_table::functions(elf))
            .with_bodies(names.map_or(Vec::new(), |names| names.bodies(elf))),
    }
}

fn all_debug_sections<'a>(
    elf: &Elf<'a>,
    debug: Option<&Elf<'a>>,
    unread: &mut UnreadUnits,
) -> Result<FxHashMap<&'a str, Cow<'a, [u8]>>, SymbolError> {
    let own = debug_sections(elf, unread)?;
    match debug {
        Some(debug) if !own.contains_key(".debug_info") => debug_sections(debug, unread),
        _ => Ok(own),
    }
}

fn load_segments(elf: &Elf<'_>) -> Vec<Segment> {
    let endian = LittleEndian;
    elf.elf_program_headers()
        .iter()
        .filter(|header| header.p_type(endian) == elf::PT_LOAD)
        .map(|header| Segment {
            offset: FileOffset(header.p_offset(endian)),
            svma: Svma(header.p_vaddr(endian)),
            file_size: header.p_filesz(endian),
            executable: header.p_flags(endian).0 & elf::PF_X.0 != 0,
        })
        .collect()
}

fn sections<'a>(elf: &Elf<'a>) -> Vec<Section<'a>> {
    let endian = LittleEndian;
    let table = elf.elf_section_table();
    table
        .iter()
        .filter_map(|header| {
            let flags = header.sh_flags(endian).0;
            Some(Section {
                name: std::str::from_utf8(table.section_name(endian, header).ok()?).ok()?,
                svma: Svma(header.sh_addr(endian)),
                size: header.sh_size(endian),
                executable: flags & elf::SHF_EXECINSTR.0 != 0,
                loaded: flags & elf::SHF_ALLOC.0 != 0,
            })
        })
        .collect()
}

fn executable_ranges(sections: &[Section<'_>], segments: &[Segment]) -> Vec<Range<u64>> {
    let mut ranges: Vec<_> = sections
        .iter()
        .filter(|section| section.executable && section.loaded && section.size > 0)
        .filter_map(|section| Some(section.svma.0..section.svma.0.checked_add(section.size)?))
        .collect();
    if ranges.is_empty() {
        ranges = segments
            .iter()
            .filter(|segment| segment.executable)
            .filter_map(|s| Some(s.svma.0..s.svma.0.checked_add(s.file_size)?))
            .collect();
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Returns true for a static PIE, which has no interpreter; `DF_1_PIE` tells it from a library.
fn is_static_pie(elf: &Elf<'_>) -> bool {
    let Ok(table) = elf.elf_dynamic_table() else {
        return false;
    };
    let is_pie = |entry: object::read::elf::Dynamic| {
        entry.tag == elf::DT_FLAGS_1 && entry.val & elf::DF_1_PIE.0 != 0
    };
    table.iter().any(is_pie)
}

/// Reads the debug sections. A section that cannot be decompressed is added to `unread` and treated as absent.
fn debug_sections<'a>(
    elf: &Elf<'a>,
    unread: &mut UnreadUnits,
) -> Result<FxHashMap<&'a str, Cow<'a, [u8]>>, SymbolError> {
    let mut found = FxHashMap::default();
    for section in elf.sections() {
        if let Ok(name) = section.name()
            && name.starts_with(".debug_")
            && is_needed(name)
        {
            let range = match section.compressed_file_range() {
                Ok(range) => range,
                Err(error) => {
                    unread.add(format!("section {name}: {error}"));
                    continue;
                }
            };
            check_expansion(name, &range)?;
            match section.uncompressed_data() {
                Ok(data) => _ = found.insert(name, data),
                Err(error) => unread.add(format!("section {name}: {error}")),
            }
        }
    }
    Ok(found)
}

/// Refuses a compressed section that claims to be larger than its bytes can hold.
pub(crate) fn check_expansion(name: &str, range: &CompressedFileRange) -> Result<(), SymbolError> {
    let limit = range.compressed_size.saturating_mul(DEBUG_EXPANSION_MAX);
    if range.format != CompressionFormat::None && range.uncompressed_size > limit {
        let claimed = range.uncompressed_size;
        return Err(SymbolError::MalformedElf(format!(
            "section {name} of {} compressed bytes claims {claimed} bytes",
            range.compressed_size
        )));
    }
    Ok(())
}
