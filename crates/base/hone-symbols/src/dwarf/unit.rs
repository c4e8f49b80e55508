//! The content of one compilation unit: its line rows and its tree of inlined calls, both as sorted tables.

use super::resolve::{self, Cache};
use super::{Dwarf, Reader, SourceFrame, Space, Unit};
use gimli::{AttributeValue, UnitOffset};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

const NO_SCOPE: u32 = u32::MAX;

/// Maximum number of address ranges read for one unit; more are a trap, because many entries can name the same long list.
const RANGES_MAX: usize = 1 << 22;

/// One row of the line table.
#[derive(Clone, Copy, Debug)]
struct Row {
    address: u64,
    line: u32,
    discriminator: u32,
    file: u32,
    /// True if the address is the first one after a run of code.
    is_end: bool,
}

/// A function, or an inlined call in a function.
#[derive(Clone, Copy, Debug)]
struct Scope {
    /// Index of the name.
    function: u32,
    start_line: u32,
    /// Index of the scope that the call is inlined into; [`NO_SCOPE`] for a function.
    parent: u32,
    call_line: u32,
    call_discriminator: u32,
    call_file: u32,
}

#[derive(Debug, Default)]
pub(super) struct UnitContent<'b> {
    rows: Vec<Row>,
    files: Vec<String>,
    scopes: Scopes<'b>,
}

/// Functions and inlined calls by address.
#[derive(Debug, Default)]
pub(super) struct Scopes<'b> {
    names: Vec<Cow<'b, str>>,
    scopes: Vec<Scope>,
    /// (address, innermost scope from there on), sorted by address.
    steps: Vec<(u64, u32)>,
}

impl<'b> Scopes<'b> {
    /// Reads the functions and inlined calls. Malformed content ends the reading and keeps what was read: addresses beyond
    /// have no source, which the converter counts.
    pub(super) fn read(space: &Space<'_, 'b>, unit: &Unit<'b>) -> Self {
        let mut tree = Tree::default();
        let _truncated = tree.read(space, unit);
        Self {
            names: tree.names.into_iter().map(Cow::Borrowed).collect(),
            scopes: tree.scopes,
            steps: steps(tree.ranges),
        }
    }

    /// Converts the names to owned strings, so that the scopes outlive the file.
    pub(super) fn into_owned(self) -> Scopes<'static> {
        let names = self.names.into_iter();
        Scopes {
            names: names.map(|name| Cow::Owned(name.into_owned())).collect(),
            scopes: self.scopes,
            steps: self.steps,
        }
    }

    fn innermost_at(&self, address: u64) -> u32 {
        let next = self.steps.partition_point(|step| step.0 <= address);
        self.steps[..next].last().map_or(NO_SCOPE, |step| step.1)
    }

    fn name(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", |name| name)
    }
}

impl<'b> UnitContent<'b> {
    /// Reads the rows of the unit's line table, and takes over the scopes.
    pub(super) fn read(space: &Space<'_, 'b>, unit: &Unit<'b>, scopes: Scopes<'b>) -> Self {
        let mut content = Self {
            scopes,
            ..Self::default()
        };
        content.read_lines(space, unit);
        content
    }

    pub(super) fn inline_stack(&self, address: u64) -> Vec<SourceFrame<'_>> {
        let mut scope_id = self.scopes.innermost_at(address);
        let row = self.row_at(address);
        let (mut line, mut discriminator, mut file) = row.map_or((0, 0, u32::MAX), |row| {
            (row.line, row.discriminator, row.file)
        });
        let mut stack = Vec::new();
        while let Some(scope) = self.scopes.scopes.get(scope_id as usize) {
            stack.push(SourceFrame {
                function: self.scopes.name(scope.function),
                start_line: scope.start_line,
                line,
                discriminator,
                file: self.files.get(file as usize).map_or("", String::as_str),
            });
            (line, discriminator, file) =
                (scope.call_line, scope.call_discriminator, scope.call_file);
            scope_id = scope.parent;
        }
        stack
    }

    /// Appends the addresses in a range at which the inline stack may change.
    pub(super) fn changes(&self, range: &Range<u64>, changes: &mut Vec<u64>) {
        let rows = |end: u64| self.rows.partition_point(|row| row.address < end);
        let rows = self.rows.get(rows(range.start)..rows(range.end));
        changes.extend(rows.into_iter().flatten().map(|row| row.address));
        let steps = &self.scopes.steps;
        let until = |end: u64| steps.partition_point(|step| step.0 < end);
        let within = steps.get(until(range.start)..until(range.end));
        changes.extend(within.into_iter().flatten().map(|step| step.0));
        // What damaged debug information has out of order.
        changes.retain(|change| range.contains(change));
    }

    fn row_at(&self, address: u64) -> Option<&Row> {
        let next = self.rows.partition_point(|row| row.address <= address);
        self.rows[..next].last().filter(|row| !row.is_end)
    }

    fn read_lines(&mut self, space: &Space<'_, 'b>, unit: &Unit<'b>) {
        let Some(program) = unit.line_program.clone() else {
            return;
        };
        self.files = file_names(space.dwarf, unit, program.header());
        let mut rows = program.rows();
        // Rows of functions that the linker dropped have an address outside all code.
        let mut keep = None;
        while let Ok(Some((_, row))) = rows.next_row() {
            let address = row.address();
            if !*keep.get_or_insert_with(|| space.is_executable(address)) {
                keep = keep.filter(|_| !row.end_sequence());
                continue;
            }
            self.rows.push(Row {
                address,
                line: row
                    .line()
                    .map_or(0, |line| u32::try_from(line.get()).unwrap_or(0)),
                discriminator: u32::try_from(row.discriminator()).unwrap_or(0),
                file: u32::try_from(row.file_index()).unwrap_or(u32::MAX),
                is_end: row.end_sequence(),
            });
            keep = keep.filter(|_| !row.end_sequence());
        }
        // The end of one run and the start of the next share an address: the start wins. Among rows of
        // one run the last wins, as in LLVM; the sort is stable.
        self.rows.sort_by_key(|row| (row.address, !row.is_end));
    }
}

