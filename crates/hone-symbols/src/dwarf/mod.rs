//! DWARF, as far as sample-based optimisation needs it: for an address, the stack of inlined functions with
//! line, discriminator and the line on which each function starts.
//!
//! LLVM keys a sample by (line - first line of the function, discriminator) along the chain of inlined
//! calls. So unlike a symboliser this reads the discriminators, of the line table's rows and of the
//! inlined calls, and the declaration line of every function, following abstract origins and
//! specifications in the order in which LLVM itself does.
//!
//! Parsing lists the compilation units with their address ranges. The content of a unit ([`unit`]) is
//! read when the first address in it is asked for, so a large binary with few hot files costs little.

mod resolve;
mod unit;

use crate::binary::{Binary, in_ranges};
use crate::error::SymbolError;
use gimli::{EndianSlice, LittleEndian};
use hone_profile::Svma;
use std::ops::Range;
use std::sync::OnceLock;
use unit::UnitContent;

pub(crate) type Reader<'b> = EndianSlice<'b, LittleEndian>;
pub(crate) type Dwarf<'b> = gimli::Dwarf<Reader<'b>>;
pub(crate) type Unit<'b> = gimli::Unit<Reader<'b>>;

/// One level of an inline stack: a function, and the place in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceFrame<'a> {
    /// Linkage name of the function, or its plain name in C; empty where DWARF names none.
    pub function: &'a str,
    /// The line on which the function is declared where it is defined; 0 where unknown.
    pub start_line: u32,
    /// The line of the instruction or, in an outer frame, of the inlined call; 0 where unknown.
    pub line: u32,
    /// The discriminator there, as the compiler encoded it.
    pub discriminator: u32,
    /// The source file of `line`; empty where unknown.
    pub file: &'a str,
}

/// The debug information of a binary.
pub struct DebugInfo<'b> {
    dwarf: Dwarf<'b>,
    executable: &'b [Range<u64>],
    units: Vec<LazyUnit<'b>>,
    /// (start, end, index into `units`), sorted by start.
    ranges: Vec<(u64, u64, u32)>,
    split_units: usize,
    for_profiling: OnceLock<bool>,
}

struct LazyUnit<'b> {
    unit: Unit<'b>,
    content: OnceLock<UnitContent<'b>>,
}

impl<'b> DebugInfo<'b> {
    /// Lists the compilation units of `binary`, whose debug sections may come from a separate file
    /// ([`crate::Image`]).
    ///
    /// A binary without debug info is no error: see [`DebugInfo::has_debug_info`].
    pub fn parse(binary: &'b Binary<'_>) -> Result<Self, SymbolError> {
        let dwarf = gimli::Dwarf::load(|id| {
            Ok::<_, SymbolError>(EndianSlice::new(
                binary.debug_section(id.name()),
                LittleEndian,
            ))
        })?;
        let mut info = Self {
            dwarf,
            executable: binary.executable_ranges(),
            units: Vec::new(),
            ranges: Vec::new(),
            split_units: 0,
            for_profiling: OnceLock::new(),
        };
        info.list_units()?;
        Ok(info)
    }

    fn list_units(&mut self) -> Result<(), SymbolError> {
        let mut headers = self.dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = self.dwarf.unit(header)?;
            if unit.dwo_id.is_some() {
                self.split_units += 1;
            }
            let index = self.units.len() as u32;
            let mut ranges = self.dwarf.unit_ranges(&unit)?;
            while let Some(range) = ranges.next()? {
                if range.begin < range.end && self.is_executable(range.begin) {
                    self.ranges.push((range.begin, range.end, index));
                }
            }
            self.units.push(LazyUnit {
                unit,
                content: OnceLock::new(),
            });
        }
        self.ranges.sort_unstable();
        Ok(())
    }

    /// Whether there is any compilation unit with code and a line table.
    pub fn has_debug_info(&self) -> bool {
        let has_lines =
            |&(_, _, unit): &(u64, u64, u32)| self.units[unit as usize].unit.line_program.is_some();
        self.ranges.iter().any(has_lines)
    }

    /// How many units keep their content in `.dwo` files, which are not read.
    pub fn split_units(&self) -> usize {
        self.split_units
    }

    /// Whether code was compiled with `-fdebug-info-for-profiling`.
    ///
    /// DWARF does not record the flag, so its effect is looked for: a discriminator somewhere in a line
    /// table. Clang writes them only with the flag, GCC whenever it optimises, rustc only with
    /// `-Zdebug-info-for-profiling`. A program without a single branch has none either way.
    pub fn was_built_for_profiling(&self) -> bool {
        *self.for_profiling.get_or_init(|| {
            let with_code =
                |index: usize| self.ranges.iter().any(|range| range.2 as usize == index);
            let mut units = self
                .units
                .iter()
                .enumerate()
                .filter(|(index, _)| with_code(*index));
            units.any(|(_, lazy)| unit::has_discriminators(&lazy.unit))
        })
    }

    /// The functions that the instruction belongs to, innermost first; empty where DWARF knows none.
    ///
    /// The first frame holds the line of the instruction, every further one the line of the call that was
    /// inlined. The last frame is the function that stands in the symbol table.
    pub fn inline_stack(&self, svma: Svma) -> Vec<SourceFrame<'_>> {
        let Some(index) = self.unit_at(svma.0) else {
            return Vec::new();
        };
        self.content(index).inline_stack(svma.0)
    }

    fn is_executable(&self, address: u64) -> bool {
        in_ranges(self.executable, address)
    }

    fn unit_at(&self, address: u64) -> Option<usize> {
        let next = self.ranges.partition_point(|range| range.0 <= address);
        let &(_, end, unit) = self.ranges[..next].last()?;
        (address < end).then_some(unit as usize)
    }

    fn content(&self, index: usize) -> &UnitContent<'b> {
        let lazy = &self.units[index];
        lazy.content
            .get_or_init(|| UnitContent::read(self, &lazy.unit))
    }

    /// The unit that holds an offset of `.debug_info`, for references between units.
    fn unit_holding(&self, offset: gimli::DebugInfoOffset) -> Option<&Unit<'b>> {
        let start = |lazy: &LazyUnit<'b>| lazy.unit.header.debug_info_offset();
        let next = self
            .units
            .partition_point(|lazy| start(lazy).is_some_and(|s| s.0 <= offset.0));
        Some(&self.units[..next].last()?.unit)
    }
}
