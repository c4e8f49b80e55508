//! The map of basic blocks that `clang -fbasic-block-address-map` writes: the place of each block of each function, under
//! the number that the block has in the compiler.
//!
//! ```text
//! .llvm_bb_addr_map    for each function:
//!   u8 version         1 or 2
//!   u8 features        bit 0 entry counts, 1 block frequencies, 2 branch probabilities, 3 several ranges
//!   ULEB ranges        only with several ranges (a function that was split); otherwise one
//!   for each range     u64 address, ULEB blocks, the blocks
//!     block            ULEB id (version 2; in version 1 blocks are numbered as they come), ULEB distance from the
//!                      end of the block before, ULEB size, ULEB what it is
//!   the entry count    ULEB, where the features say so
//!   for each block     ULEB frequency; ULEB successors, and for each ULEB id, ULEB probability; as the features say
//! ```
//!
//! A block's number stays the same in a second compilation of the same source with the same flags, which makes a layout by
//! numbers possible. Entries have no lengths, so an unknown version or feature ends the reading with an error that names
//! the version or feature. The section is not loaded.

use crate::binary::{Binary, Elf};
use crate::error::SymbolError;
use crate::input::Input;
use hone_profile::Svma;
use object::LittleEndian;
use object::elf;
use object::read::elf::SectionHeader;

/// Type of the section: `SHT_LLVM_BB_ADDR_MAP`.
const SECTION_TYPE: u32 = 0x6fff_4c0a;
const SECTION_NAME: &str = ".llvm_bb_addr_map";

const ENTRY_COUNT: u8 = 1;
const FREQUENCIES: u8 = 2;
const PROBABILITIES: u8 = 4;
const SEVERAL_RANGES: u8 = 8;
const KNOWN_FEATURES: u8 = ENTRY_COUNT | FREQUENCIES | PROBABILITIES | SEVERAL_RANGES;

const IS_LANDING_PAD: u64 = 4;
const FALLS_THROUGH: u64 = 8;

/// One basic block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MappedBlock {
    /// Number of the block in the compiler; the entry block has 0.
    pub id: u32,
    /// Address of the first byte.
    pub start: Svma,
    /// Size in bytes, without the padding behind the block; 0 for a block without instructions.
    pub size: u32,
    /// True if control can go on to the next block without a jump.
    pub falls_through: bool,
    /// True if the block is a landing pad of exceptions.
    pub is_landing_pad: bool,
}

impl MappedBlock {
    /// Returns the address after the last byte.
    pub fn end(&self) -> Svma {
        Svma(self.start.0.saturating_add(self.size.into()))
    }
}

/// One function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MappedFunction {
    /// Address of the first byte.
    pub start: Svma,
    /// Blocks in the order of the map: by address within each range, the range of the entry first. Never empty.
    pub blocks: Vec<MappedBlock>,
}

/// Map of the basic blocks of a binary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockMap {
    functions: Vec<MappedFunction>,
    without_code: u64,
}

impl BlockMap {
    /// Reads the map; `None` if the binary has no map.
    pub fn parse(binary: &Binary<'_>) -> Result<Option<Self>, SymbolError> {
        let elf = Elf::parse(binary.data())?;
        let mut map = Self::default();
        let mut is_there = false;
        for section in elf.elf_section_table().iter() {
            if section.sh_type(LittleEndian) == elf::SectionType(SECTION_TYPE) {
                is_there = true;
                map.read(section.data(LittleEndian, binary.data())?, binary)?;
            }
        }
        map.functions.sort_by_key(|function| function.start);
        map.functions.dedup_by_key(|function| function.start);
        Ok(is_there.then_some(map))
    }

    /// Returns the functions, sorted by their first byte, each once.
    pub fn functions(&self) -> &[MappedFunction] {
        &self.functions
    }

    /// Returns the number of functions of the map that are not in the binary's code, such as functions that the linker dropped.
    pub fn without_code(&self) -> u64 {
        self.without_code
    }

    fn read(&mut self, bytes: &[u8], binary: &Binary<'_>) -> Result<(), SymbolError> {
        let mut input = Input::new(SECTION_NAME, bytes);
        while !input.is_empty() {
            match function(&mut input)? {
                Some(function) if binary.is_executable(function.start) => {
                    self.functions.push(function);
                }
                _ => self.without_code += 1,
            }
        }
        Ok(())
    }
}

/// Reads one function; `None` for a function without blocks.
fn function(input: &mut Input<'_>) -> Result<Option<MappedFunction>, SymbolError> {
    let (version, features) = (input.byte()?, input.byte()?);
    if !matches!(version, 1 | 2) {
        return Err(SymbolError::BlockMapVersion { version });
    }
    if features & !KNOWN_FEATURES != 0 {
        let features = features & !KNOWN_FEATURES;
        return Err(SymbolError::BlockMapFeatures { features });
    }
    let has_several = features & SEVERAL_RANGES != 0;
    let ranges = if has_several { input.unsigned()? } else { 1 };
    let mut found: Option<MappedFunction> = None;
    // No allocation uses a claimed length: each range and each block takes bytes of the input.
    for _ in 0..ranges {
        let start = Svma(input.fixed()?);
        let function = found.get_or_insert_with(|| MappedFunction {
            start,
            blocks: Vec::new(),
        });
        blocks(input, version, start, &mut function.blocks)?;
    }
    let found = found.filter(|function| !function.blocks.is_empty());
    skip_analysis(
        input,
        features,
        found.as_ref().map_or(0, |f| f.blocks.len()),
    )?;
    Ok(found)
}

