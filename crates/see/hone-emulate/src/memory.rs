//! The walk's private view of the target's memory.
//!
//! Pages are fetched when first touched and kept for the walk; stores change the copy. A mask has one bit per byte
//! that says whether the value of the byte is known; most pages never need the mask. A store to a page that holds
//! decoded code ends the walk, so the code cache is never stale because of the walk itself.

use crate::end::{End, Flow};
use crate::known_bits::{Bits, bits_of_bytes, bytes_of_bits, mask_of};
use hone_profile::Avma;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes in a page.
pub const PAGE_BYTES: usize = 4096;
const PAGE_SHIFT: u32 = 12;
const OFFSET_MASK: u64 = PAGE_BYTES as u64 - 1;
/// Number of entries of the lookaside table, which finds pages without hashing.
const LOOKASIDE: usize = 64;

/// Source of the pages of the target.
pub trait Memory {
    /// Reads the page that starts at `page`; returns false if there is no such page or it may not be read.
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool;

    /// Returns true if the target may write to the page that starts at `page`. Called once per page and walk.
    fn is_writable(&mut self, page: Avma) -> bool {
        let _ = page;
        true
    }

    /// Returns true if the target may execute the page that starts at `page`. Called when code is decoded.
    fn is_executable(&mut self, page: Avma) -> bool {
        let _ = page;
        true
    }
}

/// A page that the last walk wrote to, for a checker.
#[derive(Clone, Copy, Debug)]
pub struct WrittenPage<'a> {
    /// Start of the page.
    pub start: Avma,
    /// Bytes of the page after the walk.
    pub bytes: &'a [u8; PAGE_BYTES],
    /// One bit per byte, set if the byte is known; `None` if all bytes are known.
    pub known: Option<&'a [u64; PAGE_BYTES / 64]>,
}

struct Page {
    number: u64,
    bytes: [u8; PAGE_BYTES],
    known: Option<Box<[u64; PAGE_BYTES / 64]>>,
    written: bool,
}

#[derive(Clone, Copy)]
struct Lookaside {
    number: u64,
    slot: u32,
    writable: bool,
}

const EMPTY: Lookaside = Lookaside {
    number: u64::MAX,
    slot: 0,
    writable: false,
};

/// The pages of one walk; their buffers are used again in the next walk.
pub(crate) struct Pages {
    pages: Vec<Box<Page>>,
    used: usize,
    slots: FxHashMap<u64, u32>,
    lookaside: [Lookaside; LOOKASIDE],
    pages_max: usize,
    /// Numbers of the pages that hold decoded code; kept after the walk.
    pub(crate) code_pages: FxHashSet<u64>,
}

impl Pages {
    pub(crate) fn new() -> Self {
        Self {
            pages: Vec::new(),
            used: 0,
            slots: FxHashMap::default(),
            lookaside: [EMPTY; LOOKASIDE],
            pages_max: 0,
            code_pages: FxHashSet::default(),
        }
    }

    /// Forgets the pages of the last walk.
    pub(crate) fn start(&mut self, pages_max: usize) {
        self.used = 0;
        self.slots.clear();
        self.lookaside = [EMPTY; LOOKASIDE];
        self.pages_max = pages_max;
    }

    pub(crate) fn used(&self) -> usize {
        self.used
    }

