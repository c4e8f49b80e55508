//! The post-link rungs: link again with relocations, get a profile of that binary, rewrite it with BOLT.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use hone_build::{Lever, ProfileSource, Variant, variant::Purpose};

use super::Run;
use super::build::{self, Made, Order};
use super::workspace::{Built, utf8};
use super::{enough, profile};
use hone_fdo::{Evidence, bolt_preaggregated};
use hone_run::files::{copy_tree, write_whole};
use hone_run::process::tool;
use hone_run::tools::bolt_runtime_argument;

/// Suffix of the names of builds that were linked again for BOLT.
pub(super) const RELINKED: &str = ".relocations";
/// Maximum number of functions that llvm-bolt is told to leave alone, one by one, before the rung counts as failed.
const SKIPPED_MAX: usize = 4;

/// Returns the build that llvm-bolt rewrote to make `built`, or `built` itself if BOLT did not make it.
pub(super) fn input(run: &Run, built: &Built) -> Built {
    let input = built.bolted_from.as_ref();
    let input = input.and_then(|name| run.workspace.state.built.get(name));
    input.unwrap_or(built).clone()
}

/// Builds `base` with `lever` (of the post-link step) added.
pub(super) fn build_on(run: &mut Run, base: &Variant, lever: &'static Lever) -> Result<Built> {
    let variant = base.with(lever);
    let relinked = relink(run, base, &variant)?;
    let name = variant.id();
    run.inputs.profiles.insert(
        lever.id,
        run.workspace.path(format!("profiles/{name}.fdata")),
    );
    build::finished_or(run, &name.clone(), |run| {
        let began = Instant::now();
        make_fdata(run, &relinked, lever, &name)?;
        let mut flags = variant.flags(Purpose::Use, &run.inputs);
        let tree = run.workspace.clear_build()?;
        let skipped = rewrite_tree(run, &relinked, &tree, &flags.bolt, &name)?;
        if !skipped.is_empty() {
            flags.bolt.push(skip_argument(&skipped));
        }
        build::check(run, &name, &tree)?;
        let post_link = format!(
            "{} {} -o {}.bolt {}",
            hone_wrap::winner::name(&run.tools.llvm_bolt, "llvm-bolt"),
            run.project.binary.display(),
            run.project.binary.display(),
            flags.bolt.join(" ")
        );
        let made = Made {
            name,
            flags,
            post_link: vec![post_link],
            bolted_from: Some(relinked.name),
        };
        build::keep(run, made, began)
    })
}

/// Rewrites another layout of the same code with the profile and arguments of an earlier rewriting.
pub(super) fn rewrite_again(
    run: &mut Run,
    input: &Built,
    like: &Built,
    name: &str,
) -> Result<Built> {
    build::finished_or(run, name, |run| {
        let began = Instant::now();
        let tree = run.workspace.clear_build()?;
        rewrite_tree(run, input, &tree, &like.flags.bolt, name)?;
        build::check(run, name, &tree)?;
        let made = Made {
            name: name.into(),
            flags: like.flags.clone(),
            post_link: like.post_link.clone(),
            bolted_from: Some(input.name.clone()),
        };
        build::keep(run, made, began)
    })
}

/// Links the rung below again, with the relocations that BOLT needs to move functions.
fn relink(run: &mut Run, base: &Variant, variant: &Variant) -> Result<Built> {
    let order = Order {
        name: format!("{}{RELINKED}", profile::name_of(base)),
        flags: hone_build::VariantFlags {
            bolt: Vec::new(),
            ..variant.flags(Purpose::Use, &run.inputs)
        },
        purpose: Purpose::Use,
        layout_seed: None,
    };
    build::build(run, &order)
}

