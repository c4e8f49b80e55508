//! Rows as the bytes of Parquet files, and back.
//!
//! Texts and numbers of 64 bits are dictionaries where they come again and again, other numbers are packed differences, and all
//! of it is under zstd. Groups of rows have the least and the greatest value of each column, so that readers skip what a filter
//! leaves out. Lists hold what numbers of 32 bits hold in other engines too: `frames.list.element`.

mod dictionary;
mod hybrid;

use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical,
    ZstdLevel,
};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::detail::Merged;
use super::error::StoreError;
use super::limits::ROW_GROUP_ROWS;
use super::rows::{Rows, Texts, Values};
use super::tables::{Column, Kind, Table};

/// Level of zstd: more costs time and gains little on packed numbers.
const ZSTD_LEVEL: i32 = 3;
/// Rows that are read at a time.
const READ_ROWS: usize = 1 << 16;
/// Rows that are handed to the writer at a time: their texts and lists are copied for it.
const WRITE_ROWS: usize = 1 << 13;

/// Writes rows as a file.
pub(crate) fn write(rows: &Rows, texts: &Texts) -> Result<Vec<u8>> {
    let table = rows.table();
    let schema = Arc::new(schema(table)?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties(table)?))?;
    let columns = writer.schema_descr().columns().to_vec();
    let (mut of_texts, mut of_longs) = (
        dictionary::Texts::new(texts.all()),
        dictionary::Longs::default(),
    );
    let mut from = 0;
    while from < rows.len() {
        let to = rows.len().min(from + ROW_GROUP_ROWS);
        let mut group = writer.next_row_group()?;
        for (values, column) in rows.columns().iter().zip(&columns) {
            let is_written = match values {
                Values::Text(numbers) => {
                    dictionary::write(&mut group, column, &numbers[from..to], &mut of_texts)?
                }
                Values::Long(numbers) => {
                    dictionary::write(&mut group, column, &numbers[from..to], &mut of_longs)?
                }
                Values::Int(_) | Values::List { .. } => false,
            };
            if !is_written {
                write_column(&mut group, values, from..to, texts)?;
            }
        }
        group.close()?;
        from = to;
    }
    writer.into_inner()
}

/// Writes the next column of a group of rows, without a dictionary.
fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    column: &Values,
    rows: Range<usize>,
    texts: &Texts,
) -> Result<()> {
    let mut writer = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has too few columns".to_owned()))?;
    for start in rows.clone().step_by(WRITE_ROWS) {
        let rows = start..rows.end.min(start + WRITE_ROWS);
        match column {
            Values::Int(values) => {
                let writer = writer.typed::<Int32Type>();
                writer.write_batch(&values[rows], None, None)?;
            }
            Values::Long(values) => {
                let writer = writer.typed::<Int64Type>();
                writer.write_batch(&values[rows], None, None)?;
            }
            Values::Text(numbers) => {
                let texts = numbers[rows].iter().map(|number| texts.text(*number));
                let texts: Vec<ByteArray> = texts.map(ByteArray::from).collect();
                let writer = writer.typed::<ByteArrayType>();
                writer.write_batch(&texts, None, None)?;
            }
            Values::List { ends, items } => {
                let (mut defined, mut repeated, mut values) = (Vec::new(), Vec::new(), Vec::new());
                for row in rows {
                    let list = super::rows::list(ends, items, row);
                    // An empty list is one entry without a value.
                    let length = list.len().max(1);
                    defined.extend(std::iter::repeat_n(i16::from(!list.is_empty()), length));
                    repeated.push(0);
                    repeated.extend(std::iter::repeat_n(1, length - 1));
                    values.extend_from_slice(list);
                }
                let writer = writer.typed::<Int32Type>();
                writer.write_batch(&values, Some(&defined), Some(&repeated))?;
            }
        }
    }
    writer.close()
}

/// Reads a file but for columns of texts that are `merged` as a whole, which are empty; `name` is for errors.
///
/// # Errors
///
/// [`StoreError::Damaged`] if the bytes are not a file of this table.
pub(crate) fn read(
    bytes: Vec<u8>,
    table: Table,
    merged: &Merged,
    texts: &mut Texts,
    name: &str,
) -> std::result::Result<Rows, StoreError> {
    read_rows(bytes, table, merged, texts).map_err(|error| StoreError::Damaged {
        name: name.to_owned(),
        what: error.to_string(),
    })
}