/// Returns the file names by their index in the line table.
fn file_names<'b>(
    dwarf: &Dwarf<'b>,
    unit: &Unit<'b>,
    header: &gimli::LineProgramHeader<Reader<'b>>,
) -> Vec<String> {
    let text = |value| {
        let bytes = dwarf.attr_string(unit, value).ok()?;
        Some(String::from_utf8_lossy(bytes.slice()).into_owned())
    };
    (0..=header.file_names().len() as u64)
        .map(|index| {
            let Some(file) = header.file(index) else {
                return String::new();
            };
            let name = text(file.path_name()).unwrap_or_default();
            let directory = file.directory(header).and_then(text).unwrap_or_default();
            if name.starts_with('/') || directory.is_empty() {
                return name;
            }
            if directory.starts_with('/') {
                return format!("{directory}/{name}");
            }
            let root = unit.comp_dir.map(|dir| dir.to_string_lossy().into_owned());
            format!("{}/{directory}/{name}", root.unwrap_or_default())
        })
        .collect()
}

/// State of reading functions and inlined calls in the order of the entries.
#[derive(Default)]
struct Tree<'b> {
    names: Vec<&'b str>,
    name_ids: FxHashMap<&'b str, u32>,
    scopes: Vec<Scope>,
    /// (start, end, depth of inlining, scope).
    ranges: Vec<(u64, u64, u32, u32)>,
    /// (depth of the entry, its scope or [`NO_SCOPE`], depth of inlining) of the enclosing entries.
    open: Vec<(isize, u32, u32)>,
    cache: Cache<'b>,
    ranges_read: usize,
}

/// Attributes of a subprogram or an inlined call.
#[derive(Default)]
struct ScopeAttributes<'b> {
    low_pc: Option<u64>,
    high_pc: Option<AttributeValue<Reader<'b>>>,
    ranges: Option<AttributeValue<Reader<'b>>>,
    call_line: u32,
    call_discriminator: u32,
    call_file: u32,
}

impl<'b> Tree<'b> {
    fn read(&mut self, space: &Space<'_, 'b>, unit: &Unit<'b>) -> gimli::Result<()> {
        let mut entries = unit.entries_raw(None)?;
        while !entries.is_empty() {
            let offset = entries.next_offset();
            let depth = entries.next_depth();
            let Some(abbreviation) = entries.read_abbreviation()? else {
                continue;
            };
            // Lexical blocks also close the siblings before them.
            while self.open.last().is_some_and(|open| open.0 >= depth) {
                self.open.pop();
            }
            let is_inlined = match abbreviation.tag() {
                gimli::DW_TAG_subprogram => false,
                gimli::DW_TAG_inlined_subroutine => true,
                _ => {
                    entries.skip_attributes(abbreviation.attributes())?;
                    continue;
                }
            };
            let mut attributes = ScopeAttributes::default();
            for &specification in abbreviation.attributes() {
                let attribute = entries.read_attribute(specification)?;
                attributes.take(space, unit, attribute.name(), attribute.value());
            }
            self.open(space, unit, (offset, depth, is_inlined), &attributes)?;
        }
        Ok(())
    }

    fn open(
        &mut self,
        space: &Space<'_, 'b>,
        unit: &Unit<'b>,
        (offset, depth, is_inlined): (UnitOffset, isize, bool),
        attributes: &ScopeAttributes<'b>,
    ) -> gimli::Result<()> {
        let (parent, level) = match self.open.last() {
            Some(&(_, parent, level)) if is_inlined => (parent, level + 1),
            _ => (NO_SCOPE, 0),
        };
        let is_orphan = is_inlined && parent == NO_SCOPE;
        let before = self.ranges.len();
        let id = self.scopes.len() as u32;
        if !is_orphan {
            let mut left = RANGES_MAX - self.ranges_read;
            attributes.for_each_range(space, unit, &mut left, |start, end| {
                self.ranges.push((start, end, level, id));
            })?;
            self.ranges_read = RANGES_MAX - left;
        }
        if self.ranges.len() == before {
            // A declaration, an abstract instance, or code that the linker dropped.
            self.open.push((depth, NO_SCOPE, 0));
            return Ok(());
        }
        let function = resolve::function(space, unit, offset, &mut self.cache);
        let name = self.name_id(function.best_name());
        self.scopes.push(Scope {
            function: name,
            start_line: function.start_line.unwrap_or(0),
            parent,
            call_line: attributes.call_line,
            call_discriminator: attributes.call_discriminator,
            call_file: attributes.call_file,
        });
        self.open.push((depth, id, level));
        Ok(())
    }
}

