//! Recordings opened for views and rules: read, their stacks named by the files that were recorded, and what views and rules
//! need of these files.
//!
//! | module | content |
//! |---|---|
//! | [`selection`] | which samples are looked at, and which files give the names |
//! | [`recording`] | a recording counted by stacks, and the event to look at |
//! | [`binaries`] | the files that were recorded, each opened and parsed once for a question; a file that the user names |
//! | [`named`] | stacks with names, and what has none |
//! | [`inspected`] | what the rules of `hone diagnose` examine |
//! | [`annotated`] | the code of one function with the time that went there |
//! | [`page_code`] | the code of the hottest functions, for the page of `hone view` |
//! | [`laid_out`] | how the code of a binary lies, by recordings of it |
//! | [`cache`] | this CPU's cache for instructions, and the text form of caches |
//! | [`function_pattern`] | functions that the user means |
//!
//! The crate returns facts; the command has the words for them.
#![forbid(unsafe_code)]

pub mod annotated;
pub mod binaries;
pub mod cache;
pub mod function_pattern;
mod generated_code;
mod kernel;
pub mod laid_out;
mod memo;
pub mod names;
pub mod page_code;
pub mod recording;
pub mod selection;
pub mod subject;
