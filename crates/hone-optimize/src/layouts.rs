//! Builds the same program in other layouts: linked again in another order, with another gap before its code.
//!
//! No source is compiled again if objects are kept (`wrap/objects.rs`).

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use hone_build::{Toolchain, VariantFlags, variant::Purpose};

use super::Run;
use super::bolt;
use super::build::{self, Made, Order};
use super::workspace::Built;

/// Makes `count` layouts of a build, the build itself first.
pub(super) fn of(run: &mut Run, built: &Built, count: usize) -> Result<Vec<Built>> {
    let mut all = vec![built.clone()];
    for seed in 1..count {
        run.check_interrupted()?;
        all.push(relaid(run, built, seed as u64)?);
    }
    Ok(all)
}

fn relaid(run: &mut Run, built: &Built, seed: u64) -> Result<Built> {
    let name = format!("{}.layout-{seed}", built.name);
    run.progress
        .phase(&format!("{}: layout {}", built.name, seed + 1));
    if let Some(input) = &built.bolted_from {
        let input = run.workspace.state.built.get(input).cloned();
        let input = relaid(
            run,
            &input.context("the build that BOLT rewrote is gone")?,
            seed,
        )?;
        return bolt::rewrite_again(run, &input, built, &name);
    }
    build::finished_or(run, &name.clone(), |run| {
        let began = Instant::now();
        let order = Order {
            name,
            flags: in_layout(run, built, seed),
            purpose: Purpose::Use,
            layout_seed: Some(seed),
        };
        let tree = build::compile_source(run, &order)?;
        if is_same(run, built)? {
            bail!("the build gives the same binary whatever the order of its objects");
        }
        build::check(run, &order.name, &tree)?;
        build::keep(run, Made::by(&order), began)
    })
}

/// Returns a build's flags for another layout; only Go's linker makes a layout by a flag.
fn in_layout(run: &Run, built: &Built, seed: u64) -> VariantFlags {
    let mut flags = built.flags.clone();
    if run.toolchain == Toolchain::Go {
        let go = flags.build_env.entry("GOFLAGS".into()).or_default();
        *go = format!("{go} -ldflags=-randlayout={seed}").trim().into();
    }
    flags
}

fn is_same(run: &Run, built: &Built) -> Result<bool> {
    let read = |tree: std::path::PathBuf| {
        let binary = tree.join(&run.project.binary);
        fs::read(&binary).with_context(|| binary.display().to_string())
    };
    Ok(read(run.workspace.path("build"))? == read(run.workspace.tree(&built.name))?)
}
