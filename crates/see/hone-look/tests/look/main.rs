//! Views and rules on recordings that are exact: made by hand, or committed in `testdata/recordings`.

mod code;
mod common;
mod findings;
mod labels;
mod layouts;
mod names;
mod own_names;
mod parts;
mod snapshots;
mod stacks;
