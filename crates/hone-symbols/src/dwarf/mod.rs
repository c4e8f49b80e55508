//! DWARF, as far as sample-based optimisation needs it: for an address, the stack of inlined functions with
//! line, discriminator and the line on which each function starts.
//!
//! LLVM keys a sample by (line - first line of the function, discriminator) along the chain of inlined
//! calls. So unlike a symboliser this reads the discriminators, of the line table's rows and of the
//! inlined calls, and the declaration line of every function, following abstract origins and
//! specifications in the order in which LLVM itself does.
//!
//! Parsing lists the compilation units with their address ranges. The content of a unit ([`unit`]) is
//! read when the first address in it is asked for, so a large binary with few hot files costs little. Where it
//! stands in other files ([`split`]), they are opened then.

mod resolve;
mod sections;
mod split;
mod unit;

use crate::binary::{Binary, in_ranges};
use crate::error::SymbolError;
use crate::split_files::{SplitFault, SplitFiles, SplitLosses};
use gimli::{DebugInfoOffset, DwoId, EndianSlice, LittleEndian, Section as _};
use hone_profile::Svma;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};
use unit::{Scopes, UnitContent};

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
    for_profiling: OnceLock<bool>,
    split_files: Option<&'b dyn SplitFiles>,
    package: OnceLock<Option<Result<split::Package, SymbolError>>>,
    split_losses: Mutex<SplitLosses>,
    unread: UnreadUnits,
}

/// Compilation units that could not be read, or whole sections of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnreadUnits {
    /// How many.
    pub units: u64,
    /// Where the first of them is in `.debug_info`, or which section it is, and what is wrong with it.
    pub first: String,
}

impl UnreadUnits {
    pub(crate) fn add(&mut self, what: String) {
        if self.units == 0 {
            self.first = what;
        }
        self.units += 1;
    }
}

/// Where entries are read from: the sections of the binary, or those of one split unit.
pub(crate) struct Space<'s, 'b> {
    dwarf: &'s Dwarf<'b>,
    executable: &'s [Range<u64>],
    /// The unit that holds an offset of `.debug_info`, for references between units.
    units: &'s dyn Fn(DebugInfoOffset) -> Option<&'s Unit<'b>>,
}

impl Space<'_, '_> {
    fn is_executable(&self, address: u64) -> bool {
        in_ranges(self.executable, address)
    }
}

struct LazyUnit<'b> {
    unit: Unit<'b>,
    content: OnceLock<UnitContent<'b>>,
}