    pub(crate) fn written(&self) -> impl Iterator<Item = WrittenPage<'_>> {
        self.pages[..self.used]
            .iter()
            .filter(|page| page.written)
            .map(|page| WrittenPage {
                start: Avma(page.number << PAGE_SHIFT),
                bytes: &page.bytes,
                known: page.known.as_deref(),
            })
    }

    #[inline(always)]
    fn find(&mut self, memory: &mut dyn Memory, address: u64) -> Result<&mut Page, End> {
        let number = address >> PAGE_SHIFT;
        let entry = self.lookaside[number as usize % LOOKASIDE];
        let slot = if entry.number == number {
            entry.slot
        } else {
            self.fetch(memory, number)?
        };
        Ok(&mut self.pages[slot as usize])
    }

    #[inline(always)]
    fn find_to_write(&mut self, memory: &mut dyn Memory, address: u64) -> Result<&mut Page, End> {
        let number = address >> PAGE_SHIFT;
        let entry = self.lookaside[number as usize % LOOKASIDE];
        let slot = if entry.number == number && entry.writable {
            entry.slot
        } else {
            self.fetch_to_write(memory, number)?
        };
        Ok(&mut self.pages[slot as usize])
    }

    #[cold]
    fn fetch(&mut self, memory: &mut dyn Memory, number: u64) -> Result<u32, End> {
        let slot = match self.slots.get(&number) {
            Some(&slot) => slot,
            None => self.read(memory, number)?,
        };
        self.lookaside[number as usize % LOOKASIDE] = Lookaside {
            number,
            slot,
            writable: self.pages[slot as usize].written,
        };
        Ok(slot)
    }

    fn read(&mut self, memory: &mut dyn Memory, number: u64) -> Result<u32, End> {
        if self.used >= self.pages_max {
            return Err(End::PageLimit);
        }
        if self.used == self.pages.len() {
            self.pages.push(Box::new(Page {
                number: 0,
                bytes: [0; PAGE_BYTES],
                known: None,
                written: false,
            }));
        }
        let start = Avma(number << PAGE_SHIFT);
        let page = &mut self.pages[self.used];
        if !memory.read_page(start, &mut page.bytes) {
            return Err(End::UnreadableMemory(start));
        }
        page.number = number;
        page.known = None;
        page.written = false;
        let slot = self.used as u32;
        self.used += 1;
        self.slots.insert(number, slot);
        Ok(slot)
    }

    #[cold]
    fn fetch_to_write(&mut self, memory: &mut dyn Memory, number: u64) -> Result<u32, End> {
        let slot = self.fetch(memory, number)?;
        if !self.pages[slot as usize].written {
            let start = Avma(number << PAGE_SHIFT);
            if !memory.is_writable(start) {
                return Err(End::ReadOnlyMemory(start));
            }
            if self.code_pages.contains(&number) {
                return Err(End::CodeWritten(start));
            }
            self.pages[slot as usize].written = true;
        }
        self.lookaside[number as usize % LOOKASIDE].writable = true;
        Ok(slot)
    }

    /// Returns the code from `address` to the end of its page. The page must be the target's own, not written by this
    /// walk.
    pub(crate) fn code(&mut self, memory: &mut dyn Memory, address: u64) -> Result<&[u8], End> {
        let number = address >> PAGE_SHIFT;
        let start = Avma(number << PAGE_SHIFT);
        let slot = self.fetch(memory, number).map_err(|end| match end {
            End::UnreadableMemory(page) => End::UnreadableCode(page),
            other => other,
        })?;
        if self.pages[slot as usize].written {
            return Err(End::CodeWritten(start));
        }
        if self.code_pages.insert(number) && !memory.is_executable(start) {
            self.code_pages.remove(&number);
            return Err(End::UnreadableCode(start));
        }
        Ok(&self.pages[slot as usize].bytes[(address & OFFSET_MASK) as usize..])
    }

    /// Loads 1 to 8 bytes.
    #[inline(always)]
    pub(crate) fn load(
        &mut self,
        memory: &mut dyn Memory,
        address: u64,
        bytes: u8,
    ) -> Result<Bits, End> {
        let offset = (address & OFFSET_MASK) as usize;
        if offset > PAGE_BYTES - 8 {
            return self.load_at_edge(memory, address, bytes);
        }
        let page = self.find(memory, address)?;
        let mut word = [0; 8];
        word.copy_from_slice(&page.bytes[offset..offset + 8]);
        let mask = mask_of(bytes);
        let value = u64::from_le_bytes(word) & mask;
        match &page.known {
            None => Ok(Bits::known(value)),
            Some(known) => {
                let known = known_window(known, offset) as u8;
                let known = bits_of_bytes(known) | !mask;
                Ok(Bits::partly(value, known))
            }
        }
    }

    #[cold]
    fn load_at_edge(
        &mut self,
        memory: &mut dyn Memory,
        address: u64,
        bytes: u8,
    ) -> Result<Bits, End> {
        let mut word = [0; 8];
        let known = self.load_bytes(memory, address, &mut word[..usize::from(bytes)])?;
        let value = u64::from_le_bytes(word);
        let known = bits_of_bytes(known as u8) | !mask_of(bytes);
        Ok(Bits::partly(value, known))
    }

    /// Loads up to 64 bytes and returns one bit per byte, set if the byte is known.
    pub(crate) fn load_bytes(
        &mut self,
        memory: &mut dyn Memory,
        address: u64,
        out: &mut [u8],
    ) -> Result<u64, End> {
        let length = out.len();
        let offset = (address & OFFSET_MASK) as usize;
        let here = length.min(PAGE_BYTES - offset);
        let page = self.find(memory, address)?;
        out[..here].copy_from_slice(&page.bytes[offset..offset + here]);
        let mut known = match &page.known {
            None => u64::MAX,
            Some(known) => known_window(known, offset),
        } & ones(here);
        if here < length {
            let rest = address.wrapping_add(here as u64);
            known |= self.load_bytes(memory, rest, &mut out[here..])? << here;
        }
        Ok(known)
    }

    /// Stores 1 to 8 bytes.
    #[inline(always)]
    pub(crate) fn store(
        &mut self,
        memory: &mut dyn Memory,
        address: u64,
        bytes: u8,
        bits: Bits,
    ) -> Flow {
        let offset = (address & OFFSET_MASK) as usize;
        let length = usize::from(bytes);
        let mask = mask_of(bytes);
        if offset + length <= PAGE_BYTES && bits.known & mask == mask {
            let page = self.find_to_write(memory, address)?;
            if page.known.is_none() {
                let word = bits.value.to_le_bytes();
                let out = &mut page.bytes[offset..offset + length];
                match bytes {
                    8 => out.copy_from_slice(&word),
                    4 => out.copy_from_slice(&word[..4]),
                    _ => out.copy_from_slice(&word[..length]),
                }
                return Ok(());
            }
        }
        let known = u64::from(bytes_of_bits(bits.known));
        self.store_bytes(memory, address, &bits.value.to_le_bytes()[..length], known)
    }

    /// Stores up to 64 bytes; `known` has one bit per known byte.
    pub(crate) fn store_bytes(
        &mut self,
        memory: &mut dyn Memory,
        address: u64,
        bytes: &[u8],
        known: u64,
    ) -> Flow {
        let length = bytes.len();
        let offset = (address & OFFSET_MASK) as usize;
        let here = length.min(PAGE_BYTES - offset);
        if here < length {
            // Both pages must be writable before either changes.
            let rest = address.wrapping_add(here as u64);
            self.find_to_write(memory, address)?;
            self.find_to_write(memory, rest)?;
            self.store_bytes(memory, rest, &bytes[here..], known >> here)?;
        }
        let page = self.find_to_write(memory, address)?;
        page.bytes[offset..offset + here].copy_from_slice(&bytes[..here]);
        let all = ones(here);
        if page.known.is_some() || known & all != all {
            let mask = page
                .known
                .get_or_insert_with(|| Box::new([u64::MAX; PAGE_BYTES / 64]));
            set_known_window(mask, offset, all, known & all);
        }
        Ok(())
    }

    /// Makes sure that a later store of `length` bytes will succeed.
    pub(crate) fn touch(&mut self, memory: &mut dyn Memory, address: u64, length: usize) -> Flow {
        self.find_to_write(memory, address)?;
        self.find_to_write(memory, address.wrapping_add(length as u64 - 1))?;
        Ok(())
    }

    /// Number of the `length` bytes that lie before the end of both pages.
    pub(crate) fn copy_room(to: u64, from: u64, length: usize) -> usize {
        let room = |address: u64| PAGE_BYTES - (address & OFFSET_MASK) as usize;
        length.min(room(to)).min(room(from))
    }

    /// Copies forward as `rep movs` does, within one source page and one target page. Returns the number of bytes
    /// copied, or 0 if the areas overlap so that bytes would be read after they were written.
    pub(crate) fn copy(
        &mut self,
        memory: &mut dyn Memory,
        to: u64,
        from: u64,
        length: usize,
    ) -> Result<usize, End> {
        if length == 0 || to.wrapping_sub(from) < length as u64 {
            return Ok(0);
        }
        let mut buffer = [0; 64];
        let mut done = 0;
        // Both pages are fetched first, so that nothing is half done if one of them fails.
        self.find(memory, from)?;
        self.find_to_write(memory, to)?;
        while done < length {
            let chunk = (length - done).min(64);
            let at = done as u64;
            let known = self.load_bytes(memory, from.wrapping_add(at), &mut buffer[..chunk])?;
            self.store_bytes(memory, to.wrapping_add(at), &buffer[..chunk], known)?;
            done += chunk;
        }
        Ok(length)
    }
}

/// The lowest `count` bits (0 to 64).
fn ones(count: usize) -> u64 {
    match count {
        64.. => u64::MAX,
        count => (1 << count) - 1,
    }
}

/// Returns 64 known bits from `offset` on; bits beyond the page's end are 0.
fn known_window(known: &[u64; PAGE_BYTES / 64], offset: usize) -> u64 {
    let (word, shift) = (offset / 64, offset % 64);
    let low = known[word] >> shift;
    if shift == 0 {
        return low;
    }
    let high = known.get(word + 1).map_or(0, |word| word << (64 - shift));
    low | high
}

fn set_known_window(known: &mut [u64; PAGE_BYTES / 64], offset: usize, mask: u64, value: u64) {
    let (word, shift) = (offset / 64, offset % 64);
    known[word] = (known[word] & !(mask << shift)) | (value << shift);
    if shift != 0
        && let Some(next) = known.get_mut(word + 1)
    {
        *next = (*next & !(mask >> (64 - shift))) | (value >> (64 - shift));
    }
}
