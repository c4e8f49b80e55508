//! The recording on its way to the disk.
//!
//! Records come from several rings and from the walker, each in its own order. They wait here until
//! no older record can come, are sorted by time, and only then written: by then it is also known
//! which IP samples fell into a walk and must be dropped.

use crate::announcements::Announcements;
use crate::code_changes::CodeChanges;
use crate::copy_size::Needs;
use crate::error::RecordError;
use crate::generated_code::MadeCode;
use crate::inheritance::Threads;
use crate::mapped_files::MappedFiles;
use crate::members::Members;
use crate::memory::Memory;
use crate::operands::OperandSums;
use crate::options::Options;
use crate::reorder_buffer::{Made, OwnSample, Ready, Waiting};
use crate::reserved::Reserved;
use crate::summary::{Summary, count};
use crate::unwinding::Unwinding;
use crate::walker::Walk;
use crate::{kernel, machine, procfs, record_bytes as bytes};
use hone_profile::perf_data::{EventDescription, Features, Mmap2, WalkSample, Writer};
use hone_profile::{Accounted, Avma, BuildId, CpuQuota, CpuTime, FileOffset};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

/// Index of walks in the list of events.
const WALK_EVENT_INDEX: usize = 1;
/// Process id of the kernel in the file format.
const KERNEL_PID: i32 = -1;
/// Longest time from the time stamp of a record to its arrival in the ring, with much to spare.
const LATENESS_NS: u64 = 20_000_000;

/// Copied stacks in the samples of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copies {
    None,
    /// Copies are written as they are.
    Kept,
    /// Callers are written in place of the copies.
    Unwound,
}

/// Content of the samples of the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stacks {
    /// True if samples have a call chain.
    pub(crate) call_chains: bool,
    /// True if samples lack the (empty) branch stack that the file's event promises.
    pub(crate) add_branches: bool,
    pub(crate) copies: Copies,
    /// Largest number of entries in one walked branch stack.
    pub(crate) depth: usize,
}

/// The recording. If the value is dropped unfinished, its temporary file is removed.
pub(crate) struct Output {
    reserved: Reserved,
    writer: Option<Writer<BufWriter<File>>>,
    waiting: Waiting,
    walked: FxHashMap<i32, VecDeque<(u64, u64)>>,
    files: MappedFiles,
    kernel_build_id: Option<(String, BuildId, bool)>,
    stacks: Stacks,
    /// The processes that the recording is about; `None` if it is about all that its counters see.
    members: Option<Arc<Members>>,
    /// True if the counters see other processes too.
    has_others: bool,
    threads: Threads,
    /// Walks that are not yet checked against changes of the code.
    walks: Vec<Walk>,
    code_changes: CodeChanges,
    announcements: Announcements,
    unwinding: Option<Unwinding>,
    cpu_quota: Option<CpuQuota>,
    cpu_time: Option<CpuTime>,
    accounted: Accounted,
    memory: Memory,
    made_code: MadeCode,
    operands: OperandSums,
}

impl Output {
    /// Starts the file.
    pub(crate) fn start(
        options: &Options,
        reserved: Reserved,
        events: Vec<EventDescription>,
        stacks: Stacks,
    ) -> Result<Self, RecordError> {
        let refused = |source| RecordError::Output {
            path: reserved.path().to_owned(),
            source,
        };
        let file = BufWriter::with_capacity(1 << 20, reserved.file()?);
        let writer = Writer::new(file, events).map_err(refused)?;
        Ok(Self {
            reserved,
            writer: Some(writer),
            waiting: Waiting::default(),
            walked: FxHashMap::default(),
            files: MappedFiles::keeping(options.nameless.clone()),
            kernel_build_id: None,
            stacks,
            members: None,
            has_others: false,
            threads: Threads::default(),
            walks: Vec::new(),
            code_changes: CodeChanges::default(),
            announcements: Announcements::default(),
            cpu_quota: None,
            cpu_time: None,
            accounted: Accounted::default(),
            memory: Memory::default(),
            made_code: MadeCode::default(),
            operands: OperandSums::default(),
            unwinding: (stacks.copies == Copies::Unwound).then(Unwinding::default),
        })
    }

