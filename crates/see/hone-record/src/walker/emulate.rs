//! A walk by emulation: from a snapshot of a thread's registers the program is followed in a private copy
//! of its memory, while the thread itself stands still or is at least kept off its CPU.
//!
//! Data about a process (decoded code, mappings) outlives the walk. The data is thrown away when the
//! process maps other code; a walk that raced with such a change is found by [`Walk::code_since_ns`]
//! when the walk is written.

use super::kernel_data::{KernelData, is_kernel_data};
use super::{End, Taken, Walk};
use crate::operands::MetInFile;
use crate::procfs::{self, Mapping};
use crate::sys::{clock, memory};
use crate::tracer::Running;
use hone_emulate::{Bits, Branch, Cpu, Limits, Memory, PAGE_BYTES, State, Walker};
use hone_profile::{Avma, FileOffset};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Largest number of instructions in one walk: a loop without taken branches, such as a loop of `rep` instructions,
/// must not hold its thread for long.
const INSTRUCTIONS_MAX: u64 = 60_000;
/// Number of branches after which a walk looks at the time; no walk is shorter for lack of time.
const BRANCHES_BETWEEN_LOOKS: usize = 128;
/// Largest number of pages of the target that one walk may touch: each page costs some 2 us.
const PAGES_MAX: usize = 256;
/// Largest number of processes that are remembered.
const PROCESSES_MAX: usize = 64;
/// Largest number of threads of a process that are remembered.
const THREADS_MAX: usize = 1 << 16;
/// Shortest time between two readings of the mappings of a process.
const MAPPINGS_EVERY: Duration = Duration::from_millis(200);

/// Rounds of the function that is walked before the target: enough to meet what walks need.
const ROUNDS_REHEARSED: u64 = 300;

/// Data about its process that a walk needs, prepared before the thread is stopped.
pub(crate) struct Prepared {
    process: Arc<Process>,
    walker: Walker,
    mappings: Vec<Mapping>,
    mappings_read_ns: u64,
    /// Time at which the oldest data here was read.
    since_ns: u64,
    /// True if the mappings did not explain what the walk saw.
    stale: bool,
}

struct Process {
    pid: i32,
    /// True if the process reads the time from the same pages as we do.
    has_our_time: bool,
    idle: Mutex<Vec<Prepared>>,
    segments: Mutex<FxHashMap<i32, Segments>>,
}

/// Segment bases of a thread, which the thread sets once, when it starts.
#[derive(Clone, Copy)]
struct Segments {
    fs_base: Bits,
    gs_base: Bits,
    since_ns: u64,
}

/// Follows threads of any number of processes, from several threads of ours at once.
pub(crate) struct Emulator {
    cpu: Cpu,
    branches_max: usize,
    processes: Mutex<FxHashMap<i32, Arc<Process>>>,
    /// Walkers without decoded code, whose memory has been used before.
    rehearsed: Mutex<Vec<Walker>>,
    kernel_data: KernelData,
}

