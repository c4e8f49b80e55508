//! The code cache: blocks of decoded steps that outlive a walk.
//!
//! A block runs from an address to the first instruction that may branch, or to [`STEPS_MAX`]. Its owner
//! must say when code has changed; the walk itself never runs code it wrote.

use crate::decode::{Decoded, decoded};
use crate::end::End;
use crate::machine::Machine;
use crate::memory::{Memory, Pages};
use crate::step::Step;
use crate::walk::Cpu;
use hone_profile::Avma;
use iced_x86::{Decoder, DecoderOptions};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Steps in one block at most.
const STEPS_MAX: usize = 64;
/// Steps kept at most (16 MB); beyond, the cache starts afresh.
const STEPS_KEPT_MAX: usize = 1 << 18;
/// Longest instruction in bytes.
const INSTRUCTION_MAX: usize = 15;
/// Entries of the table before the hash map.
const DIRECT: usize = 1 << 12;

/// Which steps run one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    first: u32,
    count: u32,
}

/// All decoded blocks, by their first address.
///
/// Steps lie in one row in the order in which walks met them, so that the CPU sees the next ones coming.
pub(crate) struct CodeCache {
    steps: Vec<Step>,
    blocks: FxHashMap<u64, Block>,
    direct: Box<[(u64, Block)]>,
    cpu: Cpu,
}

const NOTHING: (u64, Block) = (u64::MAX, Block { first: 0, count: 0 });

impl CodeCache {
    pub(crate) fn new(cpu: Cpu) -> Self {
        Self {
            steps: Vec::new(),
            blocks: FxHashMap::default(),
            direct: vec![NOTHING; DIRECT].into_boxed_slice(),
            cpu,
        }
    }

    /// Number of blocks that are decoded.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    #[inline(always)]
    pub(crate) fn steps(&self, block: Block) -> &[Step] {
        &self.steps[block.first as usize..(block.first + block.count) as usize]
    }

    /// The block at which the walk goes on, decoded now if need be.
    #[inline(always)]
    pub(crate) fn find(&mut self, m: &mut Machine<'_>) -> Result<Block, End> {
        let address = m.next;
        let slot = (address ^ (address >> 12)) as usize % DIRECT;
        let (found, block) = self.direct[slot];
        if found == address {
            return Ok(block);
        }
        let block = match self.blocks.get(&address) {
            Some(&block) => block,
            None => self.decode(address, m)?,
        };
        self.direct[slot] = (address, block);
        Ok(block)
    }

    #[cold]
    fn decode(&mut self, address: u64, m: &mut Machine<'_>) -> Result<Block, End> {
        if self.steps.len() + STEPS_MAX > STEPS_KEPT_MAX {
            self.clear();
            m.opaques.clear();
        }
        if self.steps.capacity() == 0 {
            // Address space for all at once: a row that grows would be copied in the middle of a walk.
            self.steps.reserve_exact(STEPS_KEPT_MAX);
        }
        let first = self.steps.len();
        let mut at = address;
        while self.steps.len() < first + STEPS_MAX {
            let decoded = match decode_one(at, self.cpu, m.pages, m.memory) {
                Ok(decoded) => decoded,
                // What was decoded so far runs; the error comes back if the walk gets here.
                Err(_) if self.steps.len() > first => break,
                Err(end) => return Err(end),
            };
            let mut step = decoded.step;
            if let Some(opaque) = decoded.opaque {
                step.immediate = m.opaques.len() as u64;
                m.opaques.push(Arc::new(opaque));
            }
            at = step.next();
            self.steps.push(step);
            if decoded.ends {
                break;
            }
        }
        let block = Block {
            first: first as u32,
            count: (self.steps.len() - first) as u32,
        };
        self.blocks.insert(address, block);
        Ok(block)
    }

    /// Forgets all blocks that touch a range. Their steps stay until the cache starts afresh.
    pub(crate) fn invalidate(&mut self, range: &Range<Avma>) {
        let steps = &self.steps;
        self.blocks.retain(|&start, block| {
            let last = &steps[(block.first + block.count - 1) as usize];
            last.next() <= range.start.0 || start >= range.end.0
        });
        self.direct.fill(NOTHING);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.blocks.clear();
        self.direct.fill(NOTHING);
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
) -> Result<Decoded, End> {
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
    Ok(decoded(&instruction, cpu))
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
