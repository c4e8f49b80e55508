//! The operands that a walk meets: what makes an instruction slow, or needless, and cannot be read from its code.
//!
//! A watched instruction is known by a column beside the decoded steps, so that walks that nobody observes cost nothing more. Only
//! operands that are known count, as everywhere here. Left out are operations under an opmask.

mod loads;

pub use loads::LINES_ONE_OF;

use crate::end::{Branch, End};
use crate::known_bits::mask_of;
use crate::machine::{Machine, RAX, RDX};
use crate::state::Vector;
use crate::step::{Kind, Step};
use hone_profile::{Avma, BranchKind, Watched};
use iced_x86::Mnemonic::{self, *};
use loads::Loads;
use rustc_hash::FxHashMap;

/// Largest number of instructions whose operands are counted in one walk.
const INSTRUCTIONS_MAX: usize = 256;
/// Bits of MXCSR that treat denormal operands as zeros and turn denormal results into zeros.
const DENORMALS_ARE_ZEROS: u64 = 1 << 15 | 1 << 6;

/// Numbers of read, write, pread64, pwrite64, sendto and recvfrom.
const MOVE_BYTES: [u64; 6] = [0, 1, 17, 18, 44, 45];
/// Length up to which a system call takes longer than the copy that it makes.
const FEW_BYTES: u64 = 256;

/// What a walk has met at one instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Met {
    /// Address of the instruction.
    pub at: Avma,
    /// What was counted.
    pub watched: Watched,
    /// Number of executions with known operands.
    pub executions: u64,
    /// Number of odd executions; of divisions those with the divisor of the first, of loads those far from the load before.
    pub odd: u64,
    /// The divisor of the first execution, the length, or how loads come to their addresses; else 0.
    pub value: u64,
    /// Hashes of one in [`LINES_ONE_OF`] of the cache lines that loads read, in any order; a line that is read again is told again.
    pub lines: Vec<u32>,
}

/// How to look at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Watch {
    operands: Operands,
    loads: bool,
}

/// Operands of a step that are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operands {
    Nothing,
    Floats {
        /// Size of a number in bytes: 4 or 8.
        bytes: u8,
        /// True if only the lowest number counts.
        is_scalar: bool,
        /// One bit for each operand that is read.
        sources: u8,
    },
    Divisor,
    SystemCall,
}

impl Watch {
    pub(crate) const NOTHING: Self = Self {
        operands: Operands::Nothing,
        loads: false,
    };

    /// Returns how to look at a step that the walk understands, or at a system call.
    pub(crate) fn of(mnemonic: Mnemonic, step: &Step) -> Self {
        Self {
            operands: Operands::of(mnemonic, step),
            loads: loads::loads(mnemonic, step),
        }
    }

    pub(crate) fn is_system_call(self) -> bool {
        self.operands == Operands::SystemCall
    }
}

impl Operands {
    fn of(mnemonic: Mnemonic, step: &Step) -> Self {
        match mnemonic {
            Div | Idiv => return Self::Divisor,
            Syscall => return Self::SystemCall,
            _ => {}
        }
        match floats(mnemonic) {
            Some((bytes, is_scalar, sources)) if step.mask == 0 => Self::Floats {
                bytes,
                is_scalar,
                sources,
            },
            _ => Self::Nothing,
        }
    }
}

