//! The counters: their settings for the kernel, and their description in the file.

use crate::procfs;
use crate::record_bytes::{self as bytes, SAMPLE_TYPE};
use crate::sys::{clock, perf};
use hone_profile::WALK_EVENT;
use hone_profile::perf_data::{
    EventDescription, SoftwareCounter, SoftwareEvent, branch_type, sample_type as sample_type_bits,
};
use perf_event_open_sys::bindings;
use std::hint::black_box;
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

/// Source of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counter {
    /// The processor's cycles in user code.
    Cycles,
    /// The processor's cycles in user code, with the processor's branch records.
    CyclesWithBranches,
    /// A timer of the kernel, on user and kernel code.
    CpuClock,
    /// A timer of the kernel, on user code only.
    CpuClockUser,
}

/// Rate and content of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sampling {
    pub(crate) frequency_hz: u32,
    pub(crate) call_chains: bool,
    /// Number of samples of a CPU for each wake-up of the thread that waits for them; 0 if no thread waits for samples, and
    /// a ring is emptied when it has filled somewhat.
    pub(crate) wakes_every: u32,
    /// True if samples hold the general registers of user code, behind everything else. The registers are for the
    /// walker and are not written to the file.
    pub(crate) registers: bool,
    /// Copy of the user's stack in samples, together with the registers; `None` for no copy.
    pub(crate) copies: Option<StackCopy>,
    /// True if counters are of CPUs, whatever runs there, and not of threads; an idle CPU is not sampled.
    pub(crate) of_cpus: bool,
}

/// Size of the copy of the user's stack in a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StackCopy {
    pub(crate) bytes: u32,
    /// True if copies may be smaller where a ring would hold few of them.
    pub(crate) may_shrink: bool,
    /// True if the kernel follows frame pointers, too, for callers on another stack than the copied one.
    pub(crate) with_chain: bool,
}

impl Sampling {
    /// Returns the fields of samples, without the branch stack.
    fn sample_type(self) -> u64 {
        SAMPLE_TYPE
            | if self.call_chains {
                sample_type_bits::CALLCHAIN
            } else {
                0
            }
    }
}

