//! The code cache: blocks of decoded steps that outlive a walk.
//!
//! A block runs from an address to the first instruction that may branch, or to [`STEPS_MAX`]. Its owner
//! must say when code has changed; the walk itself never runs code it wrote.

use crate::decode::step_of;
use crate::end::End;
use crate::memory::{Memory, Pages};
use crate::step::Step;
use crate::walk::Cpu;
use hone_profile::Avma;
use iced_x86::{Decoder, DecoderOptions};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Steps in one block at most.
const STEPS_MAX: usize = 64;
/// Steps kept at most (about 30 MB); beyond, the cache starts afresh.
const STEPS_KEPT_MAX: usize = 1 << 18;
const _: () = assert!(size_of::<Step>() <= 120);
/// Longest instruction in bytes.
const INSTRUCTION_MAX: usize = 15;
/// Entries of the table before the hash map.
const DIRECT: usize = 1 << 12;

/// Steps that run one after the other.
pub(crate) struct Block {
    start: u64,
    end: u64,
    pub(crate) steps: Box<[Step]>,
}

/// All decoded blocks, by their first address.
pub(crate) struct CodeCache {
    blocks: Vec<Block>,
    by_address: FxHashMap<u64, u32>,
    direct: Box<[(u64, u32)]>,
    cpu: Cpu,
    /// Steps in all blocks.
    steps: usize,
}

impl CodeCache {
    pub(crate) fn new(cpu: Cpu) -> Self {
        Self {
            blocks: Vec::new(),
            by_address: FxHashMap::default(),
            direct: vec![(u64::MAX, 0); DIRECT].into_boxed_slice(),
            cpu,
            steps: 0,
        }
    }

    /// Number of blocks that are decoded.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn get(&self, block: u32) -> &Block {
        &self.blocks[block as usize]
    }

    /// The block that starts at `address`, decoded now if need be.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        address: u64,
        pages: &mut Pages,
        memory: &mut dyn Memory,
    ) -> Result<u32, End> {
        let slot = (address ^ (address >> 12)) as usize % DIRECT;
        let (found, block) = self.direct[slot];
        if found == address {
            return Ok(block);
        }
        let block = match self.by_address.get(&address) {
            Some(&block) => block,
            None => self.decode(address, pages, memory)?,
        };
        self.direct[slot] = (address, block);
        Ok(block)
    }

    #[cold]
    fn decode(
        &mut self,
        address: u64,
        pages: &mut Pages,
        memory: &mut dyn Memory,
    ) -> Result<u32, End> {
        let mut steps = Vec::new();
        let mut at = address;
        while steps.len() < STEPS_MAX {
            match decode_one(at, self.cpu, pages, memory) {
                Ok((step, ends)) => {
                    at = step.next;
                    steps.push(step);
                    if ends {
                        break;
                    }
                }
                // What was decoded so far runs; the error comes back if the walk gets here.
                Err(end) if steps.is_empty() => return Err(end),
                Err(_) => break,
            }
        }
        if self.steps + steps.len() > STEPS_KEPT_MAX {
            self.clear();
        }
        self.steps += steps.len();
        let block = self.blocks.len() as u32;
        self.by_address.insert(address, block);
        self.blocks.push(Block {
            start: address,
            end: at,
            steps: steps.into_boxed_slice(),
        });
        Ok(block)
    }

    /// Forgets all blocks that touch a range.
    pub(crate) fn invalidate(&mut self, range: &Range<Avma>) {
        self.blocks
            .retain(|block| block.end <= range.start.0 || block.start >= range.end.0);
        self.steps = self.blocks.iter().map(|block| block.steps.len()).sum();
        self.by_address = self
            .blocks
            .iter()
            .enumerate()
            .map(|(index, block)| (block.start, index as u32))
            .collect();
        self.direct.fill((u64::MAX, 0));
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.steps = 0;
        self.by_address.clear();
        self.direct.fill((u64::MAX, 0));
    }
}

fn decoder_options(cpu: Cpu) -> u32 {
    let mut options = DecoderOptions::NONE;
    if !cpu.tzcnt {
        options |= DecoderOptions::NO_MPFX_0FBC;
    }
    if !cpu.lzcnt {
        options |= DecoderOptions::NO_MPFX_0FBD;
    }
    options
}

fn decode_one(
    at: u64,
    cpu: Cpu,
    pages: &mut Pages,
    memory: &mut dyn Memory,
) -> Result<(Step, bool), End> {
    let options = decoder_options(cpu);
    let mut bytes = [0; INSTRUCTION_MAX];
    let to_page_end = 4096 - (at & 4095) as usize;
    let here = to_page_end.min(INSTRUCTION_MAX);
    load_code(at, &mut bytes[..here], pages, memory)?;
    let mut decoder = Decoder::with_ip(64, &bytes[..here], at, options);
    let mut instruction = decoder.decode();
    if instruction.is_invalid() && here < INSTRUCTION_MAX {
        // It may go on in the next page.
        load_code(at + here as u64, &mut bytes[here..], pages, memory)?;
        let mut decoder = Decoder::with_ip(64, &bytes, at, options);
        instruction = decoder.decode();
    }
    if instruction.is_invalid() {
        return Err(End::InvalidInstruction);
    }
    Ok(step_of(&instruction, cpu))
}

fn load_code(
    at: u64,
    bytes: &mut [u8],
    pages: &mut Pages,
    memory: &mut dyn Memory,
) -> Result<(), End> {
    let page = Avma(at & !4095);
    if pages.is_written(at) {
        return Err(End::CodeWritten(page));
    }
    let known = pages
        .load_bytes(memory, at, bytes)
        .map_err(|end| match end {
            End::UnreadableMemory(page) => End::UnreadableCode(page),
            other => other,
        })?;
    if known.count_ones() as usize != bytes.len() {
        return Err(End::CodeWritten(page));
    }
    if pages.code_pages.insert(at >> 12) && !memory.is_executable(page) {
        pages.code_pages.remove(&(at >> 12));
        return Err(End::UnreadableCode(page));
    }
    Ok(())
}
