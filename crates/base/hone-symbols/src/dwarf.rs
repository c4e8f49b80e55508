//! DWARF, as far as sample-based optimisation needs it: for an address, the stack of inlined functions with
//! line, discriminator and first line of each function.
//!
//! LLVM keys a sample by (line - first line of the function, discriminator) along the chain of inlined
//! calls. So, unlike a symboliser, this module reads the discriminators of the line table's rows and of the
//! inlined calls, and the declaration line of every function, following abstract origins and
//! specifications in the order in which LLVM itself does.
//!
//! Parsing lists the compilation units with their address ranges. The content of a unit ([`unit`]) is
//! read when the first address in the unit is asked for, so a large binary with few hot files costs little. Content in
//! other files ([`split`]) is also opened then.

mod resolve;
mod runs;
mod sections;
mod split;
mod unit;

use crate::binary::{Binary, in_ranges};
use crate::error::SymbolError;
use crate::split_files::{SplitFault, SplitFiles, SplitLosses};
use gimli::{DebugInfoOffset, DwoId, EndianSlice, LittleEndian, Section as _};
use hone_profile::Svma;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use unit::{Scopes, UnitContent};

/// Maximum number of address ranges of all units; more are a trap, because many units can name the same long list.
const RANGES_MAX: usize = 1 << 24;

pub(crate) type Reader<'b> = EndianSlice<'b, LittleEndian>;
pub(crate) type Dwarf<'b> = gimli::Dwarf<Reader<'b>>;
pub(crate) type Unit<'b> = gimli::Unit<Reader<'b>>;

/// One level of an inline stack: a function, and a place in the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceFrame<'a> {
    /// Linkage name of the function, or its plain name in C; empty if DWARF has no name.
    pub function: &'a str,
    /// Line of the declaration of the function, at its definition; 0 if unknown.
    pub start_line: u32,
    /// Line of the instruction or, in an outer frame, of the inlined call; 0 if unknown.
    pub line: u32,
    /// Discriminator of the instruction or the inlined call, as the compiler encoded it.
    pub discriminator: u32,
    /// Source file of `line`; empty if unknown.
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
    /// Units whose split debug information is not available, by index into `units`, with the path of the file.
    split_faults: Mutex<BTreeMap<usize, (SplitFault, String)>>,
    unread: UnreadUnits,
}

/// Compilation units that could not be read, or whole sections of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnreadUnits {
    /// Number of units.
    pub units: u64,
    /// Offset in `.debug_info` of the first unread unit, or name of the section, and the error.
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

