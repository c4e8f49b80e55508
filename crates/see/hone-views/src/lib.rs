//! Views of a recording: time by function, file, line, thread and label, callers and callees, and changes from one recording to the next.
//!
//! ```text
//! samples --[tally]--> distinct stacks of locations --[names, chosen]--> stacks of named frames
//!                                                                           |
//!                                               [table]  [calls]  [align] -> [diff]  [annotate]  [export]  [page]
//! ```
//!
//! Constraints that shaped this crate:
//! - The crate is pure: recordings come sample by sample ([`StackTally::add`]) and binaries as bytes ([`names_in`]).
//!   Memory grows with distinct stacks and not with the recording.
//! - A share is an estimate: each comes with its standard error, and a change between two recordings with
//!   the chance that it is noise.

#![forbid(unsafe_code)]

mod align;
mod annotate;
mod calls;
mod code;
mod diff;
mod export;
mod findings;
mod labels;
mod name_choice;
mod names;
mod page;
mod source;
mod stacks;
mod table;
mod tally;
mod timeline;

pub use align::align;
pub use annotate::{AnnotatedInstruction, annotate, samples_in, weights_in, weights_of_functions};
pub use calls::{CallTree, Direction, Node, NodeId};
pub use code::{HotFunction, PageCode, hot_functions};
pub use diff::{Change, FALSE_DISCOVERIES, diff};
pub use export::{firefox, folded, pprof, speedscope};
pub use findings::{PageFinding, PageFindings};
pub use names::{NamedFrame, Names, name_and_place, named_stack, names_in, readable};
pub use page::{COLOURS, NAMES, PageRecording, page};
pub use stacks::{
    BROKEN, Frame, FrameId, KERNEL, Stack, Stacks, TRUNCATED, Unknown, is_function, is_time,
};
pub use table::{By, Row, Table, standard_error, table};
pub use tally::{Place, StackTally};
pub use timeline::{Moment, Timeline};
