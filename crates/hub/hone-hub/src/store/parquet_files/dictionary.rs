//! Columns as dictionaries: each value once, and for each row its place among them.
//!
//! The library's writer compares value by value with the least and the greatest so far, and looks each up by its bytes. Rows have
//! numbers for their texts, and most rows have the number of the row before, so runs of numbers become runs of places here, and a
//! text is looked at once in a group of rows. Numbers that come again and again, as minutes and weights of samples do, take a few
//! bits as places, and several bytes as differences. Headers, metadata and the file are the library's.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytes::Bytes;
use hone_profile::protobuf::Message;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use rustc_hash::FxHashMap;

use super::{ZSTD_LEVEL, hybrid, zstd_level};

/// Bytes of the largest dictionary: readers hold it whole.
const DICTIONARY_BYTES_MAX: usize = 16 << 20;
/// Part of the bytes of plain values that a dictionary with its places may have.
const WORTH: usize = 2;
/// Bytes of the longest text that is told as the least or the greatest of a column.
const TOLD_BYTES_MAX: usize = 1 << 10;

/// Values of one kind.
pub(super) trait Values {
    /// What a row has for its value.
    type Row: Copy + PartialEq;

    /// Returns the place of a value in the dictionary; `next` if it was not there.
    fn place(&mut self, row: Self::Row, next: u32) -> u32;

    /// Forgets all places.
    fn forget(&mut self, dictionary: &[Self::Row]);

    /// Returns the number of a value's plain bytes.
    fn plain_bytes(&self, row: Self::Row) -> usize;

    /// Appends a value's plain bytes.
    fn append(&self, row: Self::Row, to: &mut Vec<u8>);

    /// Returns the least and the greatest value.
    fn statistics(&self, dictionary: &[Self::Row]) -> Statistics;

    /// Returns the bytes of the texts in so many rows with so many plain bytes, if values are texts.
    fn text_bytes(plain_bytes: usize, rows: usize) -> Option<i64>;
}

/// Texts, for which rows have numbers.
pub(super) struct Texts<'t> {
    texts: &'t [Arc<str>],
    /// Place of each text; [`Self::NOWHERE`] if it is not in the dictionary.
    places: Vec<u32>,
}

impl<'t> Texts<'t> {
    const NOWHERE: u32 = u32::MAX;
    /// Bytes of a text's length.
    const LENGTH_BYTES: usize = 4;

    pub(super) fn new(texts: &'t [Arc<str>]) -> Self {
        Self {
            texts,
            places: vec![Self::NOWHERE; texts.len()],
        }
    }

    fn bytes(&self, number: u32) -> &'t [u8] {
        self.texts[number as usize].as_bytes()
    }
}

impl Values for Texts<'_> {
    type Row = u32;

    fn place(&mut self, number: u32, next: u32) -> u32 {
        let place = &mut self.places[number as usize];
        if *place == Self::NOWHERE {
            *place = next;
        }
        *place
    }

    fn forget(&mut self, dictionary: &[u32]) {
        for number in dictionary {
            self.places[*number as usize] = Self::NOWHERE;
        }
    }

    fn plain_bytes(&self, number: u32) -> usize {
        Self::LENGTH_BYTES + self.bytes(number).len()
    }

    fn append(&self, number: u32, to: &mut Vec<u8>) {
        let text = self.bytes(number);
        to.extend((text.len() as u32).to_le_bytes());
        to.extend(text);
    }

    fn statistics(&self, dictionary: &[u32]) -> Statistics {
        let texts = || dictionary.iter().map(|number| self.bytes(*number));
        let told = |text: Option<&[u8]>| {
            let text = text.filter(|text| text.len() <= TOLD_BYTES_MAX);
            text.map(|text| ByteArray::from(text.to_vec()))
        };
        let (least, greatest) = (told(texts().min()), told(texts().max()));
        Statistics::new(least, greatest, None, Some(0), false)
    }

    fn text_bytes(plain_bytes: usize, rows: usize) -> Option<i64> {
        Some((plain_bytes - Self::LENGTH_BYTES * rows) as i64)
    }
}

/// Numbers of 64 bits.
#[derive(Default)]
pub(super) struct Longs {
    places: FxHashMap<i64, u32>,
}

impl Values for Longs {
    type Row = i64;

    fn place(&mut self, number: i64, next: u32) -> u32 {
        match self.places.entry(number) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => *place.insert(next),
        }
    }

    fn forget(&mut self, _: &[i64]) {
        self.places.clear();
    }

    fn plain_bytes(&self, _: i64) -> usize {
        size_of::<i64>()
    }

    fn append(&self, number: i64, to: &mut Vec<u8>) {
        to.extend(number.to_le_bytes());
    }

    fn statistics(&self, dictionary: &[i64]) -> Statistics {
        let (least, greatest) = (dictionary.iter().min(), dictionary.iter().max());
        Statistics::new(least.copied(), greatest.copied(), None, Some(0), false)
    }

    fn text_bytes(_: usize, _: usize) -> Option<i64> {
        None
    }
}

