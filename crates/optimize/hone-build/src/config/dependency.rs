//! `[[dependency]]`: a library of the program whose source is available.

use super::{ConfigError, filled, inside_tree};
use crate::lever::Dependency;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDependency {
    name: String,
    source: PathBuf,
    #[serde(default)]
    exclude: Vec<PathBuf>,
    command: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    archive: PathBuf,
    #[serde(default)]
    link: Vec<String>,
}

/// Validates the dependencies of a project.
pub(super) fn all(raw: Vec<RawDependency>) -> Result<Vec<Dependency>, ConfigError> {
    let mut all: Vec<Dependency> = Vec::new();
    for raw in raw {
        let dependency = one(raw)?;
        let same = |known: &Dependency| known.name == dependency.name;
        if all.iter().any(same) {
            let name = dependency.name;
            return Err(ConfigError::RepeatedDependency { name });
        }
        all.push(dependency);
    }
    Ok(all)
}

fn one(raw: RawDependency) -> Result<Dependency, ConfigError> {
    filled("dependency.name", &raw.name)?;
    let key = |key: &str| format!("dependency.{}.{key}", raw.name);
    // The name becomes part of the names of directories and levers.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if !raw.name.chars().all(is_plain) || raw.name.starts_with('.') {
        return Err(ConfigError::NotOneOf {
            key: "dependency.name".into(),
            value: raw.name,
            expected: "letters, digits, dots, hyphens and underscores, and no dot in front",
        });
    }
    filled(&key("command"), &raw.command)?;
    if raw.source.as_os_str().is_empty() {
        return Err(ConfigError::Empty { key: key("source") });
    }
    inside_tree(&key("archive"), &raw.archive)?;
    for path in &raw.exclude {
        inside_tree(&key("exclude"), path)?;
    }
    let archive_key = key("archive");
    let dependency = Dependency {
        name: raw.name,
        source: raw.source,
        exclude: raw.exclude,
        command: raw.command,
        env: raw.env,
        archive: raw.archive,
        link: raw.link,
    };
    if dependency.library().is_none() {
        return Err(ConfigError::NotOneOf {
            key: archive_key,
            value: dependency.archive.to_string_lossy().into_owned(),
            expected: "the path of a static archive, such as lib/libz.a",
        });
    }
    Ok(dependency)
}

#[cfg(test)]
mod tests {
    use crate::config::Project;

    const PROJECT: &str = "[program]\nname = \"p\"\nbinary = \"p\"\n[build]\ncommand = \"make\"\n\
        [[train]]\nname = \"t\"\ncommand = \"a\"\n[[measure]]\nname = \"m\"\ncommand = \"b\"\n";
    const ZLIB: &str = "[[dependency]]\nname = \"zlib\"\nsource = \"../zlib\"\n\
        command = \"make install prefix={prefix}\"\narchive = \"lib/libz.a\"\n";

    #[test]
    fn a_dependency_makes_two_levers() {
        let project = Project::parse(&format!("{PROJECT}{ZLIB}")).unwrap();
        let [levers] = &project.dependencies[..] else {
            panic!("{:?}", project.dependencies)
        };
        let dependency = levers[1].rebuilds.unwrap().of;
        assert_eq!(dependency.library(), Some("z"));
        assert!(dependency.installs());
        let ids = levers.map(|lever| lever.id);
        assert_eq!(ids, ["zlib-from-source", "zlib-rebuilt"]);
    }

    #[test]
    fn bad_values_are_refused_with_their_key() {
        for (from, to, expected) in [
            ("\"zlib\"", "\"a/b\"", "dependency.name"),
            ("\"zlib\"", "\"..\"", "dependency.name"),
            ("lib/libz.a", "/usr/lib/libz.a", "dependency.zlib.archive"),
            ("lib/libz.a", "lib/libz.so", "static archive"),
            ("\"../zlib\"", "\"\"", "dependency.zlib.source"),
            (
                "make install prefix={prefix}",
                " ",
                "dependency.zlib.command",
            ),
            ("archive =", "archiv =", "archiv"),
        ] {
            let text = format!("{PROJECT}{}", ZLIB.replace(from, to));
            let message = Project::parse(&text).unwrap_err().to_string();
            assert!(message.contains(expected), "{to}: {message}");
        }
        let twice = Project::parse(&format!("{PROJECT}{ZLIB}{ZLIB}"));
        let message = twice.unwrap_err().to_string();
        assert!(message.contains("two [[dependency]] tables"), "{message}");
    }
}
