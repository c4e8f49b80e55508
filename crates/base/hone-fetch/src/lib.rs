//! Fetches from servers, and knows nothing of what comes.
//!
//! | module | content |
//! |---|---|
//! | [`http`] | settings that all requests over HTTP share |
//! | [`debuginfod`] | programs and debug information by build id |
//! | [`hub`] | where the hub is, and times as it is asked for them |
//! | [`progress`] | a bar on the terminal while something large comes |
#![forbid(unsafe_code)]

pub mod debuginfod;
pub mod http;
pub mod hub;
pub mod progress;
