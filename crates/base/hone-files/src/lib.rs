//! What every command does with files, and what it says where that fails.
//!
//! | module | content |
//! |---|---|
//! | [`advice`] | errors that say what to do next |
//! | [`files`] | results written whole or not at all, trees copied, programs in PATH |
//! | [`companions`] | binaries `hone-X` beside hone or in PATH |
//! | [`libraries`] | shared libraries that are installed |
#![forbid(unsafe_code)]

pub mod advice;
pub mod companions;
pub mod files;
pub mod libraries;
