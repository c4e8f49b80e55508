//! Columns: their fields and names, and how their numbers are read.

use hone_profile::protobuf::{Fields, Message, ProtobufError, Value, varint};

use super::BatchError;
use crate::limits::SUM_MAX;

/// Field of a column, with its name in errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) number: usize,
    pub(super) name: &'static str,
}

macro_rules! fields {
    ($($field:ident = $number:literal $name:literal;)*) => {
        $(pub(super) const $field: Field = Field { number: $number, name: $name };)*
    };
}

fields! {
    HOST = 1 "origin.host";
    RUN = 2 "origin.run";
    NUMBER = 3 "origin.number";
    SPAN_START = 4 "span.start";
    SPAN_END = 5 "span.end";
    TEXT_BYTES = 6 "texts.bytes";
    TEXT_LENGTHS = 7 "texts.length";
    EVENT_STACKS = 8 "events.branches";
    BINARY_KIND = 9 "binaries.kind";
    BINARY_ID_LENGTHS = 10 "binaries.build_id length";
    BINARY_ID_BYTES = 11 "binaries.build_id bytes";
    NAMES = 12 "names";
    PLACE_BINARY = 13 "places.binary";
    PLACE_VALUE = 14 "places.value";
    FRAME_CALLER = 15 "frames.caller";
    FRAME_PLACE = 16 "frames.place";
    GROUP_LABELS = 17 "groups.labels";
    SAMPLE_EVENT = 18 "samples.event";
    SAMPLE_GROUP = 19 "samples.group";
    SAMPLE_FLAGS = 20 "samples.flags";
    SAMPLE_STACK = 21 "samples.stack";
    SAMPLE_IP = 22 "samples.ip";
    SAMPLE_BUCKET = 23 "samples.bucket";
    SAMPLE_TIMES = 24 "samples.times";
    SAMPLE_WEIGHT = 25 "samples.weight";
    SAMPLE_WEIGHT_REST = 26 "samples.weight rest";
    BRANCH_GROUP = 27 "branches.group";
    BRANCH_FROM = 28 "branches.from";
    BRANCH_TO = 29 "branches.to";
    BRANCH_TAKEN = 30 "branches.taken";
    BRANCH_MISPREDICTED = 31 "branches.mispredicted";
    RANGE_GROUP = 32 "ranges.group";
    RANGE_FIRST = 33 "ranges.first";
    RANGE_LAST = 34 "ranges.last";
    RANGE_TIMES = 35 "ranges.times";
    RECORD_EVENT = 36 "records.event";
    RECORD_GROUP = 37 "records.group";
    RECORD_SAMPLES = 38 "records.samples";
    RECORD_BRANCHES = 39 "records.branches";
    RECORD_REPEATED = 40 "records.repeated";
}

/// Fields of this version; those of newer versions are skipped.
const FIELDS: usize = 41;

/// Bit of [`SAMPLE_FLAGS`] for `is_leaf_only`.
pub(super) const LEAF_ONLY: u64 = 1;
/// Bit of [`SAMPLE_FLAGS`] for `has_branches`.
pub(super) const HAS_BRANCHES: u64 = 2;

/// Appends a column.
pub(super) fn put(message: &mut Message, field: Field, numbers: impl Iterator<Item = u64>) {
    message.packed(field.number as u64, numbers);
}

/// Appends a column of differences between neighbours.
pub(super) fn put_deltas(message: &mut Message, field: Field, values: impl Iterator<Item = u64>) {
    let mut before = 0;
    let deltas = values.map(|value| delta(std::mem::replace(&mut before, value), value));
    put(message, field, deltas);
}

/// Returns the way from one number to another, as a number that is small if the way is short.
pub(super) fn delta(from: u64, to: u64) -> u64 {
    let way = to.wrapping_sub(from).cast_signed();
    (way << 1 ^ way >> 63).cast_unsigned()
}

/// Returns the number at the end of the way.
fn after(from: u64, delta: u64) -> u64 {
    let way = (delta >> 1).cast_signed() ^ -(delta & 1).cast_signed();
    from.wrapping_add_signed(way)
}

/// Fields of a message by their numbers.
pub(super) struct Columns<'b> {
    fields: [Value<'b>; FIELDS],
}

impl<'b> Columns<'b> {
    /// Finds the fields of a message. Of a field that comes twice the last one counts.
    pub(super) fn of(message: &'b [u8]) -> Result<Self, ProtobufError> {
        let mut fields = [Value::Number(0); FIELDS];
        for field in Fields(message) {
            let (number, value) = field?;
            let slot = usize::try_from(number).ok();
            if let Some(slot) = slot.and_then(|number| fields.get_mut(number)) {
                *slot = value;
            }
        }
        Ok(Self { fields })
    }

