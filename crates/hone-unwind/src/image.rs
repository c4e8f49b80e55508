//! An ELF file, as far as unwinding needs it.

use crate::row::{Row, Shape};
use crate::signal::Trampoline;
use crate::table::{Section, Sections, Table};
use gimli::UnwindContext;
use object::read::ReadCache;
use object::{Architecture, Object, ObjectSection, ObjectSegment, SegmentFlags, elf};
use rustc_hash::FxHashMap;
use std::io::{Read, Seek};
use std::ops::Range;
use std::rc::Rc;

/// Maximum size of a section in bytes; a larger size is a false claim.
const SECTION_BYTES_MAX: u64 = 1 << 30;
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
    /// Bytes of the code, kept only if the file has no unwind information.
    bytes: Vec<u8>,
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
    tables: Vec<Table>,
    trampolines: Vec<Trampoline>,
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
        let mut code: Vec<Code> = segments
            .map(|segment| {
                let (offset, len) = segment.file_range();
                Code {
                    offset: offset..offset.saturating_add(len),
                    svma: segment.address(),
                    bytes: Vec::new(),
                }
            })
            .collect();
        let sections = sections(&object);
        let tables = Table::all(&sections);
        let mut trampolines = Vec::new();
        let is_looked_through = may_have_trampolines(&object);
        if tables.is_empty() || is_looked_through {
            for (code, segment) in code
                .iter_mut()
                .zip(object.segments().filter(|segment| is_code(segment.flags())))
            {
                let bytes = segment.data().unwrap_or_default();
                if is_looked_through {
                    trampolines.append(&mut Trampoline::all(bytes, code.svma));
                }
                if tables.is_empty() {
                    code.bytes = bytes.to_vec();
                }
            }
        }
        Ok(Self {
            code,
            tables,
            entry: object.entry(),
            trampolines,
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
        let within = |code: &&Code| {
            !code.bytes.is_empty() && (code.svma..=code.svma + code.len()).contains(&svma)
        };
        let code = self.code.iter().find(within)?;
        let end = usize::try_from(svma - code.svma).ok()?;
        code.bytes.get(end.saturating_sub(len)..end)
    }
}

impl Code {
    fn len(&self) -> u64 {
        self.offset.end - self.offset.start
    }
}

/// Returns true if a file may call `rt_sigreturn` without an entry in its tables: C libraries other than glibc, files that are
/// linked with them statically, and Go. Other files are not searched: they need glibc, which has the entry.
fn may_have_trampolines<'d>(object: &impl Object<'d>) -> bool {
    let has = |name: &str| object.section_by_name(name).is_some();
    let needs_others = has(".interp")
        || object
            .imports()
            .is_ok_and(|mut imports| imports.next().is_some());
    !needs_others || has(".gopclntab") || has(".go.buildinfo")
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
