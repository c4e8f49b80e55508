//! Copies the user's source tree, and finds out whether it has changed.
//!
//! Nothing is ever written to the user's tree. The copy leaves out `.hone`, version control, the paths that the
//! project file excludes, objects of an earlier build, and CMake's build trees, which are bound to the
//! path where they were made.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use hone_files::files::copy_entry;

/// The source tree of a project.
pub(crate) struct Source {
    root: PathBuf,
    exclude: Vec<PathBuf>,
}

impl Source {
    /// Creates the tree at `root`, without the paths in `exclude` (relative to `root`).
    pub(crate) fn new(root: PathBuf, exclude: &[PathBuf]) -> Self {
        Self {
            root,
            exclude: exclude.to_vec(),
        }
    }

    /// Adds paths and modes, sizes and times of files, and targets of links to a hash; leaves out the project file, whose
    /// tables count one by one.
    pub(crate) fn digest(&self, hash: &mut Sha256, project_file: &Path) -> Result<()> {
        let of_file = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
        let own = fs::metadata(project_file).ok().as_ref().map(of_file);
        self.visit(&mut |relative, metadata| {
            if Some(of_file(metadata)) == own {
                return Ok(());
            }
            hash.update(relative.as_os_str().as_encoded_bytes());
            hash.update([0]);
            hash.update(metadata.mode().to_le_bytes());
            if metadata.is_symlink() {
                let target = fs::read_link(self.root.join(relative))?;
                hash.update(target.as_os_str().as_encoded_bytes());
                hash.update([0]);
            }
            if metadata.is_file() {
                hash.update(metadata.len().to_le_bytes());
                let modified = metadata.modified()?.duration_since(std::time::UNIX_EPOCH);
                hash.update(modified.unwrap_or_default().as_nanos().to_le_bytes());
            }
            Ok(())
        })
    }

    /// Copies the tree to `destination`, which must not exist, keeping times, modes and links
    /// within it.
    pub(crate) fn copy_to(&self, destination: &Path) -> Result<()> {
        fs::create_dir_all(destination).with_context(|| destination.display().to_string())?;
        self.visit(&mut |relative, metadata| {
            copy_entry(
                &self.root.join(relative),
                &destination.join(relative),
                metadata,
            )
        })
    }

    fn visit(&self, each: &mut dyn FnMut(&Path, &fs::Metadata) -> Result<()>) -> Result<()> {
        self.visit_below(Path::new(""), true, each)
    }

    fn visit_below(
        &self,
        below: &Path,
        follows: bool,
        each: &mut dyn FnMut(&Path, &fs::Metadata) -> Result<()>,
    ) -> Result<()> {
        let directory = self.root.join(below);
        let entries = fs::read_dir(&directory)
            .and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>())
            .with_context(|| directory.display().to_string())?;
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let relative = below.join(&name);
            let path = self.root.join(&relative);
            let is_followed = follows && self.leads_out(&path);
            let metadata = if is_followed {
                path.metadata()?
            } else {
                path.symlink_metadata()?
            };
            if self.is_left_out(&relative, &name, &metadata) {
                continue;
            }
            each(&relative, &metadata)?;
            if metadata.is_dir() {
                self.visit_below(&relative, follows && !is_followed, each)?;
            }
        }
        Ok(())
    }

    /// True for a relative link to what lies beside the tree: in a copy it would lead nowhere, so that the copy has what
    /// it leads to. Links in there stay links.
    fn leads_out(&self, path: &Path) -> bool {
        if !fs::read_link(path).is_ok_and(|target| target.is_relative()) {
            return false;
        }
        let (Ok(target), Ok(root)) = (path.canonicalize(), self.root.canonicalize()) else {
            return false;
        };
        !target.starts_with(&root) && !root.starts_with(&target)
    }

    fn is_left_out(&self, relative: &Path, name: &OsStr, metadata: &fs::Metadata) -> bool {
        let is_special = !metadata.is_file() && !metadata.is_dir() && !metadata.is_symlink();
        is_special
            || [".hone", ".git", ".hg", ".svn"]
                .iter()
                .any(|left_out| name == *left_out)
            || self.exclude.iter().any(|excluded| excluded == relative)
            || (metadata.is_file() && is_object(relative))
            || (metadata.is_dir() && self.root.join(relative).join("CMakeCache.txt").exists())
    }
}