fn make_fdata(run: &mut Run, relinked: &Built, lever: &Lever, name: &str) -> Result<()> {
    let binary = run.workspace.tree(&relinked.name).join(&run.project.binary);
    let fdata = run.workspace.path(format!("profiles/{name}.fdata"));
    match lever.profile {
        ProfileSource::BoltBranchRecords => {
            let recordings = enough::record(run, relinked)?;
            enough::remember(run, name, &relinked.name);
            let converted = hone_convert::load(&recordings, &binary, Evidence::Branches)?;
            let aggregated = run.workspace.path(format!("profiles/{name}.preaggregated"));
            write_whole(
                &aggregated,
                bolt_preaggregated::write(&converted.counts).as_bytes(),
            )?;
            let Some(bolt) = &run.tools.llvm_bolt else {
                bail!("llvm-bolt is not there")
            };
            let mut command = Command::new(&bolt.path);
            command.arg(&binary).args(["-aggregate-only", "-pa", "-p"]);
            command.arg(&aggregated).arg("-o").arg(&fdata);
            tool::run(command, "llvm-bolt -aggregate-only")?;
        }
        ProfileSource::BoltInstrumentation => instrument(run, relinked, &fdata)?,
        other => bail!("{} has no profile for BOLT ({other:?})", lever.id),
    }
    Ok(())
}

fn instrument(run: &mut Run, relinked: &Built, fdata: &Path) -> Result<()> {
    let tools = run.tools.clone();
    let (Some(bolt), Some(runtime)) = (&tools.llvm_bolt, &tools.bolt_instrumentation_runtime)
    else {
        bail!("llvm-bolt or its instrumentation runtime is not there");
    };
    let name = format!("{}.bolt-instrumented", relinked.name);
    let tree = run.workspace.tree(&name);
    if tree.exists() {
        fs::remove_dir_all(&tree).context("variants")?;
    }
    let raw = fdata.with_extension("raw");
    profile::empty_directory(&raw)?;
    let arguments = [
        "-instrument".into(),
        bolt_runtime_argument(runtime),
        format!("-instrumentation-file={}", utf8(&raw.join("profile"))?),
        "-instrumentation-file-append-pid".into(),
    ];
    rewrite_tree(run, relinked, &tree, &arguments, &name)?;
    let built = Built {
        name,
        ..relinked.clone()
    };
    profile::train(run, &built, &[])?;
    merge_fdata(&bolt.path, &profile::files_in(&raw)?, fdata)?;
    fs::remove_dir_all(&raw).context("profiles")
}

/// Merges profiles with merge-fdata, which lies beside llvm-bolt, under the same version suffix.
fn merge_fdata(llvm_bolt: &Path, parts: &[PathBuf], fdata: &Path) -> Result<()> {
    let name = llvm_bolt.file_name().unwrap_or_default().to_string_lossy();
    let merge = llvm_bolt.with_file_name(name.replace("llvm-bolt", "merge-fdata"));
    let mut command = Command::new(&merge);
    let output: OsString = fdata.into();
    command.args(parts).arg("-o").arg(output);
    tool::run(command, "merge-fdata")?;
    Ok(())
}

/// Copies a build's tree with the binary rewritten by llvm-bolt. Returns the functions that were left out, which the
/// report names.
fn rewrite_tree(
    run: &mut Run,
    input: &Built,
    tree: &Path,
    arguments: &[String],
    name: &str,
) -> Result<Vec<String>> {
    let from = run.workspace.tree(&input.name);
    let binary = &run.project.binary;
    copy_tree(&from, tree)?;
    fs::remove_file(tree.join(binary)).context("the copied binary")?;
    let skipped = rewrite(run, &from.join(binary), &tree.join(binary), arguments, name)?;
    if !skipped.is_empty() {
        run.note_of_build(format!(
            "llvm-bolt could not rewrite {} and was told to leave it as it is.",
            skipped.join(", ")
        ));
    }
    Ok(skipped)
}

/// Runs llvm-bolt. If llvm-bolt fails on a function and names it, runs it again without that function. Returns the
/// functions that were left out.
fn rewrite(
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
