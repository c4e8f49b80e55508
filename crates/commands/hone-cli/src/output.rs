//! Results on standard output: in words or as JSON, in colour or not.

use std::io::Write;

use anyhow::{Context, Result};
use serde::Serialize;

/// True if standard output takes colours: a terminal, whose user does not refuse them.
pub(crate) fn wants_colour() -> bool {
    let refuses = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    console::Term::stdout().is_term() && console::colors_enabled() && !refuses
}

/// Prints a result as JSON, or in words.
pub(crate) fn print<T: Serialize>(
    result: &T,
    json: bool,
    in_words: impl FnOnce() -> String,
) -> Result<()> {
    let text = if json {
        serde_json::to_string_pretty(result)? + "\n"
    } else {
        in_words()
    };
    to_stdout(text.as_bytes())
}

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> Result<()> {
    let written = std::io::stdout().write_all(bytes);
    written.context("standard output")
}
