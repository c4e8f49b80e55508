//! Builds the libraries that a variant takes from their source, instead of the installed libraries.
//!
//! Each library is built by its own command behind the same wrappers as the program, in a copy of its source that always
//! lies at the same place (profiles name static functions by the path of their source). The result is put into a directory
//! of the program's tree: the directory moves with the tree, so that the program can be linked again later, and every
//! variant finds its own archive under the same path.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hone_build::lever::{Dependency, PREFIX};
use hone_build::{Rebuilt, calls};

use crate::build::{Order, WrappedBuild};
use crate::command::shell::quoted;
use crate::run::Run;
use crate::source::Source;
use crate::workspace::{remove, utf8};
use hone_files::advice::Advise;

/// The directory in a variant's tree that the libraries are installed to.
pub(crate) const PREFIXES: &str = ".hone-dependencies";

/// Builds the libraries that the order's flags name, for the tree in `.hone/build`.
pub(crate) fn build_all(run: &Run, order: &Order) -> Result<()> {
    for rebuilt in &order.flags.dependencies {
        let mut known = run.dependencies.iter();
        let known = known.find(|(dependency, _)| dependency.name == rebuilt.name);
        let (dependency, source) = known.context("a dependency that hone.toml does not have")?;
        build(run, order, rebuilt, dependency, source)
            .with_context(|| format!("dependency {}", rebuilt.name))?;
    }
    Ok(())
}

fn build(
    run: &Run,
    order: &Order,
    rebuilt: &Rebuilt,
    dependency: &Dependency,
    source: &Source,
) -> Result<()> {
    let tree = run.workspace.clear_dependency(&dependency.name)?;
    source.copy_to(&tree)?;
    let left = tree.join(&dependency.archive);
    // An archive that came along with the source must not be taken for the build's.
    remove(&left)?;
    fs::create_dir_all(&rebuilt.prefix).with_context(|| rebuilt.prefix.display().to_string())?;
    run_build(run, order, rebuilt, dependency, &tree)?;
    if !dependency.installs() && left.is_file() {
        let to = rebuilt.archive.parent().unwrap_or(&rebuilt.prefix);
        fs::create_dir_all(to).with_context(|| to.display().to_string())?;
        fs::copy(&left, &rebuilt.archive).with_context(|| left.display().to_string())?;
    }
    if !rebuilt.archive.is_file() {
        let archive = dependency.archive.display();
        return Err(anyhow!("its build ended well, but made no {archive}")).next(
            "set archive in its [[dependency]] table to the static archive that the command makes, below {prefix} \
             where it installs to one",
        );
    }
    Ok(())
}

fn run_build(
    run: &Run,
    order: &Order,
    rebuilt: &Rebuilt,
    dependency: &Dependency,
    tree: &Path,
) -> Result<()> {
    let mut env = run.project.build_env.clone();
    env.extend(dependency.env.clone());
    let prefix = quoted(utf8(&rebuilt.prefix)?);
    let wrapped = WrappedBuild {
        name: &format!("{}.{}", order.key, dependency.name),
        command: &dependency.command.replace(PREFIX, &prefix),
        tree,
        flags: &order.flags.for_dependency(rebuilt),
        env: &env,
        layout_seed: None,
        keeps_objects: order.keeps_objects(),
        ir: order.ir(run),
        limit: None,
    };
    if wrapped.run(run)?.compilations == 0 {
        return Err(anyhow!("its build called no compiler that Hone could see"))
            .next("call compilers by name (cc, clang++-19) or through $CC and $CXX");
    }
    Ok(())
}

/// Returns an error if no link named a rebuilt library: the program would be measured with the installed library.
pub(crate) fn all_linked(run: &Run, order: &Order) -> Result<()> {
    let log = run.workspace.path(format!("logs/{}.calls.log", order.key));
    let log = fs::read_to_string(log).unwrap_or_default();
    for rebuilt in &order.flags.dependencies {
        if !calls::links_with(&log, &rebuilt.archive) {
            let fact = format!(
                "no link of the program named the library of dependency {}",
                rebuilt.name
            );
            return Err(anyhow!(fact)).next(format!(
                "link it as -l{name} or by the path of lib{name}.so or lib{name}.a, not from a response file",
                name = rebuilt.library
            ));
        }
    }
    Ok(())
}
