//! Rewrites linked programs with llvm-bolt.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use hone_build::{BuildKey, Purpose, Variant};
use hone_report::note::BuildNote;

use crate::build::{self, Made};
use crate::run::Run;
use crate::workspace::state::{Built, Profiles};
use hone_files::files::{copy_tree, write_whole};
use hone_run::process::tool;

/// Maximum number of functions that llvm-bolt is told to leave alone, one by one, before the rung counts as failed.
const SKIPPED_MAX: usize = 4;

/// Returns the build that llvm-bolt rewrote to make `built`, or `built` itself if BOLT did not make it.
pub(crate) fn input(run: &Run, built: &Built) -> Built {
    let input = built.bolted_from.as_ref();
    let input = input.and_then(|key| run.built(key));
    input.unwrap_or(built).clone()
}

/// Rewrites the build that was linked again for BOLT, with the profile of the variant's topmost lever.
pub(crate) fn rewrite(
    run: &mut Run,
    variant: &Variant,
    profiles: &Profiles,
    relinked: &Built,
) -> Result<Built> {
    let key = BuildKey::new(variant, Purpose::Use);
    build::finished_or(run, &key, |run| {
        let began = run.elapsed();
        let name = key.to_string();
        let mut flags = variant.flags(Purpose::Use, &run.inputs(profiles));
        let tree = run.workspace.clear_build()?;
        let skipped = rewrite_tree(run, relinked, &tree, &flags.bolt, &name)?;
        if !skipped.is_empty() {
            flags.bolt.push(skip_argument(&skipped));
        }
        build::check(run, &key, &tree)?;
        let post_link = format!(
            "{} {} -o {}.bolt {}",
            hone_wrap::winner::name(&run.tools.llvm_bolt, "llvm-bolt"),
            run.project.binary.display(),
            run.project.binary.display(),
            flags.bolt.join(" ")
        );
        let made = Made {
            key: key.clone(),
            flags,
            post_link: vec![post_link],
            bolted_from: Some(relinked.key.clone()),
        };
        build::keep(run, made, began)
    })
}

/// Rewrites another layout of the same code with the profile and arguments of an earlier rewriting.
pub(crate) fn rewrite_again(
    run: &mut Run,
    input: &Built,
    like: &Built,
    key: &BuildKey,
) -> Result<Built> {
    build::finished_or(run, key, |run| {
        let began = run.elapsed();
        let tree = run.workspace.clear_build()?;
        rewrite_tree(run, input, &tree, &like.flags.bolt, &key.to_string())?;
        build::check(run, key, &tree)?;
        let made = Made {
            key: key.clone(),
            flags: like.flags.clone(),
            post_link: like.post_link.clone(),
            bolted_from: Some(input.key.clone()),
        };
        build::keep(run, made, began)
    })
}

/// Copies a build's tree with the binary rewritten by llvm-bolt. Returns the functions that were left out, which the
/// report names.
pub(crate) fn rewrite_tree(
    run: &mut Run,
    input: &Built,
    tree: &Path,
    arguments: &[String],
    name: &str,
) -> Result<Vec<String>> {
    let from = run.workspace.tree(&input.name());
    let binary = &run.project.binary;
    copy_tree(&from, tree)?;
    fs::remove_file(tree.join(binary)).context("the copied binary")?;
    let skipped = run_bolt(run, &from.join(binary), &tree.join(binary), arguments, name)?;
    if !skipped.is_empty() {
        run.tell(BuildNote::LeftByBolt(skipped.clone()));
    }
    Ok(skipped)
}

/// Runs llvm-bolt. If llvm-bolt fails on a function and names it, runs it again without that function. Returns the
/// functions that were left out.
fn run_bolt(
    run: &Run,
    input: &Path,
    output: &Path,
    arguments: &[String],
    name: &str,
) -> Result<Vec<String>> {
    let Some(bolt) = &run.tools.llvm_bolt else {
        bail!("llvm-bolt is not there")
    };
    let mut skipped = Vec::new();
    let words = loop {
        run.check_interrupted()?;
        let mut command = Command::new(&bolt.path);
        command.arg(input).arg("-o").arg(output).args(arguments);
        if !skipped.is_empty() {
            command.arg(skip_argument(&skipped));
        }
        let error = match tool::run(command, "llvm-bolt") {
            Ok(words) => break words,
            Err(error) => error,
        };
        match function_to_skip(&error.to_string()) {
            Some(function) if skipped.len() < SKIPPED_MAX && !skipped.contains(&function) => {
                skipped.push(function);
            }
            _ => return Err(error),
        }
    };
    write_whole(
        &run.workspace.path(format!("logs/{name}.bolt.log")),
        words.as_bytes(),
    )?;
    Ok(skipped)
}

fn skip_argument(functions: &[String]) -> String {
    format!("-skip-funcs={}", functions.join(","))
}

/// Extracts the function that llvm-bolt proposes to skip, such as a function with an inner label whose address another
/// section holds (computed goto).
fn function_to_skip(complaint: &str) -> Option<String> {
    let line = complaint
        .lines()
        .find(|line| line.contains("BOLT-ERROR") && line.contains("--skip-funcs"))?;
    let (_, after) = line.split_once(" in function ")?;
    let name = after.split_once(". Consider")?.0;
    // `name/1(*2)`: one of two names of the same code.
    let name = name.split('(').next()?;
    (!name.is_empty()).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::function_to_skip;

    #[test]
    fn the_function_is_the_one_that_bolt_names() {
        let complaint = "llvm-bolt ended with exit status: 1: BOLT-ERROR: unable to get new address \
             corresponding to input address 0x1cb0a in function luaV_execute/1(*2). Consider adding this \
             function to --skip-funcs=...";
        let skipped = function_to_skip(complaint);
        assert_eq!(skipped.as_deref(), Some("luaV_execute/1"));
        assert_eq!(function_to_skip("BOLT-ERROR: library not found: x"), None);
    }
}
