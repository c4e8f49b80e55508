//! A recording that the user brings, for example from production, and the recorded binary.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_inputs::hub::is_hub;
use hone_symbols::{Binary, Probes};

use hone_files::advice::Advise;

/// A recording and its binary.
#[derive(Clone)]
pub(crate) struct Brought {
    pub(crate) recording: PathBuf,
    pub(crate) binary: PathBuf,
}

impl Brought {
    /// Takes the recording with the binary that was named, or else with the binary that the recording names.
    pub(crate) fn new(recording: &Path, binary: Option<&Path>) -> Result<Self> {
        let recording = match is_hub(recording) {
            true => recording.to_owned(),
            false => recording
                .canonicalize()
                .with_context(|| recording.display().to_string())
                .next("name a perf.data file with branch stacks")?,
        };
        let binary = match binary {
            Some(binary) => binary.to_owned(),
            None => hone_convert::recorded_binary(&recording)?,
        };
        Ok(Self { recording, binary })
    }

    /// True if the binary has pseudo-probes.
    pub(crate) fn has_probes(&self) -> bool {
        let has = |bytes: Vec<u8>| {
            let binary = Binary::parse(&bytes).ok()?;
            Some(Probes::parse(&binary).ok()?.is_some())
        };
        fs::read(&self.binary).ok().and_then(has) == Some(true)
    }
}