/// Source of entries: the sections of the binary, or of one split unit.
pub(crate) struct Space<'s, 'b> {
    dwarf: &'s Dwarf<'b>,
    executable: &'s [Range<u64>],
    /// Returns the unit that holds an offset of `.debug_info`, for references between units.
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
    /// A binary without debug info is no error: see [`DebugInfo::has_debug_info`]. A unit that cannot be read is no error either:
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
            split_faults: Mutex::default(),
            unread: binary.unread_debug_sections().clone(),
        };
        info.list_units();
        Ok(info)
    }

    /// Lists the units one by one, by the length at the start of each unit: a unit that cannot be read does not affect the others.
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
                if self.ranges.len() + found.len() == RANGES_MAX {
                    self.unread
                        .add(format!("more than {RANGES_MAX} ranges of addresses"));
                    return Ok(());
                }
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

    /// Returns the compilation units that could not be read; their code has no source.
    pub fn unread_units(&self) -> &UnreadUnits {
        &self.unread
    }

    /// Returns true if any compilation unit has code and a line table.
    pub fn has_debug_info(&self) -> bool {
        let has_lines =
            |&(_, _, unit): &(u64, u64, u32)| self.units[unit as usize].unit.line_program.is_some();
        self.ranges.iter().any(has_lines)
    }

    /// Returns the losses of split debug information so far, of the units that were asked for.
    pub fn split_losses(&self) -> SplitLosses {
        self.split_losses_of(|_| true)
    }

    /// Returns the losses of split debug information in the units that hold these addresses, as far as those units were asked
    /// for.
    pub fn split_losses_at(&self, addresses: impl Iterator<Item = Svma>) -> SplitLosses {
        if self.faults().is_empty() {
            return SplitLosses::default();
        }
        let units: BTreeSet<usize> = addresses.filter_map(|at| self.unit_at(at.0)).collect();
        self.split_losses_of(|unit| units.contains(&unit))
    }

    fn split_losses_of(&self, is_wanted: impl Fn(usize) -> bool) -> SplitLosses {
        let mut losses = SplitLosses::default();
        for (unit, (fault, file)) in self.faults().iter() {
            if is_wanted(*unit) {
                losses.add(*fault, file);
            }
        }
        losses
    }

    fn faults(&self) -> MutexGuard<'_, BTreeMap<usize, (SplitFault, String)>> {
        let faults = self.split_faults.lock();
        faults.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if code was compiled with `-fdebug-info-for-profiling`.
    ///
    /// DWARF does not record the flag, so this function looks for its effect: a discriminator in a line
    /// table. Clang writes discriminators only with the flag, GCC whenever it optimises, rustc only with
    /// `-Zdebug-info-for-profiling`. A program without a single branch has no discriminators either way.
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

    /// Returns the functions that the instruction belongs to, innermost first; empty if DWARF has none.
    ///
    /// The first frame holds the line of the instruction, every further frame the line of the call that was
    /// inlined. The last frame is the function in the symbol table.
    pub fn inline_stack(&self, svma: Svma) -> Vec<SourceFrame<'_>> {
        let Some(index) = self.unit_at(svma.0) else {
            return Vec::new();
        };
        self.content(index).inline_stack(svma.0)
    }

    /// Returns the source file of the compilation unit that the instruction belongs to, by the path that was given to the
    /// compiler; `None` if DWARF has no name, as in the skeletons of split units.
    pub fn unit_name_at(&self, svma: Svma) -> Option<&str> {
        let index = self.unit_at(svma.0)?;
        unit_name(&self.units[index].unit)
    }

    /// Returns the compiler of the instruction's compilation unit, as the compiler wrote it (`DW_AT_producer`): GCC adds its
    /// options, clang and rustc only their version; `None` if DWARF has no producer.
    pub fn producer_at(&self, svma: Svma) -> Option<String> {
        let unit = &self.units[self.unit_at(svma.0)?].unit;
        let mut entries = unit.entries();
        let root = entries.next_dfs().ok()??;
        let value = root.attr_value(gimli::DW_AT_producer)?;
        let text = self.dwarf.attr_string(unit, value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    /// Returns the source files of all compilation units with a name, by the paths that were given to the compiler.
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
        lazy.content.get_or_init(|| self.read_content(index))
    }

    fn read_content(&self, index: usize) -> UnitContent<'b> {
        let unit = &self.units[index].unit;
        let units = |offset| holding(&self.units, |lazy| &lazy.unit, offset);
        let space = Space {
            dwarf: &self.dwarf,
            executable: self.executable,
            units: &units,
        };
        let split = unit.dwo_id.map(|id| self.split_scopes(index, id));
        // A skeleton can have a small tree of its own (-fsplit-dwarf-inlining).
        let scopes = match split {
            Some(Some(scopes)) => scopes,
            Some(None) | None => Scopes::read(&space, unit),
        };
        UnitContent::read(&space, unit, scopes)
    }

    /// Reads the tree of a unit whose tree is in another file.
    fn split_scopes(&self, index: usize, id: DwoId) -> Option<Scopes<'static>> {
        let skeleton = &self.units[index].unit;
        let name = split::name_of(&self.dwarf, skeleton);
        let package = self.package.get_or_init(|| {
            let file = self.split_files?.package()?;
            Some(split::Package::open(file))
        });
        let read = |sections: &split::SplitSections<'_>| self.split_tree(sections, skeleton, id);
        let found = split::find(id, &name, package.as_ref(), self.split_files, read);
        found
            .map_err(|fault| self.faults().insert(index, (fault, name.path())))
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

/// Returns the number of bytes of a unit with its length field; `None` if the length field is missing.
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

/// Returns the unit that holds an offset of `.debug_info`.
fn holding<'s, 'b: 's, T>(
    sorted: &'s [T],
    unit: impl Fn(&T) -> &Unit<'b>,
    offset: DebugInfoOffset,
) -> Option<&'s Unit<'b>> {
    let start = |item: &T| unit(item).header.debug_info_offset();
    let next = sorted.partition_point(|item| start(item).is_some_and(|s| s.0 <= offset.0));
    sorted[..next].last().map(unit)
}