/// Locks a mutex, also after a panic: a panic of a thread of ours is noticed in another way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Emulator {
    /// Creates an emulator for walks of up to `branches_max` taken branches.
    pub(crate) fn new(branches_max: u32) -> Self {
        let has = procfs::cpu_flags();
        Self {
            cpu: Cpu {
                tzcnt: has("bmi1"),
                lzcnt: has("abm"),
                shadow_stacks: has("user_shstk"),
            },
            branches_max: branches_max as usize,
            processes: Mutex::default(),
            rehearsed: Mutex::default(),
            kernel_data: KernelData::own(),
        }
    }

    /// Prepares a walk in a process; the result must be handed back to [`Self::done`].
    pub(crate) fn prepare(&self, pid: i32) -> Prepared {
        let process = {
            let mut processes = lock(&self.processes);
            if processes.len() >= PROCESSES_MAX && !processes.contains_key(&pid) {
                processes.clear();
            }
            let new = || {
                Arc::new(Process {
                    pid,
                    has_our_time: self.kernel_data.are_those_of(pid),
                    idle: Mutex::default(),
                    segments: Mutex::default(),
                })
            };
            Arc::clone(processes.entry(pid).or_insert_with(new))
        };
        let idle = lock(&process.idle).pop();
        let now_ns = clock::monotonic_ns();
        let mut prepared = idle.unwrap_or_else(|| Prepared {
            walker: self.walker(),
            mappings: Vec::new(),
            mappings_read_ns: 0,
            since_ns: now_ns,
            stale: true,
            process,
        });
        let again_ns = prepared.mappings_read_ns + MAPPINGS_EVERY.as_nanos() as u64;
        if prepared.mappings.is_empty() || (prepared.stale && now_ns >= again_ns) {
            prepared.mappings = procfs::mappings(pid);
            prepared.mappings_read_ns = now_ns;
            prepared.stale = false;
        }
        prepared
    }

    /// Returns a walker without decoded code.
    fn walker(&self) -> Walker {
        let rehearsed = lock(&self.rehearsed).pop();
        rehearsed.unwrap_or_else(|| {
            let mut walker = Walker::new(self.cpu);
            walker.observe(true);
            walker
        })
    }

    /// Walks a function of our own, before the calling thread walks the target: code and tables of the emulator are then in memory, which
    /// took the first walk of a target a millisecond for 128 branches, more than all else that half a second pays for at 1 %.
    pub(crate) fn rehearse(&self) {
        let stack = [0_u64; 512];
        let middle = (&raw const stack).addr() as u64 / 16 * 16 + 2048;
        let mut state = State::unknown(Avma(practice as *const () as u64));
        state.gprs = [Bits::known(ROUNDS_REHEARSED); 16];
        state.gprs[RSP] = Bits::known(middle - 8);
        state.rflags = Bits::known(2);
        let pid = std::process::id() as i32;
        let mut prepared = self.prepare(pid);
        let thread = Running {
            pid,
            tid: pid,
            cpu: 0,
        };
        // Where the function returns to there is no code, which ends the walk.
        self.walk(&mut prepared, thread, state, u64::MAX);
        self.forget(pid);
        prepared.walker.clear();
        lock(&self.rehearsed).push(prepared.walker);
    }

    /// Keeps the data of a walk for the next walk, unless the process has changed meanwhile.
    pub(crate) fn done(&self, prepared: Prepared) {
        let process = Arc::clone(&prepared.process);
        let current = lock(&self.processes)
            .get(&process.pid)
            .is_some_and(|known| Arc::ptr_eq(known, &process));
        if current {
            lock(&process.idle).push(prepared);
        }
    }

    /// Forgets a process that has mapped other code, become another program or ended.
    pub(crate) fn forget(&self, pid: i32) {
        lock(&self.processes).remove(&pid);
    }

    /// Forgets a thread whose number now belongs to another thread.
    pub(crate) fn forget_thread(&self, pid: i32, tid: i32) {
        if let Some(process) = lock(&self.processes).get(&pid) {
            lock(&process.segments).remove(&tid);
        }
    }

    /// Follows a thread from a snapshot on, until about the time `end_ns`. The thread must not run meanwhile.
    pub(crate) fn walk(
        &self,
        prepared: &mut Prepared,
        thread: Running,
        mut state: State,
        end_ns: u64,
    ) -> Walk {
        let began_ns = clock::monotonic_ns();
        state.time_stamp = Bits::known(clock::time_stamp());
        state.cpu_number = cpu_number(thread.cpu);
        let mut branches: Vec<Branch> = Vec::with_capacity(self.branches_max);
        let mut limits = Limits {
            branches_max: BRANCHES_BETWEEN_LOOKS.min(self.branches_max),
            instructions_max: INSTRUCTIONS_MAX,
            pages_max: PAGES_MAX,
        };
        let mut target = Target {
            pid: thread.pid,
            mappings: &prepared.mappings,
            kernel_data: Some(&self.kernel_data).filter(|_| prepared.process.has_our_time),
            unexplained: false,
        };
        let walker = &mut prepared.walker;
        let mut end = walker.walk(&mut state, &mut target, limits, &mut branches);
        while end == hone_emulate::End::BranchLimit
            && branches.len() < self.branches_max
            && clock::monotonic_ns() < end_ns
        {
            let left = self.branches_max - branches.len();
            limits.branches_max = BRANCHES_BETWEEN_LOOKS.min(left);
            limits.instructions_max = INSTRUCTIONS_MAX.saturating_sub(walker.counts().instructions);
            end = walker.go_on(&mut state, &mut target, limits, &mut branches);
        }
        // No program goes where there is no memory: what was known of the thread was not true there.
        if let hone_emulate::End::UnreadableCode(at) = end
            && target.mapping(at).is_none()
        {
            let page = |address: Avma| address.0 / PAGE_BYTES as u64;
            branches.pop_if(|branch| page(branch.to) == page(at));
        }
        prepared.stale |= target.unexplained;
        let is_whole = branches.len() >= self.branches_max;
        let end = match end {
            hone_emulate::End::BranchLimit if !is_whole => End::Budget,
            hone_emulate::End::UnreadableCode(at) if target.is_without_file(at) => End::NoFile,
            end => End::Emulated(end),
        };
        Walk {
            pid: thread.pid,
            tid: thread.tid,
            cpu: thread.cpu,
            // All branches have the same moment; a nanosecond each keeps their order.
            branches: (began_ns..)
                .zip(&branches)
                .map(|(time_ns, branch)| Taken {
                    from: branch.from.0,
                    to: branch.to.0,
                    third_argument: branch.third_argument,
                    time_ns,
                })
                .collect(),
            steps: prepared.walker.counts().instructions as u32,
            end,
            met: None,
            code_since_ns: prepared.since_ns,
        }
    }
}