impl<'b> DebugInfo<'b> {
    /// Lists the compilation units of `binary`, whose debug sections may come from a separate file
    /// ([`crate::Image`]).
    ///
    /// A binary without debug info is no error: see [`DebugInfo::has_debug_info`]. Nor is a unit that cannot be read:
    /// see [`DebugInfo::unread_units`].
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
            for_profiling: OnceLock::new(),
            split_files: binary.split_files(),
            package: OnceLock::new(),
            split_losses: Mutex::default(),
            unread: binary.unread_debug_sections().clone(),
        };
        info.list_units();
        Ok(info)
    }

    /// Lists the units one by one, by the length that each begins with: one that cannot be read is lost alone.
    fn list_units(&mut self) {
        let section = self.dwarf.debug_info.reader().slice();
        let mut next = 0;
        while next < section.len() {
            let offset = DebugInfoOffset(next);
            let header = self.dwarf.debug_info.header_from_offset(offset);
            if let Err(error) = header.and_then(|header| self.list_unit(header)) {
                self.unread.add(format!("at {next:#x}: {error}"));
            }
            let Some(length) = unit_length(&section[next..]) else {
                break;
            };
            next = next.saturating_add(length);
        }
        self.ranges.sort_unstable();
    }

    fn list_unit(&mut self, header: gimli::UnitHeader<Reader<'b>>) -> gimli::Result<()> {
        let unit = self.dwarf.unit(header)?;
        let index = self.units.len() as u32;
        let mut found = Vec::new();
        let mut ranges = self.dwarf.unit_ranges(&unit)?;
        while let Some(range) = ranges.next()? {
            if range.begin < range.end && in_ranges(self.executable, range.begin) {
                found.push((range.begin, range.end, index));
            }
        }
        self.ranges.extend(found);
        self.units.push(LazyUnit {
            unit,
            content: OnceLock::new(),
        });
        Ok(())
    }

    /// Compilation units that could not be read; their code has no source.
    pub fn unread_units(&self) -> &UnreadUnits {
        &self.unread
    }

    /// Whether there is any compilation unit with code and a line table.
    pub fn has_debug_info(&self) -> bool {
        let has_lines =
            |&(_, _, unit): &(u64, u64, u32)| self.units[unit as usize].unit.line_program.is_some();
        self.ranges.iter().any(has_lines)
    }

    /// What could not be had, so far, of units whose content is in other files: those that were asked for.
    pub fn split_losses(&self) -> SplitLosses {
        let losses = self.split_losses.lock();
        losses.unwrap_or_else(PoisonError::into_inner).clone()
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

    /// The source of the compilation unit that the instruction belongs to, by the path that the compiler was
    /// given; `None` where DWARF does not say, as in the skeletons of split units.
    pub fn unit_name_at(&self, svma: Svma) -> Option<&str> {
        let index = self.unit_at(svma.0)?;
        unit_name(&self.units[index].unit)
    }

    /// What compiled the instruction's compilation unit, as the compiler wrote it (`DW_AT_producer`): GCC adds its
    /// options, clang and rustc only their version; `None` where DWARF does not say.
    pub fn producer_at(&self, svma: Svma) -> Option<String> {
        let unit = &self.units[self.unit_at(svma.0)?].unit;
        let mut entries = unit.entries();
        let root = entries.next_dfs().ok()??;
        let value = root.attr_value(gimli::DW_AT_producer)?;
        let text = self.dwarf.attr_string(unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    /// The sources of all compilation units that are named, by the paths that the compiler was given.
    pub fn unit_names(&self) -> impl Iterator<Item = &str> {
        let units = self.units.iter();
        units.filter_map(|lazy| unit_name(&lazy.unit))
    }

    fn unit_at(&self, address: u64) -> Option<usize> {
        let next = self.ranges.partition_point(|range| range.0 <= address);
        let &(_, end, unit) = self.ranges[..next].last()?;
        (address < end).then_some(unit as usize)
    }

    fn content(&self, index: usize) -> &UnitContent<'b> {
        let lazy = &self.units[index];
        lazy.content.get_or_init(|| self.read_content(&lazy.unit))
    }

    fn read_content(&self, unit: &Unit<'b>) -> UnitContent<'b> {
        let units = |offset| holding(&self.units, |lazy| &lazy.unit, offset);
        let space = Space {
            dwarf: &self.dwarf,
            executable: self.executable,
            units: &units,
        };
        let split = unit.dwo_id.map(|id| self.split_scopes(unit, id));
        // A skeleton can have a small tree of its own (-fsplit-dwarf-inlining).
        let scopes = match split {
            Some(Some(scopes)) => scopes,
            Some(None) | None => Scopes::read(&space, unit),
        };
        UnitContent::read(&space, unit, scopes)
    }

    /// The tree of a unit that has it in another file.
    fn split_scopes(&self, skeleton: &Unit<'b>, id: DwoId) -> Option<Scopes<'static>> {
        let name = split::name_of(&self.dwarf, skeleton);
        let package = self.package.get_or_init(|| {
            let file = self.split_files?.package()?;
            Some(split::Package::open(file))
        });
        let read = |sections: &split::SplitSections<'_>| self.split_tree(sections, skeleton, id);
        let found = split::find(id, &name, package.as_ref(), self.split_files, read);
        found
            .map_err(|fault| {
                let losses = self.split_losses.lock();
                let mut losses = losses.unwrap_or_else(PoisonError::into_inner);
                losses.add(fault, name.path());
            })
            .ok()
    }

    fn split_tree(
        &self,
        sections: &split::SplitSections<'_>,
        skeleton: &Unit<'b>,
        id: DwoId,
    ) -> Result<Scopes<'static>, SplitFault> {
        let dwarf = sections.dwarf(&self.dwarf);
        let dwarf = dwarf.map_err(|_| SplitFault::Malformed)?;
        let unit = split::unit_of(&dwarf, id, skeleton)?;
        let all = OnceCell::new();
        let units = |offset| {
            let all = all.get_or_init(|| split::all_units(&dwarf));
            holding(all, |unit| unit, offset)
        };
        let space = Space {
            dwarf: &dwarf,
            executable: self.executable,
            units: &units,
        };
        Ok(Scopes::read(&space, &unit).into_owned())
    }
}

/// The bytes that a unit takes with its own length; `None` where even that is missing.
fn unit_length(rest: &[u8]) -> Option<usize> {
    let short = u32::from_le_bytes(*rest.first_chunk()?);
    if short < 0xffff_fff0 {
        return usize::try_from(short).ok()?.checked_add(4);
    }
    let long: [u8; 8] = rest.get(4..12)?.try_into().ok()?;
    usize::try_from(u64::from_le_bytes(long))
        .ok()?
        .checked_add(12)
}

fn unit_name<'u>(unit: &'u Unit<'_>) -> Option<&'u str> {
    std::str::from_utf8(unit.name.as_ref()?.slice()).ok()
}

/// The unit that holds an offset of `.debug_info`.
fn holding<'s, 'b: 's, T>(
    sorted: &'s [T],
    unit: impl Fn(&T) -> &Unit<'b>,
    offset: DebugInfoOffset,
) -> Option<&'s Unit<'b>> {
    let start = |item: &T| unit(item).header.debug_info_offset();
    let next = sorted.partition_point(|item| start(item).is_some_and(|s| s.0 <= offset.0));
    sorted[..next].last().map(unit)
}
