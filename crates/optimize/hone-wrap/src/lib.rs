//! Runs a build behind compiler wrappers: any build system, without a change to it, with the flags that levers add.
//!
//! | module | content |
//! |---|---|
//! | [`any_build`] | any build run behind the wrappers, with the flags of a winner |
//! | [`install`] | the wrappers in a directory, and the environment in which a build finds them |
//! | [`compiler`] | this program called as a compiler, linker or archiver |
//! | [`bazel`] | the same for builds by Bazel, which hides the environment from its actions |
//! | `objects` | objects of earlier builds in place of compiling the same again |
//! | [`winner`] | the winner of a finished search, in a form that other builds can use |
//! | [`export`] | the winner as files for other builds |
//!
//! [`hone_build::wrapper`], which opens no file, says which calls are rewritten and how.
#![forbid(unsafe_code)]

pub mod any_build;
pub mod bazel;
pub mod compiler;
pub mod export;
pub mod install;
mod objects;
pub mod winner;
