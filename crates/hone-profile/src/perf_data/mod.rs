//! perf.data: the kernel's and perf's recording format, read and written.
//!
//! Source of the layouts: the kernel's `include/uapi/linux/perf_event.h` and
//! `tools/perf/Documentation/perf.data-file-format.txt`.

mod reader;
mod writer;

pub use reader::{ReadError, read};
pub use writer::{EventDescription, Features, Mmap2, WalkSample, Writer};
