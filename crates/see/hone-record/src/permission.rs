//! Checks whether the recorder may look into a process, and names the obstacle if not.

use crate::error::RecordError;
use crate::procfs;
use crate::sys::{memory, ptrace};
use std::io;
use std::thread;
use std::time::{Duration, Instant};

/// Time after which another tracer of the process counts as permanent. A second recording holds the process
/// for the time of a look, a debugger for good.
const GLIMPSE: Duration = Duration::from_millis(500);

/// Tries the actions of the walker: reading the memory of a process and attaching to it. The process notices
/// neither.
pub(crate) fn to_walk(pid: i32) -> Result<(), RecordError> {
    let deadline = Instant::now() + GLIMPSE;
    loop {
        match try_to_walk(pid) {
            Err(_) if Instant::now() < deadline => thread::sleep(Duration::from_millis(3)),
            answer => return answer,
        }
    }
}

fn try_to_walk(pid: i32) -> Result<(), RecordError> {
    let refused = |why| Err(RecordError::MayNotWalk { pid, why });
    if let Some(tracer) = procfs::tracer_of(pid) {
        let name = procfs::comm(tracer).map_or(String::new(), |name| format!(" ({name})"));
        return refused(format!(
            "process {tracer}{name} traces it already, and only one can"
        ));
    }
    let Some(mapping) = procfs::mappings(pid).into_iter().next() else {
        return refused(format!("its mappings cannot be read; {}", needs()));
    };
    if let Err(error) = memory::read(pid, mapping.start, &mut [0; 1])
        && error.raw_os_error() == Some(libc::EPERM)
    {
        return refused(format!("its memory cannot be read ({error}); {}", needs()));
    }
    match try_attach(pid) {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => {
            refused(format!("it may not be traced ({error}); {}", needs()))
        }
        _ => Ok(()),
    }
}

/// Tries to attach. A thread that ends leaves nothing attached behind, so a trial on its own thread needs no stop.
fn try_attach(pid: i32) -> io::Result<()> {
    thread::Builder::new()
        .spawn(move || ptrace::seize_alone(pid))?
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the trial failed")))
}

fn needs() -> String {
    let scope: Option<i32> = procfs::setting("kernel/yama/ptrace_scope");
    let usual = "root, CAP_SYS_PTRACE, or the same user";
    match scope {
        Some(scope) if scope > 0 => {
            format!("{usual} with kernel.yama.ptrace_scope=0 (it is {scope}) may do that")
        }
        _ => format!("{usual} may do that"),
    }
}