/// Returns the size of the numbers of an operation, whether only the lowest counts, and which operands are read.
fn floats(mnemonic: Mnemonic) -> Option<(u8, bool, u8)> {
    Some(match mnemonic {
        Addss | Vaddss | Subss | Vsubss | Mulss | Vmulss | Divss | Vdivss => (4, true, 0b110),
        Sqrtss | Vsqrtss => (4, true, 0b100),
        Vfmadd132ss | Vfmadd213ss | Vfmadd231ss | Vfmsub132ss | Vfmsub213ss | Vfmsub231ss
        | Vfnmadd132ss | Vfnmadd213ss | Vfnmadd231ss | Vfnmsub132ss | Vfnmsub213ss
        | Vfnmsub231ss => (4, true, 0b111),
        Addsd | Vaddsd | Subsd | Vsubsd | Mulsd | Vmulsd | Divsd | Vdivsd => (8, true, 0b110),
        Sqrtsd | Vsqrtsd => (8, true, 0b100),
        Vfmadd132sd | Vfmadd213sd | Vfmadd231sd | Vfmsub132sd | Vfmsub213sd | Vfmsub231sd
        | Vfnmadd132sd | Vfnmadd213sd | Vfnmadd231sd | Vfnmsub132sd | Vfnmsub213sd
        | Vfnmsub231sd => (8, true, 0b111),
        Addps | Vaddps | Subps | Vsubps | Mulps | Vmulps | Divps | Vdivps => (4, false, 0b110),
        Sqrtps | Vsqrtps => (4, false, 0b010),
        Vfmadd132ps | Vfmadd213ps | Vfmadd231ps | Vfmsub132ps | Vfmsub213ps | Vfmsub231ps
        | Vfnmadd132ps | Vfnmadd213ps | Vfnmadd231ps | Vfnmsub132ps | Vfnmsub213ps
        | Vfnmsub231ps => (4, false, 0b111),
        Addpd | Vaddpd | Subpd | Vsubpd | Mulpd | Vmulpd | Divpd | Vdivpd => (8, false, 0b110),
        Sqrtpd | Vsqrtpd => (8, false, 0b010),
        Vfmadd132pd | Vfmadd213pd | Vfmadd231pd | Vfmsub132pd | Vfmsub213pd | Vfmsub231pd
        | Vfnmadd132pd | Vfnmadd213pd | Vfnmadd231pd | Vfnmsub132pd | Vfnmsub213pd
        | Vfnmsub231pd => (8, false, 0b111),
        _ => return None,
    })
}

/// What was seen before a step ran.
pub(crate) struct Before {
    operands: Seen,
    /// Address that is read; `None` if the step is no load, or the address is not known.
    address: Option<u64>,
}

/// Operands before a step ran.
enum Seen {
    Unknown,
    Divisor(u64),
    /// True if an operand is denormal.
    Floats(bool),
    /// Denormals are zeros to the CPU.
    AreZeros,
}

/// Counts of one walk.
#[derive(Default)]
pub(crate) struct Observer {
    met: FxHashMap<u64, Met>,
    loads: Loads,
}

impl Observer {
    /// Forgets the walk before.
    pub(crate) fn start(&mut self) {
        self.met.clear();
        self.loads.start();
    }

    /// Returns what the walk has met.
    pub(crate) fn met(&self) -> impl Iterator<Item = Met> {
        self.met.values().cloned().chain(self.loads.met())
    }

    /// Counts the system call at which the walk ends, if it moves bytes between memory and a file.
    pub(crate) fn system_call(&mut self, m: &Machine<'_>, step: &Step) {
        let [number, length] = [RAX, RDX].map(|register| m.state.gprs[register].get());
        let (Some(number), Some(length)) = (number, length) else {
            return;
        };
        if MOVE_BYTES.contains(&number) && self.met.len() < INSTRUCTIONS_MAX {
            let at = caller(m.branches).unwrap_or(Avma(step.at));
            self.met.entry(at.0).or_insert(Met {
                at,
                watched: Watched::Length,
                executions: 1,
                odd: u64::from(length <= FEW_BYTES),
                value: length,
                lines: Vec::new(),
            });
        }
    }

    /// Looks at a step that is about to run.
    #[inline(always)]
    pub(crate) fn before(&self, m: &mut Machine<'_>, step: &Step, watch: Watch) -> Before {
        let operands = match watch.operands {
            Operands::Nothing => Seen::Unknown,
            watched => seen(m, step, watched),
        };
        let address = match watch.loads && self.loads.has_room() {
            true => m.address(step).ok(),
            false => None,
        };
        Before { operands, address }
    }

    /// Counts a step that has run.
    #[inline(always)]
    pub(crate) fn count(&mut self, m: &Machine<'_>, step: &Step, watch: Watch, before: Before) {
        if let Some(address) = before.address {
            self.loads.count(m.state, step, address);
        }
        if watch.operands != Operands::Nothing {
            self.count_operands(m, step, watch.operands, before.operands);
        }
    }

