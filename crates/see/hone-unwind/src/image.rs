//! An ELF file, as far as unwinding needs it.

use crate::row::{Row, Shape};
use crate::signal::Trampoline;
use crate::switch;
use crate::table::{GAP_BYTES_MIN, Section, Sections, Table};
use gimli::UnwindContext;
use object::read::{ReadCache, ReadRef};
use object::{Architecture, Object, ObjectSection, ObjectSegment, SegmentFlags, elf};
use rustc_hash::FxHashMap;
use std::io::{Read, Seek};
use std::ops::Range;
use std::rc::Rc;

/// Maximum size of a section in bytes; a larger size is a false claim.
const SECTION_BYTES_MAX: u64 = 1 << 30;
/// Bytes of code that are kept of a file with unwind information; V8 has 2 MB without any, a large Go program with cgo 100 MB.
const KEPT_BYTES_MAX: u64 = 128 << 20;
/// Bytes of code at the entry point that may lack unwind information; glibc 2.36 has 61.
const START_BYTES: u64 = 64;

/// Reason why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImageError {
    /// The file cannot be read as ELF.
    #[error("not a readable ELF file: {0}")]
    Unreadable(String),
    /// The file is for another machine.
    #[error("not a file for x86-64")]
    OtherMachine,
}

/// A range of code in the file.
struct Code {
    offset: Range<u64>,
    svma: u64,
}

/// A large part of the code without any unwind information, with its bytes: return addresses are known there by the call
/// before them.
struct Bare {
    svma: u64,
    bytes: Vec<u8>,
}

impl Bare {
    fn end(&self) -> u64 {
        self.svma.saturating_add(self.bytes.len() as u64)
    }
}

/// Kind of an instruction, as far as unwinding is concerned.
#[derive(Clone)]
pub(crate) enum Kind {
    /// Code of the outermost frame.
    Root,
    /// Code that signal handlers return to.
    Signal,
    /// Code with rules for its caller.
    Row(Rc<Row>),
    /// Code without unwind information.
    Uncovered,
}

/// A program, a library or the vdso, ready to be unwound through.
pub struct Image {
    code: Vec<Code>,
    /// Parts without unwind information, sorted; all code of a file that has none.
    bare: Vec<Bare>,
    tables: Vec<Table>,
    trampolines: Vec<Trampoline>,
    /// Places behind which Go's run time is on another stack, sorted.
    switches: Vec<u64>,
    build_id: Option<Vec<u8>>,
    /// Address where the kernel starts the program, or its dynamic linker.
    entry: u64,
    /// Kinds found so far, by address in the file's own view.
    known: FxHashMap<u64, Kind>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tables = self.tables.len();
        f.debug_struct("Image")
            .field("tables", &tables)
            .finish_non_exhaustive()
    }
}

impl Image {
    /// Reads the parts of an ELF file that are needed: headers and unwind information, about a tenth of most files.
    pub fn read(file: impl Read + Seek) -> Result<Self, ImageError> {
        let cache = ReadCache::new(file);
        let unreadable = |error: object::Error| ImageError::Unreadable(error.to_string());
        let object = object::File::parse(&cache).map_err(unreadable)?;
        if object.architecture() != Architecture::X86_64 || !object.is_64() {
            return Err(ImageError::OtherMachine);
        }
        let is_code = |flags| matches!(flags, SegmentFlags::Elf { p_flags, .. } if p_flags.0 & elf::PF_X.0 != 0);
        let segments = object.segments().filter(|segment| is_code(segment.flags()));
        let code: Vec<Code> = segments
            .map(|segment| {
                let (offset, len) = segment.file_range();
                Code {
                    offset: offset..offset.saturating_add(len),
                    svma: segment.address(),
                }
            })
            .collect();
        let sections = sections(&object);
        let tables = Table::all(&sections);
        let mut trampolines = Vec::new();
        let is_looked_through = may_have_trampolines(&object);
        let is_go = is_go(&object);
        let mut switches = Vec::new();
        let described = described(&tables);
        let mut bare: Vec<Bare> = Vec::new();
        let mut room = KEPT_BYTES_MAX;
        let bytes_at = |offset, len| (&cache).read_bytes_at(offset, len).unwrap_or_default();
        for Code { offset, svma } in &code {
            let len = offset.end - offset.start;
            if is_looked_through {
                let bytes = bytes_at(offset.start, len);
                trampolines.append(&mut Trampoline::all(bytes, *svma));
                if is_go {
                    switches.append(&mut switch::all(bytes, *svma));
                }
            }
            for gap in gaps(&described, *svma..svma.saturating_add(len)) {
                let len = gap.end - gap.start;
                if tables.is_empty() || len <= room {
                    room = room.saturating_sub(len);
                    bare.push(Bare {
                        svma: gap.start,
                        bytes: bytes_at(offset.start + (gap.start - svma), len).to_vec(),
                    });
                }
            }
        }
        bare.sort_unstable_by_key(|bare| bare.svma);
        switches.sort_unstable();
        Ok(Self {
            code,
            bare,
            tables,
            entry: object.entry(),
            trampolines,
            switches,
            build_id: object.build_id().ok().flatten().map(<[u8]>::to_vec),
            known: FxHashMap::default(),
        })
    }

