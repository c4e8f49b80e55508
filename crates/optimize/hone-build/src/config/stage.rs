//! Stages of a run that the tables of `hone.toml` decide: builds, recordings for profiles, or only the comparison of builds.

use super::ConfigError;

/// A stage of a run. A change of one stage changes all later stages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Source code, the way to compile it, and the check that a build must pass.
    Building,
    /// Workloads and servers that profiles are recorded from.
    Training,
    /// Workloads that are compared, the time for measuring, and the levers that are tried.
    Measuring,
}

impl Stage {
    /// All stages in their order.
    pub const ALL: [Self; 3] = [Self::Building, Self::Training, Self::Measuring];

    /// Returns the tables of `hone.toml` that decide the stage.
    fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Building => &["program", "build", "check", "dependency"],
            Self::Training => &["server", "backend", "train"],
            Self::Measuring => &["measure", "ladder"],
        }
    }

    /// Returns the stage's part of the text of a `hone.toml`, the same for files that differ only in comments and formatting.
    ///
    /// # Errors
    /// [`ConfigError::Syntax`] for text that is not TOML.
    pub fn part_of(self, text: &str) -> Result<String, ConfigError> {
        let mut file: toml::Table = toml::from_str(text)?;
        file.retain(|name, _| self.tables().contains(&name));
        Ok(format!("{file:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[program]\nname = \"a\"\n[[train]]\nname = \"t\"\n[ladder]\nlayouts = 2\n";

    /// Returns the stages that a replacement in the text changes.
    fn changed(from: &str, to: &str) -> Vec<Stage> {
        let other = FILE.replace(from, to);
        assert_ne!(other, FILE);
        let differs =
            |stage: &Stage| stage.part_of(FILE).unwrap() != stage.part_of(&other).unwrap();
        Stage::ALL.into_iter().filter(differs).collect()
    }

    #[test]
    fn a_table_changes_its_own_stage() {
        assert_eq!(changed("\"a\"", "\"b\""), [Stage::Building]);
        assert_eq!(changed("\"t\"", "\"u\""), [Stage::Training]);
        assert_eq!(changed("= 2", "= 3"), [Stage::Measuring]);
        assert_eq!(changed("[ladder]", "# so be it\n[ladder]"), []);
    }

    #[test]
    fn every_table_of_the_file_has_a_stage() {
        let tables = Stage::ALL.map(Stage::tables).concat();
        let error = toml::from_str::<super::super::RawProject>("[nothing]").err();
        let message = error.map(|error| error.to_string()).unwrap_or_default();
        let known = message
            .split_once("expected one of")
            .map(|(_, known)| known);
        let known: Vec<_> = known
            .unwrap_or_default()
            .split('`')
            .skip(1)
            .step_by(2)
            .collect();
        assert!(!known.is_empty(), "{message}");
        for table in known {
            assert!(tables.contains(&table), "{table}: {message}");
        }
    }
}
