//! One profile of several files: a program, and libraries that were built with it.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use hone_fdo::{Converted, FdoError, find_binaries};
use hone_symbols::Binary;

use super::words::{explain_of, sentence};
use super::{Keys, Request, converted};
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::read_all;

/// A profile of several files.
pub struct Joined {
    /// The profile, with what was counted and lost on the way.
    pub converted: Converted,
    /// Lines on the files beside the first, and on those that are left out.
    pub notes: String,
}

/// The profile of a program and its libraries. One of several files that cannot be converted costs its part; an error if
/// none can.
pub(super) fn joined(request: &Request, keys: Keys) -> Result<Joined> {
    let mut whole: Option<Converted> = None;
    let mut failed = None;
    let mut notes = String::new();
    for file in request.loaded()? {
        let name = file.path().file_name().unwrap_or_default().display();
        match (of_file(request, keys, &file)?, &mut whole) {
            (Ok(part), Some(whole)) => notes += &take_in(whole, part, &name.to_string()),
            (Ok(part), None) => whole = Some(part),
            (Err(error), _) => {
                let _ = writeln!(notes, "{name} is left out of the profile: {error}");
                failed.get_or_insert_with(|| explain_of(error, &request.recordings, file.path()));
            }
        }
    }
    match whole {
        Some(converted) => Ok(Joined { converted, notes }),
        None => Err(failed.unwrap_or_else(|| anyhow!("there is no file to convert"))),
    }
}

/// One file; of several from the recordings that saw it, for not every recording needs to have seen each.
fn of_file(request: &Request, keys: Keys, file: &Loaded) -> Result<Result<Converted, FdoError>> {
    let mut recorded = read_all(&request.recordings, file, &request.events)?;
    if !request.program.libraries.is_empty() {
        let binary = match Binary::parse(file.image()) {
            Ok(binary) => binary,
            Err(error) => return Ok(Err(error.into())),
        };
        let saw = |recorded: &_| find_binaries(recorded, &binary, file.path().to_str()).is_ok();
        // Where none did, the error is theirs.
        if recorded.iter().any(saw) {
            recorded.retain(saw);
        }
    }
    Ok(converted(&recorded, file, request.evidence, keys))
}

/// Adds another file; gives what is to be said of it.
fn take_in(whole: &mut Converted, mut part: Converted, name: &str) -> String {
    let mut notes = String::new();
    for warning in std::mem::take(&mut part.warnings) {
        if !whole.warnings.contains(&warning) {
            let _ = writeln!(notes, "{name}: {}", sentence(&warning));
        }
    }
    let differ = whole.take_in(part);
    if differ > 0 {
        let _ = writeln!(
            notes,
            "{name}: {differ} functions have the names of others with another control flow; the heavier one of each two is in the profile"
        );
    }
    notes
}