/// True for a file that an earlier build left: if it were copied, it would stay without the variant's flags.
fn is_object(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["o", "lo", "gcda", "gcno", "profraw"]
        .iter()
        .any(|object| extension == *object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn tree() -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        for directory in ["src", "old-build", ".hone/variants", ".git", "skip"] {
            fs::create_dir_all(tree.path().join(directory)).unwrap();
        }
        for file in [
            "src/a.c",
            "old-build/CMakeCache.txt",
            ".hone/x",
            ".git/HEAD",
            "skip/y",
            "src/a.o",
        ] {
            fs::write(tree.path().join(file), file).unwrap();
        }
        std::os::unix::fs::symlink("a.c", tree.path().join("src/link.c")).unwrap();
        tree
    }

    fn digest(source: &Source) -> Vec<u8> {
        let mut hash = Sha256::new();
        let project_file = source.root.join("hone.toml");
        source.digest(&mut hash, &project_file).unwrap();
        hash.finalize().to_vec()
    }

    #[test]
    fn the_copy_holds_the_source_and_nothing_that_is_bound_to_the_old_place() {
        let (tree, copy) = (tree(), tempfile::tempdir().unwrap());
        let source = Source::new(tree.path().into(), &["skip".into()]);
        let to = copy.path().join("build");
        source.copy_to(&to).unwrap();
        assert_eq!(fs::read_to_string(to.join("src/a.c")).unwrap(), "src/a.c");
        assert_eq!(
            fs::read_link(to.join("src/link.c")).unwrap(),
            Path::new("a.c")
        );
        for absent in ["old-build", ".hone", ".git", "skip", "src/a.o"] {
            assert!(!to.join(absent).exists(), "{absent}");
        }
        let time = |path: PathBuf| path.metadata().unwrap().modified().unwrap();
        assert_eq!(time(to.join("src/a.c")), time(tree.path().join("src/a.c")));
    }

    #[test]
    fn links_to_what_lies_beside_the_tree_are_followed_once() {
        let (beside, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let root = beside.path().join("tree");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(beside.path().join("library")).unwrap();
        fs::write(beside.path().join("library/a.h"), "a").unwrap();
        let links = [
            ("../library", root.join("library")),
            ("..", root.join("up")),
            ("../nowhere", root.join("gone")),
            ("../tree", beside.path().join("library/back")),
        ];
        for (target, link) in &links {
            std::os::unix::fs::symlink(target, link).unwrap();
        }
        let source = Source::new(root, &[]);
        let to = copy.path().join("build");
        source.copy_to(&to).unwrap();
        let library = to.join("library");
        assert!(!library.is_symlink());
        assert_eq!(fs::read_to_string(library.join("a.h")).unwrap(), "a");
        for link in [to.join("up"), to.join("gone"), library.join("back")] {
            assert!(link.is_symlink(), "{}", link.display());
        }
        let before = digest(&source);
        fs::write(beside.path().join("library/a.h"), "other").unwrap();
        assert_ne!(digest(&source), before);
    }

    #[test]
    fn the_digest_sees_changes_of_the_source_only() {
        let tree = tree();
        let source = Source::new(tree.path().into(), &["skip".into()]);
        let before = digest(&source);
        fs::write(tree.path().join(".hone/x"), "changed").unwrap();
        fs::write(tree.path().join("skip/y"), "changed").unwrap();
        assert_eq!(digest(&source), before);
        fs::write(tree.path().join("hone.toml"), "[ladder]").unwrap();
        let with_file = digest(&source);
        fs::write(tree.path().join("hone.toml"), "[ladder]\nlayouts = 3").unwrap();
        assert_eq!(digest(&source), with_file);
        fs::write(tree.path().join("src/a.c"), "changed size").unwrap();
        assert_ne!(digest(&source), with_file);
    }

    #[test]
    fn the_digest_sees_modes_and_where_links_lead() {
        let tree = tree();
        let source = Source::new(tree.path().into(), &[]);
        let first = digest(&source);
        let link = tree.path().join("src/link.c");
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("b.c", &link).unwrap();
        let second = digest(&source);
        assert_ne!(second, first);
        let script = tree.path().join("src/a.c");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(digest(&source), second);
    }
}