/// Writes the next column of a group of rows, unless a dictionary is not worth it; returns whether it did.
pub(super) fn write<V: Values>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    column: &ColumnDescPtr,
    rows: &[V::Row],
    values: &mut V,
) -> Result<bool> {
    let plain_bytes: usize = rows.iter().map(|row| values.plain_bytes(*row)).sum();
    let bytes_max = DICTIONARY_BYTES_MAX.min(plain_bytes / WORTH);
    let (dictionary, runs) = dictionary_of(rows, values, bytes_max);
    values.forget(&dictionary);
    let Some(runs) = runs else {
        return Ok(false);
    };
    let width = hybrid::width(dictionary.len());
    let mut plain = Vec::new();
    for row in &dictionary {
        values.append(*row, &mut plain);
    }
    if plain.len() + rows.len() * usize::from(width) / 8 > bytes_max {
        return Ok(false);
    }
    let mut places = Message(vec![width]);
    hybrid::write(&mut places, width, runs.into_iter());
    let encoded = Encoded {
        values: count(dictionary.len())?,
        plain,
        rows: count(rows.len())?,
        places: places.0,
        statistics: values.statistics(&dictionary),
        text_bytes: V::text_bytes(plain_bytes, rows.len()),
    };
    encoded.append_to(group, column)?;
    Ok(true)
}

/// Places of neighbouring rows, each with the number of rows that have it.
type Runs = Vec<(u32, usize)>;

/// Returns the values, each once, in the order of their first rows, and the rows' places; no places if the values have more bytes.
fn dictionary_of<V: Values>(
    rows: &[V::Row],
    values: &mut V,
    bytes_max: usize,
) -> (Vec<V::Row>, Option<Runs>) {
    let (mut dictionary, mut runs) = (Vec::new(), Vec::new());
    let mut bytes = 0;
    for run in rows.chunk_by(|one, other| one == other) {
        let next = dictionary.len() as u32;
        let place = values.place(run[0], next);
        if place == next {
            dictionary.push(run[0]);
            bytes += values.plain_bytes(run[0]);
            if bytes > bytes_max {
                return (dictionary, None);
            }
        }
        runs.push((place, run.len()));
    }
    (dictionary, Some(runs))
}

/// A column that is encoded: a page for its dictionary, and one for the places of its rows.
struct Encoded {
    values: u32,
    plain: Vec<u8>,
    rows: u32,
    places: Vec<u8>,
    statistics: Statistics,
    text_bytes: Option<i64>,
}

impl Encoded {
    /// Appends the column to a group of rows.
    fn append_to(
        self,
        group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
        column: &ColumnDescPtr,
    ) -> Result<()> {
        let mut chunk = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut chunk);
        let page = Page::DictionaryPage {
            buf: compressed(&self.plain)?,
            num_values: self.values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let first = writer.write_page(CompressedPage::new(page, self.plain.len()))?;
        let page = Page::DataPage {
            buf: compressed(&self.places)?,
            num_values: self.rows,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let second = writer.write_page(CompressedPage::new(page, self.places.len()))?;
        writer.close()?;

        let mut index = OffsetIndexBuilder::new();
        index.append_row_count(self.rows.into());
        index.append_offset_and_size(second.offset as i64, second.compressed_size as i32);
        index.append_unencoded_byte_array_data_bytes(self.text_bytes);
        let page_of = |page_type, encoding| PageEncodingStats {
            page_type,
            encoding,
            count: 1,
        };
        let uncompressed_bytes = first.uncompressed_size + second.uncompressed_size;
        let metadata = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::ZSTD(zstd_level()?))
            .set_encodings(vec![
                Encoding::PLAIN,
                Encoding::RLE,
                Encoding::RLE_DICTIONARY,
            ])
            .set_page_encoding_stats(vec![
                page_of(PageType::DICTIONARY_PAGE, Encoding::PLAIN),
                page_of(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY),
            ])
            .set_total_compressed_size((first.compressed_size + second.compressed_size) as i64)
            .set_total_uncompressed_size(uncompressed_bytes as i64)
            .set_num_values(self.rows.into())
            .set_data_page_offset(second.offset as i64)
            .set_dictionary_page_offset(Some(first.offset as i64))
            .set_statistics(self.statistics)
            .set_unencoded_byte_array_data_bytes(self.text_bytes)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: first.bytes_written + second.bytes_written,
            rows_written: self.rows.into(),
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(index.build()),
        };
        group.append_column(&Bytes::from(chunk.into_inner()?), close)
    }
}

fn compressed(bytes: &[u8]) -> Result<Bytes> {
    let compressed = zstd::bulk::compress(bytes, ZSTD_LEVEL);
    let failed = |error| ParquetError::General(format!("a page cannot be compressed: {error}"));
    compressed.map(Bytes::from).map_err(failed)
}

