//! Sources of IP samples: sibling files, one chosen for a recording.

pub(crate) mod attr;
pub(crate) mod cost;
pub(crate) mod perf;
pub(crate) mod timer;
