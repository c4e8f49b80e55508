//! The user's own commands: how they are run, for how long, and what they write.

pub(crate) mod limit;
pub(crate) mod output;
pub(crate) mod shell;