fn read_rows(bytes: Vec<u8>, table: Table, merged: &Merged, texts: &mut Texts) -> Result<Rows> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
    let descriptor = reader.metadata().file_metadata().schema_descr();
    let mut columns = Vec::new();
    for column in table.columns() {
        let path = path(column);
        let at = (0..descriptor.num_columns())
            .find(|at| descriptor.column(*at).path() == &path)
            .ok_or_else(|| ParquetError::General(format!("there is no column {}", column.name)))?;
        let mut values = Values::new(column.kind);
        if !merged.has_column(column.name) {
            for group in 0..reader.num_row_groups() {
                let group = reader.get_row_group(group)?;
                match (&mut values, only_text(group.metadata(), at)) {
                    (Values::Text(values), Some((text, rows))) => {
                        values.extend(std::iter::repeat_n(texts.number(text), rows));
                    }
                    (values, _) => read_column(group.get_column_reader(at)?, values, texts)?,
                }
            }
        }
        columns.push(values);
    }
    let rows = columns.iter().map(Values::len).max().unwrap_or(0);
    for (column, values) in table.columns().iter().zip(&mut columns) {
        if let Values::Text(values) = values
            && merged.has_column(column.name)
        {
            values.resize(rows, texts.number(""));
        }
    }
    if columns.iter().any(|column| column.len() != rows) {
        return Err(ParquetError::General(
            "its columns have different lengths".to_owned(),
        ));
    }
    Ok(Rows::of_columns(table, columns))
}

/// Returns the number of rows of a file, and their least and greatest time in microseconds; `name` is for errors.
///
/// # Errors
///
/// [`StoreError::Damaged`] if the bytes are not a file, or one that does not tell its times.
pub(crate) fn extent(
    bytes: Vec<u8>,
    name: &str,
) -> std::result::Result<(u64, Option<(i64, i64)>), StoreError> {
    let damaged = |what: &dyn std::fmt::Display| StoreError::Damaged {
        name: name.to_owned(),
        what: what.to_string(),
    };
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes));
    let reader = reader.map_err(|error| damaged(&error))?;
    let (mut rows, mut times_us) = (0, None);
    for group in reader.metadata().row_groups() {
        let mut columns = group.columns().iter();
        let time = columns.find(|column| column.column_path().string() == "time");
        let statistics = time.and_then(|column| column.statistics());
        let Some(Statistics::Int64(times)) = statistics else {
            return Err(damaged(
                &"it does not tell the least and the greatest time in microseconds",
            ));
        };
        rows += u64::try_from(group.num_rows()).unwrap_or(0);
        if let Some((least, greatest)) = times.min_opt().zip(times.max_opt()) {
            let (low, high) = times_us.unwrap_or((*least, *greatest));
            times_us = Some((low.min(*least), high.max(*greatest)));
        }
    }
    Ok((rows, times_us))
}

/// Returns the text that a column has in all rows of a group, with their number; `None` if there may be several.
fn only_text(group: &RowGroupMetaData, at: usize) -> Option<(&str, usize)> {
    let rows = usize::try_from(group.num_rows()).ok()?;
    let statistics = group.column(at).statistics()?;
    let are_exact = statistics.min_is_exact() && statistics.max_is_exact();
    let (least, greatest) = (statistics.min_bytes_opt()?, statistics.max_bytes_opt()?);
    let is_one = are_exact && least == greatest && rows <= ROW_GROUP_ROWS;
    let text = std::str::from_utf8(least).ok()?;
    is_one.then_some((text, rows))
}

fn read_column(reader: ColumnReader, to: &mut Values, texts: &mut Texts) -> Result<()> {
    match (reader, to) {
        (ColumnReader::Int32ColumnReader(mut reader), Values::Int(values)) => {
            plain(&mut reader, |read| values.extend(read))
        }
        (ColumnReader::Int64ColumnReader(mut reader), Values::Long(values)) => {
            plain(&mut reader, |read| values.extend(read))
        }
        (ColumnReader::ByteArrayColumnReader(mut reader), Values::Text(values)) => {
            let mut is_text = true;
            plain(&mut reader, |read: Vec<ByteArray>| {
                // Rows are sorted: most texts are that of the row before.
                let mut before: Option<(ByteArray, u32)> = None;
                for bytes in read {
                    if before.as_ref().is_none_or(|(text, _)| *text != bytes) {
                        let Ok(text) = bytes.as_utf8() else {
                            is_text = false;
                            continue;
                        };
                        before = Some((bytes.clone(), texts.number(text)));
                    }
                    values.extend(before.as_ref().map(|(_, number)| *number));
                }
            })?;
            let error = || ParquetError::General("a text is not UTF-8".to_owned());
            is_text.then_some(()).ok_or_else(error)
        }
        (ColumnReader::Int32ColumnReader(mut reader), Values::List { ends, items }) => {
            lists(&mut reader, ends, items)
        }
        _ => Err(ParquetError::General(
            "a column has another type".to_owned(),
        )),
    }
}

fn plain<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    mut take: impl FnMut(Vec<T::T>),
) -> Result<()> {
    loop {
        let mut read = Vec::new();
        let (records, _, _) = reader.read_records(READ_ROWS, None, None, &mut read)?;
        if records == 0 {
            return Ok(());
        }
        take(read);
    }
}

