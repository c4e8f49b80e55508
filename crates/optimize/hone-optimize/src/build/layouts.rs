//! Builds the same program in other layouts: linked again in another order, with another gap before its code.
//!
//! No source is compiled again if objects are kept (`hone_wrap::objects`).

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hone_build::{Toolchain, VariantFlags};

use crate::build::{self, Made, Order, bolt};
use crate::run::Run;
use crate::workspace::state::Built;

/// Makes `count` layouts of a build, the build itself first.
pub(crate) fn of(run: &mut Run, built: &Built, count: usize) -> Result<Vec<Built>> {
    let mut all = vec![built.clone()];
    for seed in 1..count {
        run.check_interrupted()?;
        all.push(relaid(run, built, seed as u64)?);
    }
    Ok(all)
}

fn relaid(run: &mut Run, built: &Built, seed: u64) -> Result<Built> {
    let key = built.key.in_layout(seed);
    run.progress
        .phase(&format!("{}: layout {}", built.name(), seed + 1));
    if let Some(input) = &built.bolted_from {
        let input = run.built(input).cloned();
        let input = input.context("the build that BOLT rewrote is gone")?;
        let input = relaid(run, &input, seed)?;
        return bolt::rewrite_again(run, &input, built, &key);
    }
    build::finished_or(run, &key, |run| {
        let began = run.elapsed();
        let order = Order {
            key: key.clone(),
            flags: in_layout(run, built, seed),
        };
        let tree = build::compile_source(run, &order)?;
        if is_same(run, built)? {
            bail!("the build gives the same binary whatever the order of its objects");
        }
        build::check(run, &order.key, &tree)?;
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
    let read = |binary: PathBuf| fs::read(&binary).with_context(|| binary.display().to_string());
    let made = run.workspace.path("build").join(&run.project.binary);
    Ok(read(made)? == read(run.binary(built))?)
}
