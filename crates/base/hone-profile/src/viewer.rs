//! Files that viewers open, read back: stacks of names with their weights, and no addresses.
//!
//! They are what `hone view --to` writes and many other tools too. What the files do not have stays empty: processes and files of
//! code in folded text, source lines in those of the Firefox Profiler. Only sampled stacks are read; lists of events that open
//! and close are not.

mod firefox;
mod folded;
mod speedscope;

use crate::branch_stacks::BranchStacks;
use crate::limits::{CALL_CHAIN_MAX, SAMPLE_TIMES_MAX};
use crate::own_names::OwnName;
use crate::profile::{
    Binary, BinaryKind, Event, EventId, Location, LocationId, Profile, Sample, StackEnd, StackId,
    Thread,
};
use crate::{address::FileOffset, binary_kind};

pub(crate) use folded::line as folded_line;

pub use firefox::read as read_firefox;
pub use folded::read as read_folded;
pub use speedscope::read as read_speedscope;

/// File of functions of which the viewer's file names none.
const NO_FILE: &str = "[unknown]";

/// Reason why a viewer's file could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ViewerError {
    /// No stack of the file has a weight.
    #[error("it has no stack with a weight")]
    NoStacks,
    /// The JSON is broken, or has another form.
    #[error("it is no whole file of {viewer}: {problem}")]
    Form {
        /// Name of the viewer.
        viewer: &'static str,
        /// Description of the problem.
        problem: String,
    },
    /// The profile is a list of events, not of samples.
    #[error("its profiles are lists of calls and returns, and not of samples")]
    NotSampled,
}

/// A function, and where its code lies as far as the file tells; empty texts and zero where it does not.
#[derive(Clone, Copy, Default)]
struct Named<'n> {
    function: &'n str,
    binary: &'n str,
    file: &'n str,
    line: u32,
}

/// A profile of one event in the making.
struct Making {
    profile: Profile,
}

impl Making {
    fn new(event: &str) -> Self {
        let mut profile = Profile::default();
        profile.events.push(Event {
            name: event.to_owned(),
            branches: BranchStacks::None,
        });
        Self { profile }
    }

    /// Returns the place of a function.
    fn place(&mut self, named: Named<'_>) -> LocationId {
        let Named { function, .. } = named;
        let end = StackEnd::of_name(function).and_then(StackEnd::binary);
        if let Some(end) = end {
            let binary = self.profile.intern_binary(end);
            return self.profile.intern_location(binary, FileOffset(0));
        }
        let is_bracketed = function.starts_with('[') && function.ends_with(']');
        let path = match named.binary {
            "" if is_bracketed => function,
            "" => NO_FILE,
            binary => binary,
        };
        let binary = self.profile.intern_binary(Binary {
            path: path.to_owned(),
            build_id: None,
            kind: match binary_kind::is_kernel(path) {
                true => BinaryKind::Kernel,
                false => binary_kind::of_user_mapping(path),
            },
        });
        let name = OwnName {
            function,
            file: named.file,
            line: named.line,
        };
        let name = self.profile.intern_name(name, None);
        self.profile.intern(Location::only_named(binary, name))
    }

    /// Adds a sample with its stack, innermost function first; frames beyond the limit are left out.
    fn add(&mut self, thread: Thread, innermost_first: &[LocationId], times: u64, weight: u64) {
        let kept = &innermost_first[..innermost_first.len().min(CALL_CHAIN_MAX)];
        let mut stack: Option<StackId> = match kept.len() < innermost_first.len() {
            true => self.profile.intern_end(StackEnd::Truncated),
            false => None,
        };
        for &location in kept.iter().rev() {
            stack = Some(self.profile.intern_frame(location, stack));
        }
        let (Some(&ip), true) = (kept.first(), weight > 0) else {
            return;
        };
        let thread = self.profile.intern_thread(thread);
        self.profile.samples.push(Sample {
            event: EventId(0),
            thread,
            time_ns: 0,
            weight,
            times: times.clamp(1, SAMPLE_TIMES_MAX),
            ip,
            stack,
            branches: 0..0,
        });
    }

    fn finish(self) -> Result<Profile, ViewerError> {
        match self.profile.samples.is_empty() {
            true => Err(ViewerError::NoStacks),
            false => Ok(self.profile),
        }
    }
}
