//! The debug sections of a file that is not in memory: sections are read on demand, whole or in part.

use crate::binary::check_expansion;
use crate::error::SymbolError;
use crate::ranges::is_needed;
use crate::split_files::ReadSeek;
use object::LittleEndian;
use object::read::elf::ElfFile64;
use object::read::{CompressedFileRange, CompressionFormat, Object, ObjectSection, ReadCache};
use rustc_hash::FxHashMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// Place of the bytes of a section.
enum Place {
    InFile {
        offset: u64,
        size: u64,
    },
    /// Content of a section that was compressed.
    InMemory(Vec<u8>),
}

/// An open file with debug sections.
pub(super) struct SectionFile {
    file: Mutex<Box<dyn ReadSeek>>,
    places: FxHashMap<String, Place>,
}

impl SectionFile {
    /// Lists the sections; no claim of the headers reaches beyond the file.
    pub(super) fn open(mut file: Box<dyn ReadSeek>) -> Result<Self, SymbolError> {
        let length = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let cache = ReadCache::new(file);
        let ranges = ranges(&cache, length)?;
        let opened = Self {
            file: Mutex::new(cache.into_inner()),
            places: FxHashMap::default(),
        };
        let place =
            |(name, range): (String, CompressedFileRange)| Ok((name, opened.place(&range)?));
        let places = ranges
            .into_iter()
            .map(place)
            .collect::<Result<_, SymbolError>>()?;
        Ok(Self { places, ..opened })
    }

    fn place(&self, range: &CompressedFileRange) -> Result<Place, SymbolError> {
        let (offset, size) = (range.offset, range.compressed_size);
        if range.format == CompressionFormat::None {
            return Ok(Place::InFile { offset, size });
        }
        let bytes = self.bytes(offset, size)?;
        let data = object::read::CompressedData {
            format: range.format,
            data: &bytes,
            uncompressed_size: range.uncompressed_size,
        };
        Ok(Place::InMemory(data.decompress()?.into_owned()))
    }

    /// Reads a whole section; empty if there is none.
    pub(super) fn whole(&self, name: &str) -> Result<Vec<u8>, SymbolError> {
        match self.places.get(name) {
            None => Ok(Vec::new()),
            Some(Place::InFile { offset, size }) => self.bytes(*offset, *size),
            Some(Place::InMemory(bytes)) => Ok(bytes.clone()),
        }
    }

    /// Reads `size` bytes of a section from `start` on.
    pub(super) fn part(&self, name: &str, start: u32, size: u32) -> Result<Vec<u8>, SymbolError> {
        let beyond = || SymbolError::MalformedDwarf(format!("a unit reaches beyond {name}"));
        let (start, size) = (u64::from(start), u64::from(size));
        let end = start + size;
        match self.places.get(name).ok_or_else(beyond)? {
            Place::InFile { offset, size: all } if end <= *all => self.bytes(offset + start, size),
            Place::InMemory(bytes) => {
                let part = bytes.get(start as usize..end as usize);
                Ok(part.ok_or_else(beyond)?.to_vec())
            }
            Place::InFile { .. } => Err(beyond()),
        }
    }

    /// Reads bytes of the file. The range is known to lie in the file.
    fn bytes(&self, offset: u64, size: u64) -> Result<Vec<u8>, SymbolError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
        let read = (&mut **file).take(size).read_to_end(&mut bytes);
        if read.map_err(unreadable)? as u64 != size {
            return Err(SymbolError::MalformedElf("the file became shorter".into()));
        }
        Ok(bytes)
    }
}

fn ranges(
    cache: &ReadCache<Box<dyn ReadSeek>>,
    length: u64,
) -> Result<Vec<(String, CompressedFileRange)>, SymbolError> {
    let elf = ElfFile64::<LittleEndian, _>::parse(cache)?;
    let mut found = Vec::new();
    for section in elf.sections() {
        let Ok(name) = section.name() else { continue };
        if !(name.ends_with(".dwo") && is_needed(name) || name == crate::split_files::INDEX) {
            continue;
        }
        let range = section.compressed_file_range()?;
        check_expansion(name, &range)?;
        let end = range.offset.checked_add(range.compressed_size);
        if end.is_none_or(|end| end > length) {
            let what = format!("section {name} reaches beyond the file");
            return Err(SymbolError::MalformedElf(what));
        }
        found.push((name.to_owned(), range));
    }
    Ok(found)
}

fn unreadable(error: std::io::Error) -> SymbolError {
    SymbolError::MalformedElf(error.to_string())
}
