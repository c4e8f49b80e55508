//! perf.data: the kernel's and perf's recording format, read and written.
//!
//! Source of the layouts: the kernel's `include/uapi/linux/perf_event.h` and
//! `tools/perf/Documentation/perf.data-file-format.txt`.

mod assemble;
mod attr;
pub(crate) mod bytes;
mod decompress;
mod encode;
mod event_table;
mod facts;
mod format;
mod header;
mod mapping;
mod named_code;
mod order;
mod pass;
mod reader;
mod sample;
mod source;
mod tasks;
mod user_copy;
mod write_features;
mod writer;

pub use attr::{SoftwareCounter, SoftwareEvent};
pub use format::{branch_type, sample_type};
pub use reader::{ReadError, read, stream, stream_parts, stream_unwound};
pub use user_copy::{MappedAt, ProcessView, Unwind, UserCopy, UserRegisters, end_address};
pub use writer::{EventDescription, Features, Mmap2, WalkSample, WalkedBranch, Writer};