    /// Takes a record as read from a ring.
    pub(crate) fn kernel_record(&mut self, record: &[u8], summary: &mut Summary) {
        if let bytes::LOST | bytes::LOST_SAMPLES = bytes::kind(record) {
            summary.lost += bytes::lost(record);
        }
        let mapping = bytes::mapping(record);
        if let Some((pid, mapping)) = &mapping {
            self.files.note(*pid, mapping);
            if let Some(unwinding) = &mut self.unwinding {
                unwinding.prepare(*pid, mapping);
            }
        }
        if !self.has_others {
            self.note(record, mapping);
        }
        self.waiting.kernel(record);
    }

    /// Notes what a record about a recorded process changes, and the mapping that the record tells.
    fn note(&mut self, record: &[u8], mapping: Option<(i32, procfs::Mapping)>) {
        self.threads.count(record);
        self.made_code.record(record);
        if let Some((pid, mapping)) = mapping {
            self.note_mapping(pid, &mapping);
        }
        if let (Some(members), Some((parent, child))) = (&self.members, bytes::fork(record)) {
            members.born(parent, child);
        }
        // Data that only walks need would pile up in a recording of the whole system.
        if self.stacks.add_branches {
            let time_ns = bytes::time_ns(record);
            if let Some((pid, range)) = bytes::changed_code(record) {
                self.code_changes.note(pid, time_ns, range);
            }
            if let Some((_, tid)) = bytes::birth(record) {
                self.code_changes.note_birth(tid, time_ns);
            }
            self.announcements.kernel_record(record);
        }
    }

    /// Names the processes that the recording is about.
    pub(crate) fn is_about(&mut self, members: Arc<Members>) {
        self.members = Some(members);
    }

    /// Leaves out, from now on, the records of processes that the recording is not about.
    pub(crate) fn keep_members_only(&mut self) {
        self.has_others = self.members.is_some();
    }

    /// Returns how many threads of the recorded processes have begun and ended so far.
    pub(crate) fn threads(&self) -> Threads {
        self.threads
    }

    /// Takes a mapping that was read from `/proc`.
    pub(crate) fn mapping(&mut self, pid: i32, mapping: &procfs::Mapping, time_ns: u64) {
        self.files.note(pid, mapping);
        self.note_mapping(pid, mapping);
        self.announcements.note(pid, mapping);
        if let Some(unwinding) = &mut self.unwinding
            && pid != KERNEL_PID
        {
            unwinding.prepare(pid, mapping);
        }
        let record = Mmap2 {
            pid,
            tid: pid,
            start: Avma(mapping.start),
            len: mapping.end - mapping.start,
            file_offset: FileOffset(mapping.file_offset),
            protection: mapping.protection,
            flags: mapping.flags,
            device: mapping.device,
            path: mapping.path.clone(),
            time_ns,
        };
        self.waiting.made(time_ns, Made::Mapping(record));
    }

    /// Notes that a recorded process has mapped a file, or memory for code.
    fn note_mapping(&mut self, pid: i32, mapping: &procfs::Mapping) {
        self.made_code.map(pid, mapping);
        if self.files.has_go(&mapping.path) {
            self.memory.note(pid);
        }
    }

    /// Adds mapping and build id of the kernel, as far as they can be read; for recordings with samples of the kernel.
    pub(crate) fn kernel(&mut self) {
        if let Some(mapping) = kernel::mapping() {
            self.mapping(KERNEL_PID, &mapping, 0);
        }
        self.kernel_build_id = kernel::build_id();
    }

    /// Returns how much of their copies the stacks have needed since the last call.
    pub(crate) fn take_needs(&mut self) -> Needs {
        let unwinding = self.unwinding.as_mut();
        unwinding.map_or_else(Needs::default, Unwinding::take_needs)
    }