impl Counter {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cycles | Self::CyclesWithBranches => "cycles:u",
            Self::CpuClock => "cpu-clock",
            Self::CpuClockUser => "cpu-clock:u",
        }
    }

    pub(crate) fn is_hardware(self) -> bool {
        matches!(self, Self::Cycles | Self::CyclesWithBranches)
    }

    /// Returns the value that sets a running counter to this rate.
    pub(crate) fn period(self, frequency_hz: u32) -> u64 {
        match self.is_hardware() {
            true => frequency_hz.into(),
            // A timer's frequency became a period of nanoseconds when the counter was opened.
            false => 1_000_000_000 / u64::from(frequency_hz.max(1)),
        }
    }

    /// Returns the settings of the counter for the kernel.
    pub(crate) fn attr(self, sampling: Sampling) -> perf::Attr {
        let mut attr = perf::Attr::default();
        if self.is_hardware() {
            attr.type_ = bindings::PERF_TYPE_HARDWARE;
            attr.config = bindings::PERF_COUNT_HW_CPU_CYCLES.into();
        } else {
            attr.type_ = bindings::PERF_TYPE_SOFTWARE;
            attr.config = bindings::PERF_COUNT_SW_CPU_CLOCK.into();
        }
        // Period and frequency share the field; the flag says which of them the field holds.
        attr.sample_period = sampling.frequency_hz.into();
        attr.set_freq(1);
        attr.sample_type = sampling.sample_type();
        if self == Self::CyclesWithBranches {
            attr.sample_type |= sample_type_bits::BRANCH_STACK;
            attr.branch_sample_type = branch_type::USER | branch_type::ANY;
        }
        attr.set_exclude_kernel((self != Self::CpuClock).into());
        attr.set_exclude_hv(1);
        // The call chains of a walked recording hold user code only.
        attr.set_exclude_callchain_kernel((sampling.wakes_every > 0).into());
        if let Some(copy) = sampling.copies {
            attr.sample_type |= sample_type_bits::REGS_USER | sample_type_bits::STACK_USER;
            attr.sample_regs_user = bytes::COPIED_REGISTERS;
            attr.sample_stack_user = copy.bytes;
            attr.set_exclude_callchain_user((!copy.with_chain).into());
        }
        attr.set_disabled(1);
        attr.set_inherit((!sampling.of_cpus).into());
        attr.set_exclude_idle(sampling.of_cpus.into());
        attr.set_mmap(1);
        attr.set_mmap2(1);
        attr.set_comm(1);
        attr.set_comm_exec(1);
        attr.set_task(1);
        attr.set_sample_id_all(1);
        attr.set_use_clockid(1);
        attr.clockid = libc::CLOCK_MONOTONIC;
        if sampling.registers {
            attr.sample_type |= sample_type_bits::REGS_USER;
            attr.sample_regs_user = bytes::REGISTERS;
        }
        match sampling.wakes_every {
            0 => attr.set_watermark(1),
            every => attr.wakeup_events = every,
        }
        attr
    }

    /// Checks that the kernel opens this counter for our own thread, and that the counter counts.
    pub(crate) fn probe(self) -> io::Result<()> {
        let mut attr = self.attr(Sampling {
            frequency_hz: 1_000,
            call_chains: true,
            wakes_every: 0,
            registers: false,
            copies: None,
            of_cpus: false,
        });
        attr.set_inherit(0);
        let counter = perf::open(&attr, perf::Who::Thread(0), -1)?;
        if !self.is_hardware() {
            return Ok(());
        }
        perf::enable(counter.as_fd())?;
        let end = clock::monotonic_ns() + Duration::from_millis(2).as_nanos() as u64;
        let mut turns = 0_u64;
        while clock::monotonic_ns() < end {
            turns = black_box(turns + 1);
        }
        perf::disable(counter.as_fd())?;
        match perf::count(counter.as_fd())? {
            0 => Err(io::Error::other("the counter opens, but stays at 0")),
            _ => Ok(()),
        }
    }

    /// Checks that the kernel opens this counter for a CPU, whatever runs there.
    pub(crate) fn probe_cpu(self) -> io::Result<()> {
        let attr = self.attr(Sampling {
            frequency_hz: 1_000,
            of_cpus: true,
            ..Sampling::default()
        });
        let cpu = procfs::online_cpus().first().copied().unwrap_or(0);
        perf::open(&attr, perf::Who::All, cpu).map(drop)
    }

    /// Describes the counter for the file. With `branch_field`, samples have a branch stack, which the recorder
    /// itself adds: the kernel refuses branch stacks on software counters.
    pub(crate) fn description(
        self,
        sampling: Sampling,
        ids: Vec<u64>,
        branch_field: bool,
    ) -> EventDescription {
        let mut attr = self.attr(Sampling {
            registers: false,
            ..sampling
        });
        if branch_field {
            attr.sample_type |= sample_type_bits::BRANCH_STACK;
            attr.branch_sample_type = branch_type::USER | branch_type::ANY;
        }
        EventDescription {
            name: self.name().to_owned(),
            attr: perf::attr_bytes(&attr),
            ids,
        }
    }
}

/// Returns the event of samples taken by timer and ptrace, described as the kernel's timer would be.
pub(crate) fn timer_event(name: &str, sampling: Sampling, branch_field: bool) -> EventDescription {
    let period = 1_000_000_000 / u64::from(sampling.frequency_hz.max(1));
    software(
        name,
        SoftwareCounter::CpuClock,
        period,
        sampling.sample_type(),
        branch_field,
    )
}

/// Returns the event of walked branches: called a task clock, since perf 6.1 prints nothing of dummy events.
pub(crate) fn walk_event(sampling: Sampling) -> EventDescription {
    software(
        WALK_EVENT,
        SoftwareCounter::TaskClock,
        1,
        sampling.sample_type(),
        true,
    )
}

fn software(
    name: &str,
    counter: SoftwareCounter,
    period: u64,
    sample_type: u64,
    branches: bool,
) -> EventDescription {
    let (stack, kinds) = match branches {
        true => (
            sample_type_bits::BRANCH_STACK,
            branch_type::USER | branch_type::ANY,
        ),
        false => (0, 0),
    };
    let event = SoftwareEvent {
        counter,
        period,
        is_frequency: false,
        sample_type: sample_type | stack,
        branch_sample_type: kinds,
    };
    EventDescription {
        name: name.to_owned(),
        attr: event.attr(),
        ids: Vec::new(),
    }
}
