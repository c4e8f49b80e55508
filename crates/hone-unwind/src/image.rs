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

/// Bytes of one section at most; more is a claim and no section.
const SECTION_BYTES_MAX: u64 = 1 << 30;
/// Bytes of code at the start that may lack unwind information: those of glibc 2.36 are 61.
const START_BYTES: u64 = 64;

/// Why a file is of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImageError {
    /// It cannot be read as an ELF file.
    #[error("not a readable ELF file: {0}")]
    Unreadable(String),
    /// It is for another machine.
    #[error("not a file for x86-64")]
    OtherMachine,
}

/// A stretch of code in the file.
struct Code {
    offset: Range<u64>,
    svma: u64,
    /// Kept only where the file has no unwind information.
    bytes: Vec<u8>,
}

/// What there is to know about an instruction.
#[derive(Clone)]
pub(crate) enum Kind {
    /// The outermost frame.
    Root,
    /// Where a handler of signals returns to.
    Signal,
    /// The rules for its caller.
    Row(Rc<Row>),
    /// No unwind information.
    Uncovered,
}

/// A program, a library or the vdso, ready to be unwound through.
pub struct Image {
    code: Vec<Code>,
    tables: Vec<Table>,
    trampolines: Vec<Trampoline>,
    build_id: Option<Vec<u8>>,
    /// Where the kernel starts the program, or its dynamic linker.
    entry: u64,
    /// Answers by address in the file's own view.
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
    /// Reads what is needed of an ELF file: headers and unwind information, about a tenth of most files.
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

    /// The file's build id.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// Whether the file has any unwind information.
    pub fn has_tables(&self) -> bool {
        !self.tables.is_empty()
    }

    /// The file's own address of a place in it, if that is code.
    pub(crate) fn svma_of(&self, offset: u64) -> Option<u64> {
        let code = self
            .code
            .iter()
            .find(|code| code.offset.contains(&offset))?;
        code.svma.checked_add(offset - code.offset.start)
    }

    /// Whether a frame with this instruction pointer is where handlers of signals return to.
    pub(crate) fn is_trampoline(&self, svma: u64, is_exact: bool) -> bool {
        let mut trampolines = self.trampolines.iter();
        trampolines.any(|trampoline| trampoline.holds(svma, is_exact))
    }

    /// What is known about an instruction.
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

    /// Whether an address without unwind information is that of the code that the kernel starts: glibc's dynamic linker says
    /// nothing of its own. Only in a file whose other functions have some.
    fn is_start(&self, svma: u64) -> bool {
        let is_near = svma
            .checked_sub(self.entry)
            .is_some_and(|from| from < START_BYTES);
        is_near && self.has_tables()
    }

    /// The code before an address, at most `len` bytes of it, where it is kept.
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

/// Whether a file may call `rt_sigreturn` without saying so in its tables: C libraries that are no part of glibc, what is
/// linked with them statically, and Go. Others are not read for it: they need glibc, which says so.
fn may_have_trampolines<'d>(object: &impl Object<'d>) -> bool {
    let has = |name: &str| object.section_by_name(name).is_some();
    let needs_others = has(".interp")
        || object
            .imports()
            .is_ok_and(|mut imports| imports.next().is_some());
    !needs_others || has(".gopclntab") || has(".go.buildinfo")
}

/// The sections that unwinding needs; those that cannot be read count as absent.
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
