//! The winner as files for the user's own build and CI.

mod files;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use hone_files::advice::Advise;
use hone_files::files::{copy_tree, utf8, write_whole};

use crate::winner::{self, Winner};

/// A winner whose files were written.
pub struct Exported {
    /// The winner.
    pub winner: Winner,
    /// Names of the files, without the profiles and libraries.
    pub files: Vec<&'static str>,
}

/// Writes the winner of a project as files into a directory, with its profiles and rebuilt libraries beside them.
///
/// # Errors
///
/// Returns an error if the project has no winner, or a file cannot be read or written.
pub fn export(project: &Path, output: &Path) -> Result<Exported> {
    let winner = Winner::load(project)?;
    let profiles = output.join("profiles");
    fs::create_dir_all(&profiles)
        .with_context(|| profiles.display().to_string())
        .next("name another directory with -o")?;
    let root = output.canonicalize().context("the output directory")?;
    let winner = with_copied_profiles(winner, &root)?;
    winner.save(&root.join(winner::FILE), &root)?;
    let here = in_repository(&root, project)?;
    let files = files::all(&winner, utf8(&root)?, &here);
    for (name, text) in &files {
        write_whole(&root.join(name), text.as_bytes())?;
    }
    Ok(Exported {
        winner,
        files: files.into_iter().map(|(name, _)| name).collect(),
    })
}

/// Returns what a build in the project's directory calls a directory; of a directory elsewhere, its name, since it will be moved.
fn in_repository(directory: &Path, project: &Path) -> Result<String> {
    let project = project.canonicalize().context("the project's directory")?;
    let inside = directory.strip_prefix(&project).ok();
    let inside = inside.filter(|inside| *inside != Path::new(""));
    let name = || directory.file_name().map(Path::new);
    let here = inside.or_else(name).unwrap_or(Path::new("hone"));
    Ok(utf8(here)?.to_owned())
}

/// Copies profiles and rebuilt libraries beside the other files, and returns the winner with the new paths.
fn with_copied_profiles(winner: Winner, root: &Path) -> Result<Winner> {
    let mut text = serde_json::to_string(&winner)?;
    for from in &winner.profiles {
        let name = from.file_name().context("a profile without a name")?;
        let to = root.join("profiles").join(name);
        if from != &to {
            copy(from, &to)?;
        }
        text = text.replace(utf8(from)?, utf8(&to)?);
    }
    for rebuilt in &winner.flags.dependencies {
        let directory = root.join("libraries").join(&rebuilt.name);
        let name = rebuilt
            .archive
            .file_name()
            .context("an archive without a name")?;
        let to = directory.join("lib").join(name);
        if rebuilt.archive != to {
            fs::create_dir_all(directory.join("lib"))
                .with_context(|| directory.display().to_string())?;
            copy(&rebuilt.archive, &to)?;
            let (from, headers) = (rebuilt.prefix.join("include"), directory.join("include"));
            if from.is_dir() && !headers.exists() {
                copy(&from, &headers)?;
            }
        }
        text = text.replace(utf8(&rebuilt.archive)?, utf8(&to)?);
        text = text.replace(utf8(&rebuilt.prefix)?, utf8(&directory)?);
    }
    serde_json::from_str(&text).context("the winner with its profiles copied")
}

/// Copies a file or a directory; the profiles of gcc and Propeller are directories.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = if from.is_dir() {
        copy_tree(from, to)
    } else {
        fs::copy(from, to).map(|_| ()).map_err(Into::into)
    };
    copied
        .with_context(|| from.display().to_string())
        .next("run hone optimize again: the profiles or libraries of its winner are gone")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_build::{Rebuilt, VariantFlags};

    /// Writes files below a directory, with what is above them.
    fn write(directory: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn profiles_and_libraries_come_along_and_are_found_where_they_are_moved_to() {
        let directory = tempfile::tempdir().unwrap();
        let (project, output) = (directory.path().join("p"), directory.path().join("out"));
        let hone = project.join(".hone");
        let prefix = hone.join("build/.hone-dependencies/z");
        write(
            &hone,
            &[
                ("profiles/a.prof", "samples"),
                ("profiles/counts.raw/1.gcda", "counts"),
            ],
        );
        write(
            &prefix,
            &[("lib/libz.a", "archive"), ("include/z.h", "header")],
        );
        let used = |name: &str| hone.join("profiles").join(name);
        let winner = Winner {
            program: "prog".into(),
            variant: "autofdo+z-rebuilt".into(),
            gain: "1.2x".into(),
            build_command: "make".into(),
            build_env: Default::default(),
            binary: "prog".into(),
            flags: VariantFlags {
                compile: vec![format!("-fprofile-sample-use={}", used("a.prof").display())],
                dependencies: vec![Rebuilt {
                    name: "z".into(),
                    library: "z".into(),
                    archive: prefix.join("lib/libz.a"),
                    prefix,
                    ..Rebuilt::default()
                }],
                ..VariantFlags::default()
            },
            post_link: Vec::new(),
            profiles: vec![used("a.prof"), used("counts.raw")],
            deploy: Vec::new(),
            tools: winner::ToolNames::of(&Default::default(), None),
        };
        fs::create_dir_all(hone.join("report")).unwrap();
        winner
            .save(&hone.join("report").join(winner::FILE), &hone)
            .unwrap();
        let exported = export(&project, &output).unwrap();
        assert!(
            exported.files.contains(&"toolchain.cmake"),
            "{:?}",
            exported.files
        );
        // Nothing but the exported files leads to them.
        fs::remove_dir_all(&project).unwrap();
        let moved = directory.path().join("moved");
        fs::rename(&output, &moved).unwrap();
        let read = |name: &str| fs::read_to_string(moved.join(name)).unwrap();
        assert_eq!(read("profiles/a.prof"), "samples");
        assert_eq!(read("profiles/counts.raw/1.gcda"), "counts");
        assert_eq!(read("libraries/z/lib/libz.a"), "archive");
        assert_eq!(read("libraries/z/include/z.h"), "header");
        let winner = Winner::load(&moved).unwrap();
        let moved = moved.canonicalize().unwrap();
        assert_eq!(winner.profiles[0], moved.join("profiles/a.prof"));
        assert!(winner.flags.compile[0].ends_with(moved.join("profiles/a.prof").to_str().unwrap()));
        let [rebuilt] = &winner.flags.dependencies[..] else {
            panic!("{winner:?}");
        };
        assert_eq!(rebuilt.prefix, moved.join("libraries/z"));
        assert_eq!(rebuilt.archive, moved.join("libraries/z/lib/libz.a"));
    }
}