    /// Returns the file's build id.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// Returns true if the file has any unwind information.
    pub fn has_tables(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns the file's own address of the byte at a file offset, if that byte is code.
    pub(crate) fn svma_of(&self, offset: u64) -> Option<u64> {
        let code = self
            .code
            .iter()
            .find(|code| code.offset.contains(&offset))?;
        code.svma.checked_add(offset - code.offset.start)
    }

    /// Returns true if a frame with this instruction pointer is in code that signal handlers return to.
    pub(crate) fn is_trampoline(&self, svma: u64, is_exact: bool) -> bool {
        let mut trampolines = self.trampolines.iter();
        trampolines.any(|trampoline| trampoline.holds(svma, is_exact))
    }

    /// Returns true if a call that returns to this address was made on another stack than that of the caller's caller.
    pub(crate) fn has_switched(&self, svma: u64) -> bool {
        switch::is_behind(&self.switches, svma)
    }

    /// Returns the kind of an instruction, and remembers the answer.
    pub(crate) fn kind_at(&mut self, svma: u64, context: &mut UnwindContext<usize>) -> Kind {
        if let Some(kind) = self.known.get(&svma) {
            return kind.clone();
        }
        let mut shapes = self.tables.iter();
        let kind = match shapes.find_map(|table| table.shape_at(svma, context)) {
            None if self.is_start(svma) => Kind::Root,
            None => Kind::Uncovered,
            Some(Shape::Root) => Kind::Root,
            Some(Shape::Row(row)) => Kind::Row(Rc::new(row)),
        };
        self.known.insert(svma, kind.clone());
        kind
    }

    /// Returns true if an address without unwind information lies in the code that the kernel starts: glibc's dynamic linker does
    /// not describe its own start. This holds only in a file whose other functions have unwind information.
    fn is_start(&self, svma: u64) -> bool {
        let is_near = svma
            .checked_sub(self.entry)
            .is_some_and(|from| from < START_BYTES);
        is_near && self.has_tables()
    }

    /// Returns at most `len` bytes of the code before an address, if the code was kept.
    pub(crate) fn code_before(&self, svma: u64, len: usize) -> Option<&[u8]> {
        let bare = self.bare_to(svma)?;
        let end = usize::try_from(svma - bare.svma).ok()?;
        bare.bytes.get(end.saturating_sub(len)..end)
    }

    /// Returns true if the code around a file offset has unwind information, except for a function or two.
    pub(crate) fn describes_around(&self, offset: u64) -> bool {
        let svma = self.svma_of(offset);
        let bare = svma.and_then(|svma| self.bare_to(svma).filter(|bare| svma < bare.end()));
        self.has_tables() && bare.is_none()
    }

    /// Returns the part without unwind information that reaches up to an address, or further.
    fn bare_to(&self, svma: u64) -> Option<&Bare> {
        let next = self.bare.partition_point(|bare| bare.svma <= svma);
        let bare = self.bare[..next].last()?;
        (svma <= bare.end()).then_some(bare)
    }
}

/// Returns the ranges that any of the tables describes, sorted.
fn described(tables: &[Table]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = tables.iter().flat_map(Table::described).collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges
}

/// Returns the large parts of a range that none of these sorted ranges covers; all of it if there are none.
fn gaps(described: &[Range<u64>], of: Range<u64>) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut at = of.start;
    let end = std::iter::once(of.end..of.end);
    for range in described.iter().cloned().chain(end) {
        let gap = at..range.start.min(of.end);
        let is_large = gap.end.saturating_sub(gap.start) >= GAP_BYTES_MIN;
        if is_large || described.is_empty() && !gap.is_empty() {
            gaps.push(gap);
        }
        at = at.max(range.end);
    }
    gaps
}

/// Returns true if a file may call `rt_sigreturn` without an entry in its tables: C libraries other than glibc, files that are
/// linked with them statically, and Go. Other files are not searched: they need glibc, which has the entry.
fn may_have_trampolines<'d>(object: &impl Object<'d>) -> bool {
    let has = |name: &str| object.section_by_name(name).is_some();
    let needs_others = has(".interp")
        || object
            .imports()
            .is_ok_and(|mut imports| imports.next().is_some());
    !needs_others || is_go(object)
}

/// Returns true if a file has Go code.
fn is_go<'d>(object: &impl Object<'d>) -> bool {
    let has = |name: &str| object.section_by_name(name).is_some();
    has(".gopclntab") || has(".go.buildinfo")
}

/// Reads the sections that unwinding needs; sections that cannot be read count as absent.
fn sections<'d>(object: &impl Object<'d>) -> Sections {
    let range = |name: &str| {
        let section = object.section_by_name(name);
        section.map_or(0..0, |section| {
            section.address()..section.address().saturating_add(section.size())
        })
    };
    let read = |name: &str| {
        let section = object.section_by_name(name)?;
        if section.size() > SECTION_BYTES_MAX {
            return None;
        }
        let bytes = section.uncompressed_data().ok()?;
        // The debug file of a stripped program has sections without content.
        (!bytes.is_empty()).then(|| Section {
            svma: range(name),
            bytes: bytes.as_ref().into(),
        })
    };
    Sections {
        text: range(".text"),
        got: range(".got"),
        eh_frame: read(".eh_frame"),
        eh_frame_hdr: read(".eh_frame_hdr"),
        debug_frame: read(".debug_frame"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_large_parts_that_nothing_describes() {
        let described = [0..0x100, 0x1000..0x9000, 0x2000..0x3000, 0xb000..0xb800];
        let ends = |described: &[Range<u64>], of| -> Vec<(u64, u64)> {
            let gaps = gaps(described, of).into_iter();
            gaps.map(|gap| (gap.start, gap.end)).collect()
        };
        let found = |of| ends(&described, of);
        assert_eq!(found(0..0xc000), [(0x9000, 0xb000)]);
        assert_eq!(found(0x4000..0xd000), [(0x9000, 0xb000), (0xb800, 0xd000)]);
        assert_eq!(found(0x8000..0x9800), []);
        assert_eq!(found(0xe000..0xf000), [(0xe000, 0xf000)]);
        assert_eq!(ends(&[], 0x10..0x20), [(0x10, 0x20)]);
        assert_eq!(ends(&[], 0x10..0x10), []);
    }
}