fn lists(
    reader: &mut ColumnReaderImpl<Int32Type>,
    ends: &mut Vec<u32>,
    items: &mut Vec<i32>,
) -> Result<()> {
    loop {
        let (mut defined, mut repeated, mut read) = (Vec::new(), Vec::new(), Vec::new());
        let (records, _, _) = reader.read_records(
            READ_ROWS,
            Some(&mut defined),
            Some(&mut repeated),
            &mut read,
        )?;
        if records == 0 {
            return Ok(());
        }
        let mut read = read.into_iter();
        for (at, (defined, repeated)) in defined.iter().zip(&repeated).enumerate() {
            if *repeated == 0 && at > 0 {
                ends.push(items.len() as u32);
            }
            if *defined == 1 {
                items.extend(read.next());
            }
        }
        ends.push(items.len() as u32);
    }
}

fn schema(table: Table) -> Result<Type> {
    let fields = table.columns().iter().map(field).collect::<Result<_>>()?;
    Type::group_type_builder(table.name())
        .with_fields(fields)
        .build()
}

fn field(column: &Column) -> Result<TypePtr> {
    let primitive = |name, physical| {
        Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED)
    };
    let built = match column.kind {
        Kind::Int => primitive(column.name, Physical::INT32).build()?,
        Kind::Long => primitive(column.name, Physical::INT64).build()?,
        Kind::Time => primitive(column.name, Physical::INT64)
            .with_logical_type(Some(LogicalType::timestamp(true, TimeUnit::MICROS)))
            .build()?,
        Kind::Text => primitive(column.name, Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .build()?,
        Kind::List => {
            let element = primitive("element", Physical::INT32).build()?;
            let list = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![Arc::new(element)])
                .build()?;
            Type::group_type_builder(column.name)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(Some(LogicalType::List))
                .with_converted_type(ConvertedType::LIST)
                .with_fields(vec![Arc::new(list)])
                .build()?
        }
    };
    Ok(Arc::new(built))
}

fn path(column: &Column) -> ColumnPath {
    let mut parts = vec![column.name.to_owned()];
    if column.kind == Kind::List {
        parts.extend(["list".to_owned(), "element".to_owned()]);
    }
    ColumnPath::new(parts)
}

fn zstd_level() -> Result<ZstdLevel> {
    ZstdLevel::try_new(ZSTD_LEVEL)
}

fn properties(table: Table) -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::ZSTD(zstd_level()?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        // Those that are worth it are made here.
        .set_dictionary_enabled(false)
        .set_created_by("hone-hub".to_owned());
    for column in table.columns() {
        let encoding = match column.kind {
            // Equal ends of neighbouring stacks are equal bytes.
            Kind::Text | Kind::List => Encoding::PLAIN,
            Kind::Int | Kind::Long | Kind::Time => Encoding::DELTA_BINARY_PACKED,
        };
        properties = properties.set_column_encoding(path(column), encoding);
    }
    Ok(properties.build())
}

#[cfg(test)]
mod tests {
    use super::super::rows::Cell;
    use super::*;
    use proptest::prelude::*;

    fn stacks(lists: &[Vec<i32>]) -> Rows {
        let mut rows = Rows::new(Table::Stacks);
        for (id, list) in lists.iter().enumerate() {
            rows.push([
                Cell::Int(id as i32),
                Cell::Int(i32::from(list.len() == 1)),
                Cell::List(list),
            ]);
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn lists_read_back_as_they_were_written(
            lists in prop::collection::vec(prop::collection::vec(any::<i32>(), 0..5), 1..50)
        ) {
            let rows = stacks(&lists);
            let bytes = write(&rows, &Texts::default()).unwrap();
            let again = read(bytes, Table::Stacks, &Merged::default(), &mut Texts::default(), "stacks").unwrap();
            prop_assert_eq!(again, rows);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(
            at in 0..600_usize, value in any::<u8>(), cut in 0..600_usize
        ) {
            let rows = stacks(&[vec![1, 2], vec![3], vec![]]);
            let mut bytes = write(&rows, &Texts::default()).unwrap();
            let length = bytes.len();
            bytes[at % length] = value;
            bytes.truncate(length - cut % length.min(40));
            let _ = read(bytes, Table::Stacks, &Merged::default(), &mut Texts::default(), "stacks");
        }
    }

    #[test]
    fn more_rows_than_a_group_read_back() {
        let mut texts = Texts::default();
        let names = ["a", "b", ""].map(|name| texts.number(name));
        let mut rows = Rows::new(Table::Ranges);
        for number in 0..ROW_GROUP_ROWS + 10 {
            let text = Cell::Text(names[number % 3]);
            rows.push([
                text,
                text,
                text,
                text,
                text,
                Cell::Long(number as i64 * 60_000_000),
                Cell::Int(number as i32),
                Cell::Int(-1),
                Cell::Long(i64::MAX - number as i64),
            ]);
        }
        let bytes = write(&rows, &texts).unwrap();
        assert!(bytes.len() < rows.len() * 8, "{} bytes", bytes.len());
        let again = read(
            bytes,
            Table::Ranges,
            &Merged::default(),
            &mut texts,
            "ranges",
        )
        .unwrap();
        assert_eq!(again, rows);
    }
}
