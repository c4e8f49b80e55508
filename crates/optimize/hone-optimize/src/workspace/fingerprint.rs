//! Fingerprint of everything that changes the meaning of finished work, in parts: a run that cannot be resumed names the
//! changed parts, and keeps the work that they do not affect.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use hone_build::config::Stage;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Request;
use crate::source::Source;
use hone_run::tools::Tools;

/// Variables that builds take their compilers and flags from.
const FLAG_VARIABLES: &[&str] = &[
    "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PATH",
];

/// A hash for each part, by its name for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint(BTreeMap<String, String>);

/// Names of the parts with the first stage that each decides, in the order in which they are reported.
const PARTS: &[(&str, Stage)] = &[
    (BUILDING_TABLES, Stage::Building),
    (TRAINING_TABLES, Stage::Training),
    (MEASURING_TABLES, Stage::Measuring),
    ("the source", Stage::Building),
    ("the layout", Stage::Building),
    ("the options of the command", Stage::Measuring),
    ("the given recording", Stage::Training),
    ("a compiler variable or PATH", Stage::Building),
    ("an installed tool", Stage::Building),
    ("Hone itself", Stage::Building),
];
const BUILDING_TABLES: &str = "the program or its build in hone.toml";
pub(crate) const TRAINING_TABLES: &str = "the server or the training in hone.toml";
pub(crate) const MEASURING_TABLES: &str = "the measuring in hone.toml";

/// Differences from an earlier run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Names of the changed parts.
    pub(crate) parts: Vec<&'static str>,
    /// The first stage that the changed parts decide; `None` if nothing is different.
    pub(crate) first: Option<Stage>,
}

/// Takes the fingerprint of a run, over the program's source and the sources of its dependencies.
pub(crate) fn take<'a>(
    request: &Request,
    sources: impl Iterator<Item = &'a Source>,
    tools: &Tools,
) -> Result<Fingerprint> {
    let project_file = request.project_file();
    let mut tree = Sha256::new();
    for source in sources {
        source.digest(&mut tree, &project_file)?;
    }
    let options = format!(
        "{:?}",
        (
            request.sampling_only,
            request.seed,
            &request.levers,
            request.seconds
        )
    );
    let recording = request.profile.iter().chain(&request.binary).map(|path| {
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
    let file = fs::read_to_string(&project_file).context("hone.toml")?;
    let tables = |stage: Stage| stage.part_of(&file).context("hone.toml");
    Ok(Fingerprint::of(&[
        (BUILDING_TABLES, tables(Stage::Building)?.as_bytes()),
        (TRAINING_TABLES, tables(Stage::Training)?.as_bytes()),
        (MEASURING_TABLES, tables(Stage::Measuring)?.as_bytes()),
        (
            "the layout",
            format!("{:?}", request.layout_seed).as_bytes(),
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
    /// Computes the fingerprint of parts.
    pub(crate) fn of(parts: &[(&str, &[u8])]) -> Self {
        let hash = |bytes: &[u8]| hex::encode(Sha256::digest(bytes));
        let parts = parts.iter();
        Self(
            parts
                .map(|(name, bytes)| (name.to_string(), hash(bytes)))
                .collect(),
        )
    }

    /// Lists the differences from an earlier run's fingerprint.
    pub(crate) fn changes_since(&self, earlier: &Self) -> Changes {
        let differs = |part: &&(&str, Stage)| self.0.get(part.0) != earlier.0.get(part.0);
        let changed = PARTS.iter().filter(differs);
        Changes {
            parts: changed.clone().map(|(name, _)| *name).collect(),
            first: changed.map(|(_, stage)| *stage).min(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stage_that_changed_is_where_the_run_begins_again() {
        let of = |measuring: &str, recording: &str| {
            Fingerprint::of(&[
                (MEASURING_TABLES, measuring.as_bytes()),
                ("the given recording", recording.as_bytes()),
            ])
        };
        let changes = |measuring, recording| of(measuring, recording).changes_since(&of("a", "r"));
        assert_eq!(changes("a", "r").first, None);
        assert_eq!(changes("b", "r").first, Some(Stage::Measuring));
        assert_eq!(
            changes("b", "s"),
            Changes {
                parts: vec![MEASURING_TABLES, "the given recording"],
                first: Some(Stage::Training),
            }
        );
        // A fingerprint of an older form has none of the parts.
        let none = Fingerprint::default();
        assert_eq!(
            of("a", "r").changes_since(&none).first,
            Some(Stage::Training)
        );
    }
}