    fn count_operands(&mut self, m: &Machine<'_>, step: &Step, watch: Operands, before: Seen) {
        let (watched, value) = match before {
            Seen::Unknown => return,
            Seen::Divisor(value) => (Watched::Divisor, value),
            Seen::Floats(_) | Seen::AreZeros => (Watched::Denormals, 0),
        };
        if self.met.len() >= INSTRUCTIONS_MAX && !self.met.contains_key(&step.at) {
            return;
        }
        let met = self.met.entry(step.at).or_insert(Met {
            at: Avma(step.at),
            watched,
            executions: 0,
            odd: 0,
            value,
            lines: Vec::new(),
        });
        met.executions += 1;
        met.odd += u64::from(match before {
            Seen::Divisor(value) => value == met.value,
            Seen::Floats(is_denormal) => is_denormal || has_denormal_result(m, step, watch),
            Seen::AreZeros | Seen::Unknown => false,
        });
    }
}

/// Returns the address of the call that led into the running function, if it is among the branches.
fn caller(branches: &[Branch]) -> Option<Avma> {
    let mut returned = 0_usize;
    for branch in branches.iter().rev() {
        match branch.kind {
            BranchKind::Return => returned += 1,
            BranchKind::Call | BranchKind::IndirectCall if returned == 0 => {
                return Some(branch.from);
            }
            BranchKind::Call | BranchKind::IndirectCall => returned -= 1,
            _ => {}
        }
    }
    None
}

fn seen(m: &mut Machine<'_>, step: &Step, watch: Operands) -> Seen {
    let seen = match watch {
        Operands::Nothing | Operands::SystemCall => Ok(Seen::Unknown),
        Operands::Divisor => divisor(m, step),
        Operands::Floats {
            bytes,
            is_scalar,
            sources,
        } => operands(m, step, sources, lanes(step, bytes, is_scalar), bytes),
    };
    // What cannot be read ends the walk when the step runs.
    seen.unwrap_or(Seen::Unknown)
}

fn divisor(m: &mut Machine<'_>, step: &Step) -> Result<Seen, End> {
    let divisor = m.read(step, 0)?.within(mask_of(step.operands[0].bytes));
    Ok(divisor.map_or(Seen::Unknown, Seen::Divisor))
}

fn operands(
    m: &mut Machine<'_>,
    step: &Step,
    sources: u8,
    lanes: usize,
    bytes: u8,
) -> Result<Seen, End> {
    match m.state.mxcsr.within(DENORMALS_ARE_ZEROS) {
        Some(0) => {}
        Some(DENORMALS_ARE_ZEROS) => return Ok(Seen::AreZeros),
        _ => return Ok(Seen::Unknown),
    }
    let mut is_denormal = false;
    for operand in (0..3).filter(|operand| sources >> operand & 1 != 0) {
        let of = step.operands[operand];
        let has = match of.kind {
            Kind::Vector => {
                let vector = &m.state.vectors[usize::from(of.index & 31)];
                has_denormal(vector, lanes, bytes)
            }
            _ => has_denormal(&m.read_vector(step, operand)?, lanes, bytes),
        };
        match has {
            Some(has) => is_denormal |= has,
            None => return Ok(Seen::Unknown),
        }
    }
    Ok(Seen::Floats(is_denormal))
}

fn has_denormal_result(m: &Machine<'_>, step: &Step, watch: Operands) -> bool {
    let Operands::Floats {
        bytes, is_scalar, ..
    } = watch
    else {
        return false;
    };
    let [result, ..] = step.operands;
    let lanes = lanes(step, bytes, is_scalar);
    result.kind == Kind::Vector
        && has_denormal(
            &m.state.vectors[usize::from(result.index & 31)],
            lanes,
            bytes,
        )
        .unwrap_or(false)
}

fn lanes(step: &Step, bytes: u8, is_scalar: bool) -> usize {
    match is_scalar {
        true => 1,
        false => usize::from(step.width / bytes),
    }
}

/// Returns true if any of the first numbers is denormal; `None` if any is not known.
#[inline(always)]
fn has_denormal(vector: &Vector, lanes: usize, bytes: u8) -> Option<bool> {
    let used = u64::MAX.checked_shr(64 - (lanes * usize::from(bytes)) as u32)?;
    if vector.known & used != used {
        return None;
    }
    Some(match bytes {
        4 => vector.bytes.as_chunks().0[..lanes]
            .iter()
            .any(|number| f32::from_le_bytes(*number).is_subnormal()),
        _ => vector.bytes.as_chunks().0[..lanes]
            .iter()
            .any(|number| f64::from_le_bytes(*number).is_subnormal()),
    })
}
