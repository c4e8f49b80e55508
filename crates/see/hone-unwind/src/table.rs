//! One section of unwind information, and how an instruction is looked up in it.

use crate::row::{Reader, Shape, shape};
use gimli::{
    BaseAddresses, CieOrFde, DebugFrame, DebugFrameOffset, EhFrame, EhFrameHdr, EhFrameOffset,
    EndianSlice, LittleEndian, Pointer, UnwindContext, UnwindSection,
};
use std::ops::Range;
use std::sync::Arc;

pub(crate) type Bytes = Arc<[u8]>;

/// Smallest range without a description that counts as one: between functions that are described lies padding, and code
/// written by hand.
pub(crate) const GAP_BYTES_MIN: u64 = 4096;

/// A section of a file: where it is mapped, in the file's own addresses, and its bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(crate) svma: Range<u64>,
    pub(crate) bytes: Bytes,
}

/// Index of the descriptions of functions.
enum Index {
    /// Index that the linker wrote.
    Header(Bytes),
    /// Index made here: first address and offset of each description, sorted.
    Made(Vec<(u64, usize)>),
}

/// A table of unwind information: `.eh_frame` or `.debug_frame`.
pub(crate) struct Table {
    is_debug: bool,
    bytes: Bytes,
    index: Index,
    bases: BaseAddresses,
}

/// Sections of a file that unwinding needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sections {
    pub(crate) text: Range<u64>,
    pub(crate) got: Range<u64>,
    pub(crate) eh_frame: Option<Section>,
    pub(crate) eh_frame_hdr: Option<Section>,
    pub(crate) debug_frame: Option<Section>,
}

impl Table {
    /// Returns the tables of a file.
    pub(crate) fn all(sections: &Sections) -> Vec<Self> {
        let bases = BaseAddresses::default()
            .set_text(sections.text.start)
            .set_got(sections.got.start);
        let mut tables = Vec::new();
        if let Some(frames) = &sections.eh_frame {
            let header = sections.eh_frame_hdr.as_ref();
            let mut bases = bases.clone().set_eh_frame(frames.svma.start);
            if let Some(header) = header {
                bases = bases.set_eh_frame_hdr(header.svma.start);
            }
            let index = match header {
                Some(header) => Index::Header(header.bytes.clone()),
                None => Index::Made(starts(&EhFrame::new(&frames.bytes, LittleEndian), &bases)),
            };
            tables.push(Self {
                is_debug: false,
                bytes: frames.bytes.clone(),
                index,
                bases,
            });
        }
        if let Some(frames) = &sections.debug_frame {
            let index = Index::Made(starts(&debug_frame(&frames.bytes), &bases));
            tables.push(Self {
                is_debug: true,
                bytes: frames.bytes.clone(),
                index,
                bases,
            });
        }
        tables
    }

    /// Returns the meaning of the row at an instruction; `None` if the table has no row for the instruction.
    pub(crate) fn shape_at(&self, svma: u64, context: &mut UnwindContext<usize>) -> Option<Shape> {
        if self.is_debug {
            let section = debug_frame(&self.bytes);
            let offset = DebugFrameOffset(self.made(svma)?);
            return shape_in(&section, offset, &self.bases, svma, context);
        }
        let section = EhFrame::new(&self.bytes, LittleEndian);
        let offset = match &self.index {
            Index::Header(header) => {
                let header = EhFrameHdr::new(header, LittleEndian);
                let header = header.parse(&self.bases, 8).ok()?;
                let table = header.table()?;
                let pointer = table.lookup(svma, &self.bases).ok()?;
                EhFrameOffset(self.offset_of(pointer)?)
            }
            Index::Made(_) => EhFrameOffset(self.made(svma)?),
        };
        shape_in(&section, offset, &self.bases, svma, context)
    }

    /// Returns the offset in the section that a pointer of the header leads to.
    fn offset_of(&self, pointer: Pointer) -> Option<usize> {
        let Pointer::Direct(pointer) = pointer else {
            return None;
        };
        // gimli's own conversion takes for granted that the pointer leads into the section.
        let offset = pointer.checked_sub(self.bases.eh_frame.section?)?;
        usize::try_from(offset).ok()
    }

