//! The code cache: blocks of decoded steps that outlive a walk.
//!
//! A block runs from an address to the first instruction that may branch, or to [`STEPS_MAX`]. The owner of the
//! cache must report changed code; a walk itself never runs code that it wrote.

use crate::decode::decoded;
use crate::end::End;
use crate::machine::Machine;
use crate::memory::PAGE_BYTES;
use crate::observe::Watch;
use crate::opaque::Opaque;
use crate::step::Step;
use crate::walk::Cpu;
use hone_profile::Avma;
use iced_x86::{Decoder, DecoderOptions, Instruction};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Largest number of steps in one block.
const STEPS_MAX: usize = 64;
/// Largest number of steps kept (16 MB); beyond it the cache starts afresh.
const STEPS_KEPT_MAX: usize = 1 << 18;
/// Longest instruction in bytes.
const INSTRUCTION_MAX: usize = 15;
/// Number of entries of the table before the hash map.
const DIRECT: usize = 1 << 12;

/// Steps that run one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    first: u32,
    count: u32,
}

/// All decoded blocks, by their first address.
///
/// Steps lie in one row in the order in which walks met them, so that the CPU can prefetch the next steps.
pub(crate) struct CodeCache {
    steps: Vec<Step>,
    /// What an observed walk looks at in each step.
    watches: Vec<Watch>,
    blocks: FxHashMap<u64, Block>,
    direct: Box<[(u64, Block)]>,
    cpu: Cpu,
}

const NOTHING: (u64, Block) = (u64::MAX, Block { first: 0, count: 0 });

impl CodeCache {
    pub(crate) fn new(cpu: Cpu) -> Self {
        Self {
            steps: Vec::new(),
            watches: Vec::new(),
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

    #[inline(always)]
    pub(crate) fn watches(&self, block: Block) -> &[Watch] {
        &self.watches[block.first as usize..(block.first + block.count) as usize]
    }

    /// Returns the block at which the walk goes on; decodes the block first if necessary.
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
            // Reserves address space for all steps at once: a growing row would be copied in the middle of a walk.
            self.steps.reserve_exact(STEPS_KEPT_MAX);
            self.watches.reserve_exact(STEPS_KEPT_MAX);
        }
        let first = self.steps.len();
        let end = self.decode_from(address, m);
        if let Err(end) = end
            && self.steps.len() == first
        {
            return Err(end);
        }
        let block = Block {
            first: first as u32,
            count: (self.steps.len() - first) as u32,
        };
        self.blocks.insert(address, block);
        Ok(block)
    }

    /// Adds the steps of the block at `at`. Steps decoded before an error still run; the error comes back if the walk
    /// gets that far.
    fn decode_from(&mut self, mut at: u64, m: &mut Machine<'_>) -> Result<(), End> {
        let first = self.steps.len();
        let options = decoder_options(self.cpu);
        let mut instruction = Instruction::default();
        loop {
            // All of the block that lies in one page is decoded in one go.
            let code = m.pages.code(m.memory, at)?;
            let mut decoder = Decoder::with_ip(64, code, at, options);
            loop {
                if self.steps.len() == first + STEPS_MAX {
                    return Ok(());
                }
                decoder.decode_out(&mut instruction);
                if instruction.is_invalid() {
                    break;
                }
                at = instruction.next_ip();
                if self.push(&instruction, m.opaques) {
                    return Ok(());
                }
            }
            instruction = over_the_edge(at, options, m)?;
            at = instruction.next_ip();
            if self.push(&instruction, m.opaques) {
                return Ok(());
            }
        }
    }

    /// Keeps the step of an instruction and returns true if the instruction ends the block.
    fn push(&mut self, instruction: &Instruction, opaques: &mut Vec<Arc<Opaque>>) -> bool {
        let mut decoded = decoded(instruction, self.cpu);
        if let Some(opaque) = decoded.opaque {
            decoded.step.immediate = opaques.len() as u64;
            opaques.push(opaque);
        }
        self.steps.push(decoded.step);
        self.watches.push(decoded.watch);
        decoded.ends
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
        self.watches.clear();
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

/// Decodes the instruction at `at`, which is invalid with the bytes of its page alone: the instruction may continue
/// in the next page.
fn over_the_edge(at: u64, options: u32, m: &mut Machine<'_>) -> Result<Instruction, End> {
    let mut bytes = [0; INSTRUCTION_MAX];
    let here = (PAGE_BYTES - at as usize % PAGE_BYTES).min(INSTRUCTION_MAX);
    if here == INSTRUCTION_MAX {
        return Err(End::InvalidInstruction);
    }
    bytes[..here].copy_from_slice(m.pages.code(m.memory, at)?);
    let rest = m.pages.code(m.memory, at + here as u64)?;
    bytes[here..].copy_from_slice(&rest[..INSTRUCTION_MAX - here]);
    let instruction = Decoder::with_ip(64, &bytes, at, options).decode();
    match instruction.is_invalid() {
        true => Err(End::InvalidInstruction),
        false => Ok(instruction),
    }
}
