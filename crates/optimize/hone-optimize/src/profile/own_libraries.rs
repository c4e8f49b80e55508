//! The program's own libraries: libraries that its build makes beside it.
//!
//! An instrumented build counts in these libraries as in the program, and the compiler applies one profile to everything
//! that is built. So a profile from samples has to cover all of these files, too.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::run::Run;
use crate::workspace::state::Built;
use crate::workspace::utf8;
use hone_convert::Program;
use hone_inputs::recording;

/// Share of the samples in the tree below which a library is left out.
const SHARE_MIN: f64 = 0.005;

/// Returns the files that a profile from a build's recordings covers.
pub(crate) fn program(run: &Run, built: &Built, recordings: &[PathBuf]) -> Result<Program> {
    let tree = run.workspace.tree(&built.name());
    let libraries = sampled(&tree, recordings)?;
    Ok(Program {
        binary: tree.join(&run.project.binary),
        libraries: libraries.iter().map(|library| tree.join(library)).collect(),
    })
}

/// Lists the libraries in the tree that have samples, the library with the most samples first.
fn sampled(tree: &Path, recordings: &[PathBuf]) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for recording in recordings {
        files.extend(recording::read(recording)?.files_by_samples());
    }
    libraries_in(tree, &files)
}

/// Lists the libraries in the tree among files with their numbers of samples; a file may be there several times.
fn libraries_in(tree: &Path, files: &[(String, u64)]) -> Result<Vec<String>> {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for (path, samples) in files {
        let Ok(inside) = Path::new(path).strip_prefix(tree) else {
            continue;
        };
        *seen.entry(utf8(inside)?.to_owned()).or_default() += samples;
    }
    let least = SHARE_MIN * seen.values().sum::<u64>() as f64;
    seen.retain(|path, samples| is_library(Path::new(path)) && *samples as f64 >= least);
    let mut libraries: Vec<_> = seen.into_iter().collect();
    libraries.sort_by_key(|(_, samples)| Reverse(*samples));
    Ok(libraries.into_iter().map(|(path, _)| path).collect())
}

/// True for `libx.so`, `libx.so.1.2`, `plugin.so`; other programs of the tree may be what puts this program under load.
fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_the_build_count_if_they_have_samples_worth_it() {
        let files = [
            ("/v/one/prog", 500),
            ("/v/one/lib/libless.so.2", 100),
            ("/v/one/lib/libmost.so", 300),
            ("/v/one/lib/libmost.so", 90),
            ("/v/one/libtiny.so", 4),
            ("/v/one/load", 6),
            ("/usr/lib/libc.so.6", 5_000),
            ("/v/another/lib/libmost.so", 5_000),
        ]
        .map(|(path, samples)| (path.to_owned(), samples));
        let found = libraries_in(Path::new("/v/one"), &files).unwrap();
        assert_eq!(found, ["lib/libmost.so", "lib/libless.so.2"]);
    }

    #[test]
    fn libraries_are_told_from_programs() {
        let is_library = |path: &str| is_library(Path::new(path));
        assert!(is_library("build/libsolver.so") && is_library("lib/libz.so.1.3"));
        assert!(!is_library("build/solver") && !is_library("build/load.sock"));
    }
}