    /// Returns the ranges that the table describes, sorted; gaps below [`GAP_BYTES_MIN`] count as described.
    pub(crate) fn described(&self) -> Vec<Range<u64>> {
        let starts = match &self.index {
            Index::Made(starts) => starts.clone(),
            Index::Header(header) => self.starts_in(header).unwrap_or_default(),
        };
        let nexts = starts.iter().skip(1).map(|(start, _)| *start);
        let nexts = nexts.chain(std::iter::once(u64::MAX));
        let ranges = starts.iter().zip(nexts).map(|(&(start, offset), next)| {
            // The length costs a look at the description, which most functions are spared.
            let is_far = next.saturating_sub(start) >= GAP_BYTES_MIN;
            let end = is_far.then(|| self.end_of(offset)).flatten();
            start..end.unwrap_or(next)
        });
        ranges.collect()
    }

    /// Returns the first address and the offset of each description in the linker's index.
    fn starts_in(&self, header: &[u8]) -> Option<Vec<(u64, usize)>> {
        let header = EhFrameHdr::new(header, LittleEndian);
        let header = header.parse(&self.bases, 8).ok()?;
        let table = header.table()?;
        let mut entries = table.iter(&self.bases);
        let mut starts = Vec::new();
        while let Ok(Some((Pointer::Direct(start), description))) = entries.next() {
            starts.extend(self.offset_of(description).map(|offset| (start, offset)));
        }
        Some(starts)
    }

    /// Returns the end of the code of a description.
    fn end_of(&self, offset: usize) -> Option<u64> {
        let (start, len) = match self.is_debug {
            true => range_in(
                &debug_frame(&self.bytes),
                DebugFrameOffset(offset),
                &self.bases,
            ),
            false => range_in(
                &EhFrame::new(&self.bytes, LittleEndian),
                EhFrameOffset(offset),
                &self.bases,
            ),
        }?;
        start.checked_add(len)
    }

    fn made(&self, svma: u64) -> Option<usize> {
        let Index::Made(starts) = &self.index else {
            return None;
        };
        let next = starts.partition_point(|(start, _)| *start <= svma);
        Some(starts[..next].last()?.1)
    }
}

fn debug_frame(bytes: &[u8]) -> DebugFrame<Reader<'_>> {
    let mut section = DebugFrame::from(EndianSlice::new(bytes, LittleEndian));
    section.set_address_size(8);
    section
}

fn shape_in<'b, S: UnwindSection<Reader<'b>>>(
    section: &S,
    offset: S::Offset,
    bases: &BaseAddresses,
    svma: u64,
    context: &mut UnwindContext<usize>,
) -> Option<Shape> {
    let fde = section
        .fde_from_offset(bases, offset, S::cie_from_offset)
        .ok()?;
    if !fde.contains(svma) {
        return None;
    }
    let row = fde
        .unwind_info_for_address(section, bases, context, svma)
        .ok()?;
    shape(
        section,
        row,
        fde.cie().encoding(),
        fde.is_signal_trampoline(),
    )
}

/// Returns the first address and the length of the code of a description.
fn range_in<'b, S: UnwindSection<Reader<'b>>>(
    section: &S,
    offset: S::Offset,
    bases: &BaseAddresses,
) -> Option<(u64, u64)> {
    let description = section.fde_from_offset(bases, offset, S::cie_from_offset);
    let description = description.ok()?;
    Some((description.initial_address(), description.len()))
}

/// Returns the first address and the offset of each description, sorted; as far as the section can be read.
fn starts<'b, S: UnwindSection<Reader<'b>>>(
    section: &S,
    bases: &BaseAddresses,
) -> Vec<(u64, usize)> {
    let mut starts = Vec::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let offset = partial.offset();
        if let Ok(fde) = partial.parse(S::cie_from_offset)
            && fde.len() > 0
        {
            starts.push((fde.initial_address(), offset));
        }
    }
    starts.sort_unstable();
    starts
}
