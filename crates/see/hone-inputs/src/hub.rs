//! What a hub has of a service, as an input like a recording: `hub:SERVICE[@BUILD][,FROM..TO]`.
//!
//! [`Query`] is such a name, parsed. A hub answers it with one batch, which [`crate::recording`] counts as it counts a
//! recording; what only single samples tell is not in it.
//! The hub is that of [`hone_fetch::hub`].

mod answer;
mod query;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use hone_batch::{BUCKET_S, Batch, GroupField, whole_buckets};
use hone_files::advice::Advice;
use hone_profile::Profile;

pub use query::{Query, QueryError};

/// Length of the steps of time in which a hub adds samples up, in nanoseconds.
pub const STEP_NS: u64 = BUCKET_S * 1_000_000_000;

/// Returns true if a path is the name of something in a hub, and of no file. A file with such a name is called by its
/// directory too: `./hub:file`.
pub fn is_hub(path: &Path) -> bool {
    path.to_str().is_some_and(Query::is_name)
}

/// Parses the name of something in a hub.
///
/// # Errors
///
/// Returns an error that says how such names are written.
pub fn query_of(path: &Path) -> Result<Query> {
    let parsed = Query::parse(&path.to_string_lossy());
    parsed.map_err(advised)
}

/// Returns the length of the time that the name of something in a hub asks for, in seconds; `None` for other paths.
pub fn seconds_of(path: &Path) -> Option<u64> {
    let query = query_of(path).ok().filter(|_| is_hub(path))?;
    let span_s = query.span_s(answer::now_s()).ok()?;
    let asked = whole_buckets(&span_s)?;
    Some(asked.end - asked.start)
}

/// Returns the builds of the program that what a hub has is of, as far as they are known.
pub fn builds(profile: &Profile) -> BTreeSet<&str> {
    let labels = profile
        .threads
        .iter()
        .flat_map(|thread| thread.labels.iter());
    let builds = labels.filter(|label| *label.key == *GroupField::Build.name());
    builds.map(|label| &*label.value).collect()
}

/// Asks the hub. The same question is asked once: all who ask in this process get the same answer.
pub(crate) fn fetch(query: &Query) -> Result<Batch> {
    answer::fetch(query)
}

/// Asks the hub for what is no batch, such as `/v1/series`; returns its answer.
///
/// # Errors
///
/// Returns an error if no hub answers, or if it refuses.
pub fn get(path: &str, parameters: &[(&str, String)]) -> Result<Vec<u8>> {
    answer::get(path, parameters)
}

/// Adds the next step.
fn advised(error: QueryError) -> anyhow::Error {
    let next = match &error {
        QueryError::NoService => "name the service, as in hub:checkout",
        QueryError::Build { .. } => {
            "write the first hexadecimal digits of the program's build id, as in hub:checkout@1f3a; hone top --by \
             label:build lists the ids. An @ that belongs to the service is written %40"
        }
        QueryError::Escape => "write %25 for the sign itself",
        QueryError::Span { .. } => {
            "write two dots between both ends, of which one may be left out: hub:checkout,-2d..-1d or hub:checkout,-6h... \
             A comma that belongs to the service is written %2C"
        }
        QueryError::Time(_) => {
            "write it as 2026-11-26T10:00:00Z, as seconds since 1970, as -1d, -6h, -30m or -90s before now, or as now"
        }
        QueryError::Backwards => "write the earlier time first",
    };
    Advice::error(error, next)
}
