//! perf events, ring buffers, ptrace and the walker, with the unsafe code that they need.
//!
//! This crate promises that the memory of the target is never written to, that the target is never killed, and that
//! the cost of a recording is part of its summary. The exceptions, all of which concern commands that the
//! recorder starts itself, are listed in `docs/internals/recording.md`.
//!
//! One recording: [`run`](self) decides how to record, `command` starts the child at a gate, `sampler`
//! opens counters or sets a timer, `traced` moves the walker, `output` sorts and writes. System calls are
//! wrapped in `sys`, and nothing outside `sys` is unsafe.

#![deny(unsafe_code)]

mod announcements;
mod busy;
mod capabilities;
mod cgroup;
mod code_changes;
mod command;
mod copy_size;
mod cpu_times;
mod error;
mod former_file;
mod generated_code;
mod inheritance;
mod kernel;
mod live_processes;
mod machine;
mod mapped_files;
mod members;
mod memory;
mod operands;
mod options;
mod output;
mod permission;
mod procfs;
mod progress;
mod quota;
mod random;
mod rate;
mod record_bytes;
mod reorder_buffer;
mod reserved;
mod run;
mod sampler;
mod summary;
#[allow(unsafe_code)]
mod sys;
mod traced_run;
mod tracer;
mod unwinding;
mod user_time;
mod vdso;
mod walked;
mod walker;

pub use capabilities::{Capabilities, Probe, capabilities};
pub use cgroup::cgroup2_mount;
pub use error::RecordError;
pub use generated_code::perf_map;
pub use kernel::{kernel_build_id, kernel_release};
pub use options::{
    BranchSource, CallGraph, Engine, Options, STACK_BYTES_KEPT, STACK_BYTES_MAX, Sampler, Snapshot,
    Target,
};
pub use quota::cpu_quota;
pub use summary::Summary;
pub use user_time::UserTime;
pub use vdso::vdso;

use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;

/// Records until the target ends (the last one of several processes), `duration_s` passes or `stop` becomes true,
/// and reports numbers to `progress` a few times a second.
///
/// A command that ends before a single sample gives a file without samples and a warning, not an error.
/// A command that still runs at the end of the recording, or when an error occurs, is released and runs on.
pub fn record(
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Summary),
) -> Result<Summary, RecordError> {
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<Summary>();
        let recorder = thread::Builder::new()
            .name("hone-record".to_owned())
            .spawn_scoped(scope, move || {
                // A receiver that is gone wants no more reports.
                run::run(options, stop, &|summary| drop(sender.send(summary.clone())))
            })
            .map_err(error::system("clone"))?;
        for summary in receiver {
            progress(&summary);
        }
        recorder
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
