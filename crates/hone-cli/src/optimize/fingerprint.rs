//! Whatever changes the meaning of finished work, in parts, so that a run that cannot be resumed says why.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::source::Source;
use super::{Args, project_file};
use crate::doctor::tools::Tools;

/// Variables that builds take their compilers and flags from.
const FLAG_VARIABLES: &[&str] = &[
    "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PATH",
];

/// A hash for each part, by its name for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fingerprint(BTreeMap<String, String>);

/// Names of the parts, in the order in which they are told.
const PARTS: &[&str] = &[
    "hone.toml",
    "the source",
    "the options of the command",
    "the given recording",
    "a compiler variable or PATH",
    "an installed tool",
    "Hone itself",
];

/// Takes the fingerprint of a run that is to be made, on the program's source and those of its dependencies.
pub(super) fn take<'a>(
    args: &Args,
    sources: impl Iterator<Item = &'a Source>,
    tools: &Tools,
) -> Result<Fingerprint> {
    let mut tree = Sha256::new();
    for source in sources {
        source.digest(&mut tree)?;
    }
    let options = format!(
        "{:?}",
        (
            args.sampling_only,
            args.seed,
            args.layout_seed,
            &args.levers,
            args.seconds
        )
    );
    let recording = args.profile.iter().chain(&args.profile_binary).map(|path| {
        let metadata = fs::metadata(path).ok();
        let facts = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        format!("{path:?} {facts:?}\n")
    });
    let variables = FLAG_VARIABLES
        .iter()
        .map(|name| format!("{name}={:?}\n", std::env::var_os(name)));
    let tools = tools
        .named()
        .map(|(name, tool)| format!("{name} {} {}\n", tool.version, tool.path.display()));
    Ok(Fingerprint::of(&[
        (
            "hone.toml",
            &fs::read(project_file(args)).context("hone.toml")?,
        ),
        ("the source", &tree.finalize()),
        ("the options of the command", options.as_bytes()),
        (
            "the given recording",
            recording.collect::<String>().as_bytes(),
        ),
        (
            "a compiler variable or PATH",
            variables.collect::<String>().as_bytes(),
        ),
        ("an installed tool", tools.collect::<String>().as_bytes()),
        ("Hone itself", env!("CARGO_PKG_VERSION").as_bytes()),
    ]))
}

impl Fingerprint {
    /// The fingerprint of these parts.
    pub(super) fn of(parts: &[(&str, &[u8])]) -> Self {
        let hash = |bytes: &[u8]| hex::encode(Sha256::digest(bytes));
        let parts = parts.iter();
        Self(
            parts
                .map(|(name, bytes)| (name.to_string(), hash(bytes)))
                .collect(),
        )
    }

    /// The parts that are different from an earlier run's.
    pub(super) fn changed_since(&self, earlier: &Self) -> Vec<&'static str> {
        let differs = |part: &&&str| self.0.get(**part) != earlier.0.get(**part);
        PARTS.iter().filter(differs).copied().collect()
    }
}
