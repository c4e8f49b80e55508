//! One profile of several files: a program, and libraries that were built with it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use hone_fdo::{Converted, Evidence, FdoError, Recorded, find_binaries};
use hone_symbols::Binary;

use super::words::{explained, sentence};
use super::{Keys, converted, load_keyed};
use crate::debug_file::Loaded;
use crate::recording::{EventChoice, read_all};

/// What a profile is made from.
pub(super) struct Source<'a> {
    pub(super) recordings: &'a [PathBuf],
    pub(super) events: &'a EventChoice,
    pub(super) evidence: Evidence,
    pub(super) keys: Keys,
}

/// A profile of several files.
pub(crate) struct Joined {
    pub(crate) converted: Converted,
    /// Lines on the files beside the first, and on those that are left out.
    pub(crate) notes: String,
}

impl Source<'_> {
    /// The profile of these files. One of several that cannot be converted costs its part; an error if none can.
    pub(super) fn joined(&self, files: &[Loaded]) -> Result<Joined> {
        if let [file] = files {
            let converted =
                load_keyed(self.recordings, file, self.events, self.evidence, self.keys)?;
            return Ok(Joined {
                converted,
                notes: String::new(),
            });
        }
        let mut joined: Option<Joined> = None;
        let mut notes = String::new();
        let mut failed = None;
        for file in files {
            let name = name_of(file.path());
            match self.of_one(file)? {
                Ok(part) => match &mut joined {
                    Some(joined) => notes += &joined.take_in(part, &name),
                    None => {
                        joined = Some(Joined {
                            converted: part,
                            notes: String::new(),
                        });
                    }
                },
                Err(error) => {
                    let _ = writeln!(notes, "{name} is left out of the profile: {error}");
                    failed.get_or_insert_with(|| explained(error, self.recordings, file));
                }
            }
        }
        match joined {
            Some(joined) => Ok(Joined { notes, ..joined }),
            None => Err(failed.unwrap_or_else(|| anyhow!("there is no file to convert"))),
        }
    }

    /// One of several files, from the recordings that saw it.
    fn of_one(&self, file: &Loaded) -> Result<Result<Converted, FdoError>> {
        let recorded = read_all(self.recordings, file, self.events)?;
        let those = match Binary::parse(file.image()) {
            Ok(binary) => those_that_saw(recorded, &binary, file.path()),
            Err(error) => return Ok(Err(error.into())),
        };
        Ok(converted(&those, file, self.evidence, self.keys))
    }
}

/// The recordings with samples of a file; all of them where none has any, and the error is theirs.
fn those_that_saw(recorded: Vec<Recorded>, binary: &Binary<'_>, path: &Path) -> Vec<Recorded> {
    let saw = |recorded: &Recorded| find_binaries(recorded, binary, path.to_str()).is_ok();
    match recorded.iter().any(saw) {
        true => recorded.into_iter().filter(saw).collect(),
        false => recorded,
    }
}

impl Joined {
    /// Adds another file; gives what is to be said of it.
    fn take_in(&mut self, mut part: Converted, name: &str) -> String {
        let mut notes = String::new();
        for warning in std::mem::take(&mut part.warnings) {
            if !self.converted.warnings.contains(&warning) {
                let _ = writeln!(notes, "{name}: {}", sentence(&warning));
            }
        }
        let differ = self.converted.take_in(part);
        if differ > 0 {
            let _ = writeln!(
                notes,
                "{name}: {differ} functions have the names of others with another control flow; the heavier one of each two is in the profile"
            );
        }
        notes
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}
