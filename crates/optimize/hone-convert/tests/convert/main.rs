//! Conversions on recordings that are exact: made by hand, or committed in `testdata/recordings`. What compilers and reference
//! tools make of the profiles is compared where such a tool is installed.

mod addresses;
mod binaries;
mod common;
mod damaged;
mod events;
mod exact;
mod forms;
mod judged;
mod libraries;
mod memops;
mod merged;
mod recordings;
mod split;
mod tools;
