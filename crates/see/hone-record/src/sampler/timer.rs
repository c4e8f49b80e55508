//! IP samples without perf events: at random moments the running threads are stopped for as long as it
//! takes to read their registers and their frame pointers' chain.
//!
//! Mappings are not reported here, so `/proc/PID/maps` is read again whenever an address is in no known
//! mapping.

use crate::output::Output;
use crate::procfs::{self, Mapping};
use crate::reorder_buffer::OwnSample;
use crate::sys::ptrace::Registers;
use crate::sys::{clock, memory};
use crate::tracer::Running;
use hone_profile::Avma;
use rustc_hash::{FxHashMap, FxHashSet};

/// Cost of a sample to the thread.
pub(crate) const COST_NS: f64 = 50_000.0;
/// Largest number of samples per second and running thread.
pub(crate) const RATE_MAX_HZ: u32 = 250;
/// Largest number of frames in a call chain, the same as the kernel's default.
const FRAMES_MAX: usize = 127;
/// Largest frame: if a frame seems larger, the register holds something else.
const FRAME_BYTES_MAX: u64 = 1 << 20;
/// Shortest time between two looks at the mappings of one process for addresses that are in no known mapping.
const LOOK_AGAIN_NS: u64 = 100_000_000;

#[derive(Default)]
struct Known {
    mappings: Vec<Mapping>,
    looked_ns: u64,
}

/// The mappings of traced processes that the recording knows of.
#[derive(Default)]
pub(crate) struct Mappings {
    processes: FxHashMap<i32, Known>,
    /// Threads whose names the recording knows.
    named: FxHashSet<i32>,
}

impl Mappings {
    /// Notes an exec, after which nothing of the process is as it was.
    pub(crate) fn note_exec(&mut self, pid: i32, output: &mut Output) {
        self.processes.remove(&pid);
        self.name(pid, pid, true, output);
        self.look(pid, clock::monotonic_ns(), output);
    }

    /// Makes sure that the address of a thread is in a known mapping, if it is in any mapping.
    pub(crate) fn note_address(
        &mut self,
        thread: Running,
        address: u64,
        time_ns: u64,
        output: &mut Output,
    ) {
        if !self.named.contains(&thread.tid) {
            self.name(thread.pid, thread.tid, false, output);
        }
        match self.processes.get(&thread.pid) {
            Some(known) if contains(&known.mappings, address) => {}
            Some(known) if time_ns < known.looked_ns + LOOK_AGAIN_NS => {}
            _ => self.look(thread.pid, time_ns, output),
        }
    }

    fn name(&mut self, pid: i32, tid: i32, exec: bool, output: &mut Output) {
        if let Some(name) = procfs::comm(tid) {
            output.comm(pid, tid, name, exec, clock::monotonic_ns());
        }
        self.named.insert(tid);
    }

    /// Reads the mappings, which are written with a time just before `time_ns`, when one of them was in use.
    fn look(&mut self, pid: i32, time_ns: u64, output: &mut Output) {
        let known = self.processes.entry(pid).or_default();
        known.looked_ns = time_ns;
        for mapping in procfs::executable_mappings(pid) {
            if !known.mappings.contains(&mapping) {
                output.mapping(pid, &mapping, time_ns - 1);
                // Older mappings at these addresses are gone.
                known
                    .mappings
                    .retain(|old| old.end <= mapping.start || mapping.end <= old.start);
                known.mappings.push(mapping);
            }
        }
    }

    fn known(&self, pid: i32) -> &[Mapping] {
        self.processes
            .get(&pid)
            .map_or(&[], |known| &known.mappings)
    }
}

fn contains(mappings: &[Mapping], address: u64) -> bool {
    mappings
        .iter()
        .any(|mapping| (mapping.start..mapping.end).contains(&address))
}

/// Returns the sample of a thread that stands still with these registers.
pub(crate) fn sample(
    running: Running,
    registers: &Registers,
    period_ns: u64,
    call_chains: bool,
    mappings: &mut Mappings,
    output: &mut Output,
) -> OwnSample {
    let time_ns = clock::monotonic_ns();
    mappings.note_address(running, registers.rip, time_ns, output);
    let mut call_chain = Vec::new();
    if call_chains {
        call_chain.push(Avma(registers.rip));
        call_chain.extend(callers(running.pid, registers, mappings.known(running.pid)));
    }
    OwnSample {
        event: 0,
        pid: running.pid,
        tid: running.tid,
        cpu: running.cpu,
        ip: Avma(registers.rip),
        time_ns,
        period: period_ns,
        call_chain,
        branches: Vec::new(),
    }
}

/// Returns the return addresses along the frame pointers, as far as they are plausible.
fn callers(pid: i32, registers: &Registers, mappings: &[Mapping]) -> Vec<Avma> {
    let mut callers = Vec::new();
    let mut frame = registers.rbp;
    let mut above = registers.rsp;
    while callers.len() < FRAMES_MAX
        && frame >= above
        && frame - above <= FRAME_BYTES_MAX
        && frame.is_multiple_of(8)
    {
        let mut words = [0; 16];
        if !memory::read(pid, frame, &mut words).is_ok_and(|count| count == words.len()) {
            break;
        }
        let [saved, address] = [0, 8].map(|at| {
            let mut word = [0; 8];
            word.copy_from_slice(&words[at..at + 8]);
            u64::from_ne_bytes(word)
        });
        if !contains(mappings, address) {
            break;
        }
        callers.push(Avma(address));
        above = frame + 16;
        frame = saved;
    }
    callers
}
