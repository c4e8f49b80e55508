//! `hone` called as Bazel: runs the real Bazel, with options that lead its compilations to the wrappers.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use hone_build::wrapper::{WrapConfig, bazel};
use sha2::{Digest, Sha256};

/// Runs the real Bazel of this name.
pub(crate) fn run(name: &str, arguments: &[String], config: &WrapConfig) -> Result<ExitCode> {
    let Some(real) = config.real.get(name) else {
        bail!("no real {name} is known; was it installed while the build ran?");
    };
    let output_base = config.bazel_output_base.as_deref();
    let arguments = bazel::rewrite(arguments, &variant(config)?, output_base);
    let status = Command::new(real).args(arguments).status();
    let status = status.with_context(|| real.display().to_string())?;
    if let Some(output_base) = output_base {
        end_server(real, output_base);
    }
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}

/// Names the flags by their hash.
fn variant(config: &WrapConfig) -> Result<String> {
    let flags = serde_json::to_vec(&(&config.flags, &config.takes_over, &config.layout))?;
    Ok(hex::encode(&Sha256::digest(flags)[..8]))
}

/// Ends the server that Bazel leaves behind, which would run beside measurements.
fn end_server(real: &Path, output_base: &Path) {
    let ended = Command::new(real)
        .arg(format!("--output_base={}", output_base.display()))
        .arg("shutdown")
        .output();
    if !ended.is_ok_and(|output| output.status.success()) {
        eprintln!(
            "hone: Bazel's server goes on; its place is {}",
            output_base.display()
        );
    }
}

/// Puts a copy of the program into the tree, if the build left the program behind a link that leads out of the tree, as
/// `bazel-bin` does. The copy replaces the link, since the next build writes to the link's target.
pub fn bring_in(tree: &Path, binary: &Path) -> Result<()> {
    let Some(link) = link_out(tree, binary)? else {
        return Ok(());
    };
    let program = tree.join(binary);
    let aside = tree.join(".hone-program");
    let failed = || format!("cannot copy {} into its tree", program.display());
    fs::copy(&program, &aside).with_context(failed)?;
    // Bazel makes its files read-only; later steps write to the copy.
    let mut mode = fs::metadata(&aside).with_context(failed)?.permissions();
    mode.set_mode(mode.mode() | 0o200);
    fs::set_permissions(&aside, mode).with_context(failed)?;
    fs::remove_file(&link).with_context(failed)?;
    let parent = program.parent().unwrap_or(tree);
    fs::create_dir_all(parent).with_context(failed)?;
    fs::rename(&aside, &program).with_context(failed)
}

/// Finds the first link on the way to the binary that leads out of the tree.
fn link_out(tree: &Path, binary: &Path) -> Result<Option<PathBuf>> {
    let root = tree
        .canonicalize()
        .with_context(|| tree.display().to_string())?;
    let mut path = tree.to_owned();
    for part in binary {
        path.push(part);
        let is_link = path.symlink_metadata().is_ok_and(|file| file.is_symlink());
        let leads_out = |to: PathBuf| !to.starts_with(&root);
        if is_link && path.canonicalize().is_ok_and(leads_out) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_program_behind_a_link_is_brought_into_the_tree() {
        let directory = tempfile::tempdir().unwrap();
        let (tree, out) = (directory.path().join("tree"), directory.path().join("out"));
        fs::create_dir_all(&tree).unwrap();
        fs::create_dir_all(out.join("src")).unwrap();
        fs::write(out.join("src/p"), "program").unwrap();
        symlink(&out, tree.join("bazel-bin")).unwrap();
        let binary = Path::new("bazel-bin/src/p");
        bring_in(&tree, binary).unwrap();
        fs::write(out.join("src/p"), "the next one").unwrap();
        assert_eq!(fs::read_to_string(tree.join(binary)).unwrap(), "program");
        bring_in(&tree, binary).unwrap();
        assert_eq!(fs::read_to_string(tree.join(binary)).unwrap(), "program");
    }

    #[test]
    fn links_inside_the_tree_stay() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("real")).unwrap();
        fs::write(directory.path().join("real/p"), "").unwrap();
        symlink("real", directory.path().join("bin")).unwrap();
        bring_in(directory.path(), Path::new("bin/p")).unwrap();
        assert!(directory.path().join("bin").is_symlink());
    }
}