/// Number of the stack pointer in [`State::gprs`].
const RSP: usize = 4;

/// Function with loops, branches that depend on data, loads and stores.
#[inline(never)]
extern "C" fn practice(rounds: u64) -> u64 {
    let mut values = [1_u64; 32];
    let mut state = rounds;
    for round in 0..rounds {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let value = &mut values[(state >> 59) as usize];
        if state & 1 << 40 == 0 {
            *value ^= state;
        } else {
            *value = value.rotate_left(7).wrapping_add(round);
        }
        std::hint::black_box(&mut values);
    }
    values.iter().fold(0, |sum, value| sum ^ value)
}

impl Prepared {
    /// Returns the operands that the last walk met in code of files.
    pub(crate) fn met(&self) -> Vec<MetInFile> {
        let met = self.walker.met().filter_map(|met| {
            let mapping = mapping_at(&self.mappings, met.at)?;
            mapping.path.starts_with('/').then(|| MetInFile {
                path: mapping.path.clone(),
                at: FileOffset(met.at.0 - mapping.start + mapping.file_offset),
                met,
            })
        });
        met.collect()
    }

    /// Keeps the segment bases of a stopped thread.
    pub(crate) fn learn_segments(&self, tid: i32, state: &State) {
        let segments = Segments {
            fs_base: state.fs_base,
            gs_base: state.gs_base,
            since_ns: clock::monotonic_ns(),
        };
        let mut known = lock(&self.process.segments);
        if known.len() >= THREADS_MAX {
            known.clear();
        }
        known.insert(tid, segments);
    }

    /// Adds the segment bases of a thread, if they are known, and returns the time since when they are known.
    pub(crate) fn add_segments(&self, tid: i32, state: &mut State) -> u64 {
        match lock(&self.process.segments).get(&tid) {
            None => u64::MAX,
            Some(segments) => {
                state.fs_base = segments.fs_base;
                state.gs_base = segments.gs_base;
                segments.since_ns
            }
        }
    }
}

/// Returns the number that instructions report about a thread's CPU. The NUMA node is known only if we run on that CPU.
fn cpu_number(cpu: u32) -> Bits {
    let own = clock::own_cpu().filter(|&(own, _)| own == cpu);
    match own {
        Some((_, node)) => Bits::known(u64::from(node) << 12 | u64::from(cpu & 0xfff)),
        None => Bits::partly(u64::from(cpu & 0xfff), !0xffff_f000),
    }
}

/// The memory of a process whose thread stands still.
struct Target<'a> {
    pid: i32,
    mappings: &'a [Mapping],
    /// Pages from which the process reads the time, if we read the time from the same pages.
    kernel_data: Option<&'a KernelData>,
    unexplained: bool,
}