impl<'b> Tree<'b> {
    fn name_id(&mut self, name: &'b str) -> u32 {
        *self.name_ids.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() as u32 - 1
        })
    }
}

impl<'b> ScopeAttributes<'b> {
    fn take(
        &mut self,
        space: &Space<'_, 'b>,
        unit: &Unit<'b>,
        name: gimli::DwAt,
        value: AttributeValue<Reader<'b>>,
    ) {
        let number = || {
            value
                .udata_value()
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(0)
        };
        match name {
            gimli::DW_AT_low_pc => {
                self.low_pc = space.dwarf.attr_address(unit, value).ok().flatten()
            }
            gimli::DW_AT_high_pc => self.high_pc = Some(value),
            gimli::DW_AT_ranges => self.ranges = Some(value),
            gimli::DW_AT_call_line => self.call_line = number(),
            gimli::DW_AT_GNU_discriminator => self.call_discriminator = number(),
            gimli::DW_AT_call_file => {
                self.call_file = match value {
                    AttributeValue::FileIndex(index) => u32::try_from(index).unwrap_or(u32::MAX),
                    _ => number(),
                };
            }
            _ => {}
        }
    }

    fn for_each_range(
        &self,
        space: &Space<'_, 'b>,
        unit: &Unit<'b>,
        left: &mut usize,
        mut found: impl FnMut(u64, u64),
    ) -> gimli::Result<()> {
        let mut keep = |start: u64, end: u64| {
            if start < end && space.is_executable(start) {
                found(start, end);
            }
        };
        if let Some(low) = self.low_pc
            && let Some(high) = self.high_pc
        {
            let end = match space.dwarf.attr_address(unit, high)? {
                Some(address) => address,
                None => low.saturating_add(high.udata_value().unwrap_or(0)),
            };
            keep(low, end);
        } else if let Some(value) = self.ranges
            && let Some(mut ranges) = space.dwarf.attr_ranges(unit, value)?
        {
            while let Some(range) = ranges.next()? {
                let Some(rest) = left.checked_sub(1) else {
                    break;
                };
                *left = rest;
                keep(range.begin, range.end);
            }
        }
        Ok(())
    }
}

/// Turns nested ranges into steps, so that a look-up is one binary search.
fn steps(mut ranges: Vec<(u64, u64, u32, u32)>) -> Vec<(u64, u32)> {
    ranges.sort_unstable_by_key(|&(start, end, level, _)| (start, level, std::cmp::Reverse(end)));
    let mut sweep = Sweep {
        steps: Vec::with_capacity(ranges.len() * 2),
        open: Vec::new(),
    };
    for (start, end, _, scope) in ranges {
        sweep.close_until(start);
        sweep.step(start, scope);
        sweep.open.push((end, scope));
    }
    sweep.close_until(u64::MAX);
    sweep.steps
}

struct Sweep {
    steps: Vec<(u64, u32)>,
    /// (end, scope) of the scopes around the current address, innermost last.
    open: Vec<(u64, u32)>,
}

impl Sweep {
    fn step(&mut self, address: u64, scope: u32) {
        match self.steps.last_mut() {
            Some(last) if last.0 == address => last.1 = scope,
            Some(last) if last.1 == scope => {}
            _ => self.steps.push((address, scope)),
        }
    }

    fn close_until(&mut self, address: u64) {
        while let Some(&(end, _)) = self.open.last()
            && end <= address
        {
            while self.open.last().is_some_and(|open| open.0 <= end) {
                self.open.pop();
            }
            self.step(end, self.open.last().map_or(NO_SCOPE, |open| open.1));
        }
    }
}

/// Returns true if a row of the unit's line table has a discriminator.
pub(super) fn has_discriminators(unit: &Unit<'_>) -> bool {
    let Some(program) = unit.line_program.clone() else {
        return false;
    };
    let mut rows = program.rows();
    while let Ok(Some((_, row))) = rows.next_row() {
        if row.discriminator() != 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_ranges_become_steps_that_name_the_innermost_scope() {
        let found = steps(vec![
            (0, 100, 0, 0),
            (10, 40, 1, 1),
            (10, 20, 2, 2),
            (30, 40, 2, 3),
            (100, 120, 0, 4),
            (200, 210, 0, 5),
        ]);
        let expected = [
            (0, 0),
            (10, 2),
            (20, 1),
            (30, 3),
            (40, 0),
            (100, 4),
            (120, NO_SCOPE),
            (200, 5),
            (210, NO_SCOPE),
        ];
        assert_eq!(found, expected);
    }
}
