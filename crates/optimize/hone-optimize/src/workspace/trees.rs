//! The trees of builds in `.hone/`: where they are made, kept, copied and run.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::workspace::{Workspace, remove};
use hone_files::files::copy_tree;

impl Workspace {
    /// The tree of a finished build.
    pub(crate) fn tree(&self, name: &str) -> PathBuf {
        self.path("variants").join(name)
    }

    /// Makes a copy of the tree of a finished build, for a second run of the build at the same time.
    pub(crate) fn twin(&self, name: &str) -> Result<PathBuf> {
        let twin = self.path("twins").join(name);
        if !twin.exists() {
            let unfinished = self.path("twins").join(format!("{name}.part"));
            remove(&unfinished)?;
            copy_tree(&self.tree(name), &unfinished)?;
            fs::rename(&unfinished, &twin).with_context(|| twin.display().to_string())?;
        }
        Ok(twin)
    }

    /// Copies the trees of finished builds over themselves. If the kernel pages out what it takes for cold, files
    /// of an old build cost their readers more CPU than files of a young build (decision 12).
    pub(crate) fn renew<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Result<()> {
        for name in names {
            let tree = self.tree(name);
            let other = self.path("renewed");
            remove(&other)?;
            copy_tree(&tree, &other)?;
            exchange(&tree, &other).with_context(|| tree.display().to_string())?;
            remove(&other)?;
            remove(&self.path("twins").join(name))?;
        }
        Ok(())
    }

    /// Clears `.hone/build` for the next build.
    pub(crate) fn clear_build(&self) -> Result<PathBuf> {
        let build = self.path("build");
        remove(&build)?;
        Ok(build)
    }

    /// Clears the directory for Bazel's results, which Bazel wants outside of the tree.
    pub(crate) fn clear_bazel(&self) -> Result<PathBuf> {
        let output_base = self.path("bazel");
        let removed = remove(&output_base).or_else(|_| {
            // Bazel takes write permission from directories, which only root can do without.
            make_writable(&output_base)?;
            remove(&output_base)
        });
        removed.map(|()| output_base)
    }

    /// Clears the place where a dependency is built.
    pub(crate) fn clear_dependency(&self, name: &str) -> Result<PathBuf> {
        let tree = self.path("dependencies").join(name);
        remove(&tree)?;
        Ok(tree)
    }

    /// Makes `.hone/build`, where every variant was built, lead to the tree of a finished build, and returns that
    /// path. No process of another variant may be running.
    pub(crate) fn enter(&self, name: &str) -> Result<PathBuf> {
        let build = self.path("build");
        let tree = Path::new("variants").join(name);
        if fs::read_link(&build).is_ok_and(|leads_to| leads_to == tree) {
            return Ok(build);
        }
        remove(&build)?;
        std::os::unix::fs::symlink(&tree, &build).with_context(|| build.display().to_string())?;
        Ok(build)
    }

    /// Moves `.hone/build` to its place among the finished trees.
    pub(crate) fn keep_build(&self, name: &str) -> Result<PathBuf> {
        let tree = self.tree(name);
        remove(&tree)?;
        remove(&self.path("twins").join(name))?;
        fs::rename(self.path("build"), &tree).with_context(|| tree.display().to_string())?;
        Ok(tree)
    }
}

/// Lets the owner change all directories of a tree.
fn make_writable(directory: &Path) -> Result<()> {
    let failed = || directory.display().to_string();
    fs::set_permissions(directory, Permissions::from_mode(0o700)).with_context(failed)?;
    for entry in fs::read_dir(directory).with_context(failed)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_writable(&entry.path())?;
        }
    }
    Ok(())
}

/// Exchanges the names of two trees, atomically if the file system can.
fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let aside = other.with_extension("aside");
    fs::rename(one, &aside)?;
    fs::rename(other, one)?;
    fs::rename(&aside, other)
}