    /// Takes the CPU quota that the file reports.
    pub(crate) fn quota(&mut self, quota: Option<CpuQuota>) {
        self.cpu_quota = quota;
    }

    /// Takes the CPU time that the file reports.
    pub(crate) fn cpu_time(&mut self, time: Option<CpuTime>) {
        self.cpu_time = time;
    }

    /// Takes a command name.
    pub(crate) fn comm(&mut self, pid: i32, tid: i32, name: String, exec: bool, time_ns: u64) {
        let comm = Made::Comm {
            pid,
            tid,
            name,
            exec,
        };
        self.waiting.made(time_ns, comm);
    }

    /// Takes a sample made by the recorder.
    pub(crate) fn sample(&mut self, sample: OwnSample) {
        self.waiting.made(sample.time_ns, Made::Sample(sample));
    }

    /// Takes a walk.
    pub(crate) fn walk(&mut self, walk: Walk, summary: &mut Summary) {
        summary.walks += 1;
        summary.steps += u64::from(walk.steps);
        count(&mut summary.walk_ends, walk.end.name());
        self.walks.push(walk);
    }

    /// Notes that a process has become another program, whose first branch stack is still to come.
    pub(crate) fn became_another(&mut self, pid: i32) {
        self.announcements.exec(pid);
    }

    /// Cuts the walks that began before `until_ns` into stacks, given that everything before that moment is known.
    fn cut_walks(&mut self, until_ns: u64, summary: &mut Summary) {
        let began_before =
            |walk: &mut Walk| walk.branches.first().is_none_or(|b| b.time_ns < until_ns);
        let walks: Vec<Walk> = self.walks.extract_if(.., began_before).collect();
        for mut walk in walks {
            if self.code_changes.belie(&walk) {
                summary.walks_belied += 1;
                continue;
            }
            summary.branch_records += walk.branches.len() as u64;
            self.operands.add(walk.met.take());
            let pieces = walk.pieces(WALK_EVENT_INDEX, self.stacks.depth);
            if let Some(first) = pieces.first()
                && let Some(mapping) = self.announcements.before_stack(walk.pid)
            {
                self.mapping(walk.pid, &mapping, first.time_ns - 1);
            }
            pieces.into_iter().for_each(|piece| self.sample(piece));
        }
    }

    /// Notes that a thread was walked in an interval; its IP samples there are dropped.
    pub(crate) fn walked(&mut self, tid: i32, began_ns: u64, ended_ns: u64) {
        self.walked
            .entry(tid)
            .or_default()
            .push_back((began_ns, ended_ns));
    }

    /// Writes all records that no older record can precede, given that all sources were emptied just now and the
    /// emptying began at `drained_ns`.
    pub(crate) fn settle(
        &mut self,
        drained_ns: u64,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        self.memory.look_now_and_then();
        let horizon = drained_ns.saturating_sub(LATENESS_NS);
        self.write_until(horizon, summary)?;
        self.walked.retain(|_, intervals| {
            while intervals.front().is_some_and(|(_, ended)| *ended < horizon) {
                intervals.pop_front();
            }
            !intervals.is_empty()
        });
        Ok(())
    }

    fn write_until(&mut self, horizon: u64, summary: &mut Summary) -> Result<(), RecordError> {
        if self.has_others {
            self.leave_out_others(horizon);
        }
        self.cut_walks(horizon, summary);
        let mut ready = self.waiting.split_until(horizon);
        let path = self.reserved.path().to_owned();
        let refused = |source| RecordError::Output {
            path: path.clone(),
            source,
        };
        let wrote = !ready.is_empty();
        for (time_ns, record) in ready.in_order() {
            self.write(time_ns, record, summary).map_err(refused)?;
        }
        if wrote && let Some(writer) = &mut self.writer {
            writer.finished_round().map_err(refused)?;
        }
        summary.bytes = self.writer.as_ref().map_or(summary.bytes, Writer::len);
        Ok(())
    }

