//! The user's own build: built, tried, and measured against itself, before anything is compared with it.

mod power;
mod stops;
mod time;
mod unoptimised;

use std::fs;
use std::slice;

use anyhow::Result;
use hone_build::wrapper::plain_name;
use hone_build::{Plan, Purpose, Toolchain, calls};

use crate::build::{Order, build};
use crate::ladder::{Climb, rung};
use crate::measure::{self, duets};
use crate::run::Run;
use crate::version::Version;
use crate::workspace::BASELINE;
use crate::workspace::state::Profiles;

/// Builds the baseline as the user does, and measures it against itself. Also returns the name of its compiler, if the
/// levers are of another one.
pub(crate) fn start(run: &mut Run, plan: &Plan) -> Result<(Climb, Option<String>)> {
    run.progress.phase("baseline: building as you do");
    let variant = run.baseline();
    let order = Order::new(run, &variant, Purpose::Baseline, &Profiles::new());
    let baseline = build(run, &order)?;
    unoptimised::warn(run, &baseline);
    let compiler = other_compiler(run);
    run.inputs.takes_own_objects = compiler.is_none();
    if run.workspace.state.blocks.is_none() {
        stops::try_once(run, &baseline, plan)?;
        run.progress
            .phase("baseline: one pilot run of each workload");
        let block_s = measure::pilot(run, &baseline)?;
        time::tell(run, plan, block_s);
    }
    run.progress.begin_ladder(time::rungs(plan));
    run.progress
        .phase("baseline against itself, to see this machine's noise");
    let measured = duets::self_check(run, slice::from_ref(&baseline))?;
    run.progress.comparison(&measured.comparison);
    power::tell(run, &measured.experiment);
    let climb = Climb {
        best: Version {
            variant,
            built: baseline.clone(),
            profiles: Profiles::new(),
        },
        rungs: vec![rung::baseline(&baseline)],
        baseline,
        raw: vec![measured.experiment],
        self_check: measured.comparison,
    };
    Ok((climb, compiler))
}

/// Returns the compiler of the baseline, if the levers are clang's and that compiler is not clang.
fn other_compiler(run: &Run) -> Option<String> {
    if run.toolchain != Toolchain::Clang {
        return None;
    }
    let log = run.workspace.path(format!("logs/{BASELINE}.calls.log"));
    let log = fs::read_to_string(log).ok()?;
    let real = calls::programs(&log).filter_map(|path| fs::canonicalize(path).ok());
    let names = real.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut others = names.filter(|name| !plain_name(name).starts_with("clang"));
    others.next()
}