impl Target<'_> {
    fn mapping(&self, address: Avma) -> Option<&Mapping> {
        mapping_at(self.mappings, address)
    }

    /// Returns true if the address is in code that no file holds, such as a JIT compiler's: such code may change at any
    /// time, and a profile could not name it.
    fn is_without_file(&self, address: Avma) -> bool {
        self.mapping(address)
            .is_some_and(|mapping| mapping.is_executable() && !holds_lasting_code(mapping))
    }
}

/// Returns the mapping of an address, of mappings in order.
fn mapping_at(mappings: &[Mapping], address: Avma) -> Option<&Mapping> {
    let index = mappings.partition_point(|mapping| mapping.end <= address.0);
    let mapping = mappings.get(index);
    mapping.filter(|mapping| mapping.start <= address.0)
}

/// Returns true if code in the mapping can only change by a mapping that the kernel reports. A shared mapping may be
/// written through another mapping.
fn holds_lasting_code(mapping: &Mapping) -> bool {
    let writable = mapping.protection & libc::PROT_WRITE as u32 != 0
        || mapping.flags & libc::MAP_SHARED as u32 != 0;
    let path = mapping.path.as_str();
    let is_file = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/memfd:");
    !writable && (is_file || path == "[vdso]")
}

impl Memory for Target<'_> {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        if memory::read(self.pid, page.0, out).is_ok_and(|count| count == PAGE_BYTES) {
            return true;
        }
        let mapping = self.mapping(page).filter(|mapping| is_kernel_data(mapping));
        let data = mapping.zip(self.kernel_data);
        data.is_some_and(|(mapping, data)| data.read(mapping, page.0, out))
    }

    /// Returns true also for a readable page in no known mapping: the page is newer than the mappings, since heaps grow.
    fn is_writable(&mut self, page: Avma) -> bool {
        let mapping = self.mapping(page);
        let writable = mapping.is_none_or(|m| m.protection & libc::PROT_WRITE as u32 != 0);
        self.unexplained |= !writable;
        writable
    }

    fn is_executable(&mut self, page: Avma) -> bool {
        let mapping = self.mapping(page).filter(|mapping| mapping.is_executable());
        let is_good = mapping.is_some_and(holds_lasting_code);
        self.unexplained |= mapping.is_none();
        is_good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_bytes::REGISTERS_COUNT;
    use crate::sys::threads;
    use crate::walker::state;

    fn returns() {}

    /// Position of stack pointer and instruction pointer in a sample's registers.
    const SP: usize = 7;
    const IP: usize = 8;

    #[test]
    fn a_return_into_nowhere_is_no_branch() {
        let own = std::process::id() as i32;
        let start = returns as fn() as usize as u64;
        let mut code = [0; 64];
        assert_eq!(memory::read(own, start, &mut code).ok(), Some(code.len()));
        let ret = code.iter().position(|&byte| byte == 0xc3);
        let stack = [0_u64; 8];
        let mut registers = [0; REGISTERS_COUNT];
        registers[SP] = stack.as_ptr() as u64;
        registers[IP] = start + ret.expect("a return") as u64;
        let emulator = Emulator::new(100);
        let mut prepared = emulator.prepare(own);
        let thread = Running {
            pid: own,
            tid: threads::own_tid(),
            cpu: 0,
        };
        let walk = emulator.walk(&mut prepared, thread, state::sampled(&registers), u64::MAX);
        let end = walk.end;
        assert_eq!((walk.steps, walk.branches.len()), (1, 0), "{end:?}");
    }

    #[test]
    fn the_rehearsal_walks_a_function_to_its_end_and_leaves_its_walker_to_the_target() {
        let emulator = Emulator::new(2_048);
        emulator.rehearse();
        {
            let rehearsed = lock(&emulator.rehearsed);
            let counts = rehearsed[0].counts();
            assert!(counts.instructions > 10 * ROUNDS_REHEARSED, "{counts:?}");
            assert_eq!(rehearsed[0].blocks(), 0, "code of our own");
        }
        assert!(lock(&emulator.processes).is_empty());
        let prepared = emulator.prepare(std::process::id() as i32);
        assert!(lock(&emulator.rehearsed).is_empty());
        emulator.done(prepared);
    }
}
