//! Joins the profiles of several files: a program, and libraries that were built with it.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use hone_fdo::{Converted, FdoError, convert_parsed, convert_probes_parsed, find_binaries};
use hone_symbols::{Binary, DebugInfo};

use super::messages::{explain_of, sentence};
use super::{Keys, Request};
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::read_halves;

/// A profile of several files.
pub struct Joined {
    /// The profile, with what was counted and lost on the way.
    pub converted: Converted,
    /// Notes on the files after the first, and on files that are left out, one per line.
    pub notes: String,
}

/// Converts a program and its libraries to one profile. If one of several files cannot be converted, only its part is
/// missing; an error if no file can be converted.
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

/// Converts one file. If there are several files, uses only the recordings that saw this file, since not every recording
/// needs to have seen each file.
fn of_file(request: &Request, keys: Keys, file: &Loaded) -> Result<Result<Converted, FdoError>> {
    let mut recorded = read_halves(&request.recordings, file, &request.events)?;
    let binary = match Binary::parse(file.image()) {
        Ok(binary) => binary,
        Err(error) => return Ok(Err(error.into())),
    };
    let hint = file.path().to_str();
    if !request.program.libraries.is_empty() {
        let saw = |recorded: &_| find_binaries(recorded, &binary, hint).is_ok();
        // If no recording saw the file, the conversion below reports the error.
        if recorded.iter().any(saw) {
            recorded.retain(saw);
        }
    }
    Ok(match keys {
        Keys::Lines => DebugInfo::parse(&binary)
            .map_err(FdoError::from)
            .and_then(|debug| convert_parsed(&recorded, request.evidence, hint, &binary, &debug)),
        Keys::Probes => convert_probes_parsed(&recorded, hint, &binary),
    })
}

/// Adds the profile of another file; returns notes on it.
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
