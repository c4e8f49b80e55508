//! Package `hone/go/tune`, whose tuners do at run time what rules about collectors and quotas advise, for programs in Go.
//! `docs/rpc/tuning.md` describes them.

use crate::facts::{Mark, Role};
use crate::subject::Inspected;

/// Advice to let GOGC follow the memory limit.
pub(super) const GC: &str = "Or add a line to main, `defer tune.GC(tune.GCOptions{}).Stop()` of package hone/go/tune: it \
    chooses GOGC after each collection by the memory that is left, unless GOGC is set (docs/rpc/tuning.md).";

/// Advice to let GOMAXPROCS follow the quota.
pub(super) const CPU: &str = "Add a line to main, `defer tune.CPU(tune.CPUOptions{}).Stop()` of package hone/go/tune: it \
    chooses GOMAXPROCS by the quota and by how often the quota holds the program up (docs/rpc/tuning.md).";

/// Returns the advice of a rule about quotas, with the tuner before it if the program is in Go.
pub(super) fn with_cpu(change: &str, inspected: &Inspected) -> String {
    if is_go(inspected) {
        format!("{CPU} {change}")
    } else {
        change.to_owned()
    }
}

/// True if programs with Go's run time take more of the time than the other programs.
fn is_go(inspected: &Inspected) -> bool {
    let programs = inspected.binaries.iter();
    let programs = programs.filter(|binary| binary.role == Role::Program);
    let (go, others): (Vec<_>, Vec<_>) =
        programs.partition(|binary| binary.marks.contains(&Mark::Go));
    let weight = |binaries: Vec<&crate::BinaryFacts>| -> u64 {
        binaries.iter().map(|binary| binary.weight).sum()
    };
    weight(go) > weight(others)
}