    /// Drops the records of other processes that are older than `horizon`, and notes the rest. Only in the order of time can it be
    /// told whose child a process is.
    fn leave_out_others(&mut self, horizon: u64) {
        let Some(members) = self.members.clone() else {
            return;
        };
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain_until(horizon, |record| {
            let is_ours = members.admit(record);
            if is_ours {
                self.note(record, bytes::mapping(record));
            }
            is_ours
        });
        self.waiting = waiting;
    }

    fn write(&mut self, time_ns: u64, record: Ready<'_>, summary: &mut Summary) -> io::Result<()> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        match record {
            Ready::Kernel(record) if bytes::kind(record) == bytes::SAMPLE => {
                if in_walk(&self.walked, bytes::sample_tid(record), time_ns) {
                    summary.samples_in_walks += 1;
                    return Ok(());
                }
                summary.samples += 1;
                self.accounted.samples += 1;
                self.accounted.sampled_ns += bytes::sample_period(record);
                if let Some(unwinding) = &mut self.unwinding {
                    let unwound = unwinding.unwound(record, summary);
                    self.made_code.sampled(&unwound, true);
                    return writer.raw(&unwound);
                }
                self.made_code.sampled(record, self.stacks.call_chains);
                if self.stacks.add_branches {
                    return writer.raw(&bytes::with_empty_branch_stack(record));
                }
                if self.stacks.copies == Copies::None {
                    summary.branch_records += bytes::branch_count(record, self.stacks.call_chains);
                }
                writer.raw(record)
            }
            Ready::Kernel(record) => {
                if let Some(unwinding) = &mut self.unwinding {
                    unwinding.record(record);
                }
                writer.raw(record)
            }
            Ready::Made(Made::Mapping(mapping)) => {
                if let Some(unwinding) = &mut self.unwinding {
                    unwinding.written(&mapping);
                }
                writer.mmap2(&mapping)
            }
            Ready::Made(Made::Comm {
                pid,
                tid,
                name,
                exec,
            }) => writer.comm(pid, tid, &name, exec, time_ns),
            Ready::Made(Made::Sample(sample)) => {
                self.made_code.sampled_at(sample.pid, sample.ip.0);
                writer.walk_sample(&WalkSample {
                    event: sample.event,
                    pid: sample.pid,
                    tid: sample.tid,
                    cpu: sample.cpu,
                    ip: sample.ip,
                    time_ns: sample.time_ns,
                    period: sample.period,
                    call_chain: &sample.call_chain,
                    branches: &sample.branches,
                })
            }
        }
    }

    /// Writes all remaining records and gives the file its name.
    pub(crate) fn finish(mut self, summary: &mut Summary) -> Result<(), RecordError> {
        self.write_until(u64::MAX, summary)?;
        if let Some(time) = &self.cpu_time {
            summary.account(time.beside(self.accounted, summary.lost));
        }
        self.files.keep_nameless(summary);
        let mut build_ids = self.files.build_ids();
        build_ids.extend(self.kernel_build_id.take());
        let features = Features {
            build_ids,
            cpu_quota: self.cpu_quota.take(),
            cpu_time: self.cpu_time.take(),
            memory: self.memory.close(),
            code_names: self.made_code.close(),
            operands: self.operands.close(),
            ..machine::features()
        };
        let path = self.reserved.path().to_owned();
        let refused = |source| RecordError::Output {
            path: path.clone(),
            source,
        };
        if let Some(writer) = self.writer.take() {
            writer.finish(&features).map_err(refused)?;
        }
        summary.bytes = self.reserved.give_name()?;
        Ok(())
    }
}

fn in_walk(walked: &FxHashMap<i32, VecDeque<(u64, u64)>>, tid: i32, time_ns: u64) -> bool {
    walked.get(&tid).is_some_and(|intervals| {
        intervals
            .iter()
            .any(|(began, ended)| (*began..=*ended).contains(&time_ns))
    })
}