fn blocks(
    input: &mut Input<'_>,
    version: u8,
    start: Svma,
    blocks: &mut Vec<MappedBlock>,
) -> Result<(), SymbolError> {
    let count = input.unsigned()?;
    let mut end = start.0;
    for index in 0..count {
        let id = match version {
            1 => u32::try_from(index).map_err(|_| input.fail("too many blocks"))?,
            _ => input.small()?,
        };
        let (distance, size) = (input.small()?, input.small()?);
        let what = input.unsigned()?;
        let outside = || input.fail("a block outside of the address space");
        let start = end.checked_add(distance.into()).ok_or_else(outside)?;
        end = start.checked_add(size.into()).ok_or_else(outside)?;
        blocks.push(MappedBlock {
            id,
            start: Svma(start),
            size,
            falls_through: what & FALLS_THROUGH != 0,
            is_landing_pad: what & IS_LANDING_PAD != 0,
        });
    }
    Ok(())
}

/// Skips the frequencies and probabilities of the compiler: records are more exact.
fn skip_analysis(input: &mut Input<'_>, features: u8, blocks: usize) -> Result<(), SymbolError> {
    if features & ENTRY_COUNT != 0 {
        input.unsigned()?;
    }
    if features & (FREQUENCIES | PROBABILITIES) == 0 {
        return Ok(());
    }
    for _ in 0..blocks {
        if features & FREQUENCIES != 0 {
            input.unsigned()?;
        }
        if features & PROBABILITIES != 0 {
            for _ in 0..input.unsigned()? {
                input.unsigned()?;
                input.unsigned()?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Vec<MappedFunction>, SymbolError> {
        let mut input = Input::new(SECTION_NAME, bytes);
        let mut found = Vec::new();
        while !input.is_empty() {
            found.extend(function(&mut input)?);
        }
        Ok(found)
    }

    /// Returns the start of an entry with one range at 0x1000.
    fn head(version: u8, features: u8) -> Vec<u8> {
        let mut bytes = vec![version, features];
        bytes.extend(0x1000u64.to_le_bytes());
        bytes
    }

    fn places(function: &MappedFunction) -> Vec<(u32, u64, u32)> {
        let blocks = function.blocks.iter();
        blocks.map(|b| (b.id, b.start.0, b.size)).collect()
    }

    #[test]
    fn blocks_count_on_from_the_end_of_the_one_before() {
        let blocks = [&[2u8][..], &[0, 0, 0x10, 8], &[7, 4, 3, 4]].concat();
        let [function] = &read(&[head(2, 0), blocks].concat()).unwrap()[..] else {
            panic!("not one function")
        };
        assert_eq!(places(function), [(0, 0x1000, 0x10), (7, 0x1014, 3)]);
        let falls = function.blocks.iter().map(|block| block.falls_through);
        assert_eq!(falls.collect::<Vec<_>>(), [true, false]);
        assert!(function.blocks[1].is_landing_pad && !function.blocks[0].is_landing_pad);
    }

    #[test]
    fn the_first_version_numbers_blocks_as_they_come() {
        let blocks = [&[2u8][..], &[0, 0x10, 8], &[0, 3, 0]].concat();
        let functions = read(&[head(1, 0), blocks].concat()).unwrap();
        assert_eq!(places(&functions[0]), [(0, 0x1000, 0x10), (1, 0x1010, 3)]);
    }

    #[test]
    fn frequencies_are_passed_over_and_ranges_joined() {
        let block = |id: u8| vec![1, id, 0, 5, 0];
        let analysis = vec![9, 200, 1, 1, 4, 5, 201, 1, 0];
        let mut bytes = vec![2, 15, 2];
        for (address, id) in [(0x1000u64, 0), (0x5000, 3)] {
            bytes.extend(address.to_le_bytes());
            bytes.extend(block(id));
        }
        bytes.extend(analysis);
        bytes.extend([head(2, 0), block(0)].concat());
        let functions = read(&bytes).unwrap();
        assert_eq!(places(&functions[0]), [(0, 0x1000, 5), (3, 0x5000, 5)]);
        assert_eq!(places(&functions[1]), [(0, 0x1000, 5)]);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let said = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert!(said(&head(3, 0)).contains("version 3; versions 1 and 2"));
        assert!(said(&head(0, 0)).contains("version 0"));
        assert!(said(&head(2, 0x31)).contains("bits 0x30"));
    }

    #[test]
    fn claims_are_bounded_by_the_bytes() {
        let many = [&head(2, 0)[..], &[0xff; 9], &[1]].concat();
        assert!(read(&many).is_err(), "more blocks than bytes");
        let far = [&head(2, 0)[..2], &[0xff; 8], &[1, 0, 1, 1, 0]].concat();
        assert!(read(&far).unwrap_err().to_string().contains("outside"));
        let successors = [&head(2, 4)[..], &[1, 0, 0, 1, 0], &[0xff; 9], &[1]].concat();
        assert!(read(&successors).is_err(), "more successors than bytes");
        assert!(read(&head(2, 0)[..5]).is_err(), "half an address");
        assert_eq!(read(&[&head(2, 0)[..], &[0]].concat()), Ok(Vec::new()));
    }
}