    pub(super) fn number(&self, field: Field) -> u64 {
        self.fields[field.number].number()
    }

    pub(super) fn bytes(&self, field: Field) -> &'b [u8] {
        self.fields[field.number].bytes()
    }

    /// Returns the columns of a table, which are equally long, and their length.
    pub(super) fn table<const N: usize>(
        &self,
        fields: [Field; N],
    ) -> Result<([Column<'b>; N], usize), BatchError> {
        let columns = fields.map(|field| Column {
            name: field.name,
            rest: self.bytes(field),
            row: 0,
            value: 0,
        });
        let lengths = columns.each_ref().map(Column::len);
        let rows = lengths[0];
        for (column, length) in columns.iter().zip(lengths) {
            column.ends_whole()?;
            if length != rows {
                return Err(BatchError::Rows {
                    column: column.name,
                    rows: length,
                    expected: rows,
                });
            }
        }
        Ok((columns, rows))
    }
}

/// Column that is read from its first row on.
pub(super) struct Column<'b> {
    name: &'static str,
    rest: &'b [u8],
    /// Number of rows that have been read.
    row: usize,
    /// Value of the row before, for differences, or the sum so far.
    value: u64,
}

impl Column<'_> {
    /// Number of rows: the last byte of each number has its highest bit clear.
    fn len(&self) -> usize {
        self.rest.iter().filter(|byte| **byte < 0x80).count()
    }

    fn ends_whole(&self) -> Result<(), BatchError> {
        match self.rest.last() {
            Some(&last) if last >= 0x80 => Err(ProtobufError::Cut.into()),
            _ => Ok(()),
        }
    }

    /// Returns the next number.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, BatchError> {
        self.row += 1;
        Ok(varint(&mut self.rest)?)
    }

    /// Returns the next value of a column of differences.
    #[inline]
    pub(super) fn value(&mut self) -> Result<u64, BatchError> {
        let delta = self.number()?;
        self.value = after(self.value, delta);
        Ok(self.value)
    }

    /// Returns the next count. The sum of all counts is limited.
    #[inline]
    pub(super) fn count(&mut self) -> Result<u64, BatchError> {
        let count = self.number()?;
        let sum = self.value.checked_add(count).filter(|sum| *sum <= SUM_MAX);
        self.value = sum.ok_or(BatchError::Sum { column: self.name })?;
        Ok(count)
    }

    /// Returns the next value of a column of differences, an index into a table of so many rows.
    #[inline]
    pub(super) fn index(&mut self, rows: usize) -> Result<u32, BatchError> {
        let value = self.value()?;
        self.within(value, rows)
    }

    /// Returns the next index of a column of differences to another column, whose row has the index `from`.
    #[inline]
    pub(super) fn beside(&mut self, from: u32, rows: usize) -> Result<u32, BatchError> {
        let delta = self.number()?;
        self.within(after(from.into(), delta), rows)
    }

    /// Returns an index that this row stands for, if the table has so many rows.
    #[inline]
    pub(super) fn within(&self, index: u64, rows: usize) -> Result<u32, BatchError> {
        let narrow = u32::try_from(index).ok();
        narrow
            .filter(|index| (*index as usize) < rows)
            .ok_or(BatchError::Index {
                column: self.name,
                row: self.row.saturating_sub(1),
                index,
                rows,
            })
    }

    /// Returns the error for a value of the row that was read last.
    pub(super) fn impossible(&self, value: u64) -> BatchError {
        BatchError::Value {
            column: self.name,
            row: self.row.saturating_sub(1),
            value,
        }
    }
}

/// Sum of the counts that several columns make together.
#[derive(Default)]
pub(super) struct Sum(u64);

impl Sum {
    /// Adds a count of the column.
    pub(super) fn add(&mut self, field: Field, count: Option<u64>) -> Result<u64, BatchError> {
        let sum = count.and_then(|count| self.0.checked_add(count));
        self.0 = sum
            .filter(|sum| *sum <= SUM_MAX)
            .ok_or(BatchError::Sum { column: field.name })?;
        Ok(count.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ways_are_small_numbers_in_both_directions() {
        assert_eq!(delta(5, 5), 0);
        assert_eq!(delta(5, 4), 1);
        assert_eq!(delta(5, 6), 2);
        for (from, to) in [(0, u64::MAX), (u64::MAX, 0), (1 << 63, 0), (7, 1 << 63)] {
            assert_eq!(after(from, delta(from, to)), to);
        }
    }
}