/// Returns a number of values as Parquet has it.
fn count(values: usize) -> Result<u32> {
    let too_many = |_| ParquetError::General(format!("a page of {values} values"));
    u32::try_from(values).map_err(too_many)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use proptest::prelude::*;

    use super::super::super::detail::Merged;
    use super::super::super::rows::{Cell, Rows, Texts};
    use super::super::super::tables::Table;
    use super::super::{read, write};
    use super::*;

    /// Rows whose columns of texts begin with these two, and their file.
    fn written(texts: &Texts, first: &[u32], second: &[u32]) -> (Rows, Vec<u8>) {
        let mut rows = Rows::new(Table::Ranges);
        for (at, (first, second)) in first.iter().zip(second).enumerate() {
            let other = Cell::Text(first.min(second) / 2);
            let (first, second) = (Cell::Text(*first), Cell::Text(*second));
            let (time, number) = (Cell::Long(60_000_000), Cell::Int(at as i32));
            rows.push([
                first,
                second,
                other,
                other,
                first,
                time,
                number,
                number,
                Cell::Long(1),
            ]);
        }
        let bytes = write(&rows, texts).unwrap();
        (rows, bytes)
    }

    fn read_back(bytes: Vec<u8>, texts: &mut Texts) -> Rows {
        read(bytes, Table::Ranges, &Merged::default(), texts, "ranges").unwrap()
    }

    fn metadata(bytes: &[u8], column: &str) -> ColumnChunkMetaData {
        let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap();
        let columns = reader.metadata().row_group(0).columns();
        let mut columns = columns.iter();
        let found = columns.find(|found| found.column_path().string() == column);
        found.unwrap().clone()
    }

    fn has_dictionary(column: &ColumnChunkMetaData) -> bool {
        let mut encodings = column.encodings();
        let is_there = encodings.any(|encoding| encoding == Encoding::RLE_DICTIONARY);
        assert_eq!(column.dictionary_page_offset().is_some(), is_there);
        is_there
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn texts_read_back_as_they_were_written(
            pool in prop::collection::vec(".{0,12}", 1..300),
            runs in prop::collection::vec((any::<usize>(), any::<usize>(), 1..40_usize), 1..60)
        ) {
            let mut texts = Texts::default();
            let pool: Vec<u32> = pool.iter().map(|text| texts.number(text)).collect();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            for (one, other, length) in runs {
                first.extend(std::iter::repeat_n(pool[one % pool.len()], length));
                second.extend((0..length).map(|at| pool[other.wrapping_add(at) % pool.len()]));
            }
            let (rows, bytes) = written(&texts, &first, &second);
            prop_assert_eq!(read_back(bytes, &mut texts), rows);
        }
    }

    #[test]
    fn texts_that_do_not_come_again_have_no_dictionary() {
        let mut texts = Texts::default();
        let numbers: Vec<u32> = (0..10_000)
            .map(|number| texts.number(&format!("{number:0300}")))
            .collect();
        let (rows, bytes) = written(&texts, &numbers, &numbers);
        assert!(!has_dictionary(&metadata(&bytes, "build")));
        assert_eq!(read_back(bytes, &mut texts), rows);
    }

    #[test]
    fn numbers_have_a_dictionary_where_they_come_again() {
        let mut texts = Texts::default();
        let text = Cell::Text(texts.number(""));
        let number = Cell::Int(0);
        let mut rows = Rows::new(Table::Ranges);
        for row in 0..10_000_i64 {
            let (time, times) = (Cell::Long(row * 7 % 60 * 60_000_000), Cell::Long(row * row));
            rows.push([text, text, text, text, text, time, number, number, times]);
        }
        let bytes = write(&rows, &texts).unwrap();
        let times = metadata(&bytes, "time");
        assert!(has_dictionary(&times));
        // Six bits a row, and little else.
        assert!(times.uncompressed_size() < 10_000 * 6 / 8 + 1_000);
        let Some(Statistics::Int64(told)) = times.statistics() else {
            panic!("{times:?}");
        };
        let told = (told.min_opt(), told.max_opt());
        assert_eq!(told, (Some(&0), Some(&(59 * 60_000_000))));
        assert!(!has_dictionary(&metadata(&bytes, "times")));
        assert_eq!(read_back(bytes, &mut texts), rows);
    }

    #[test]
    fn a_column_tells_its_least_and_its_greatest_text_unless_they_are_long() {
        let told = |pool: &[String]| {
            let mut texts = Texts::default();
            let numbers: Vec<u32> = pool.iter().map(|text| texts.number(text)).collect();
            let (_, bytes) = written(&texts, &numbers.repeat(10), &numbers.repeat(10));
            let statistics = metadata(&bytes, "build").statistics().unwrap().clone();
            assert_eq!(statistics.null_count_opt(), Some(0));
            let text =
                |bytes: Option<&[u8]>| bytes.map(|text| String::from_utf8_lossy(text).into_owned());
            (
                text(statistics.min_bytes_opt()),
                text(statistics.max_bytes_opt()),
            )
        };
        let pool = ["m", "b", "ö", "m", "z"].map(str::to_owned);
        assert_eq!(told(&pool), (Some("b".to_owned()), Some("ö".to_owned())));
        let long = ["a".to_owned(), "b".repeat(TOLD_BYTES_MAX + 1)];
        assert_eq!(told(&long), (Some("a".to_owned()), None));
    }
}
