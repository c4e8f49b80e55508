//! Levers that the search may use.

use hone_build::lever::{self, Lever, Offer};
use hone_build::{Bundle, plan};

use crate::effects::conflicts::forbidden_by_binary;
use crate::run::Run;
use crate::unmet_needs;

/// Levers that the search may use: those of the ladder, all that need no request if hone.toml names none, and rebuilt
/// libraries.
pub(crate) fn candidates(run: &Run) -> Vec<&'static Lever> {
    let options = run.options;
    let all = lever::ALL.iter().copied();
    let rungs = plan::rungs(&run.project, options);
    let offered = |lever: &&'static Lever| {
        let on_ladder = rungs.iter().any(|levers| levers.levers().contains(lever));
        let is_free = lever.offer == Offer::Extra && run.project.named.is_none();
        (on_ladder || is_free) && lever.flags_for(options.toolchain).is_some()
    };
    let missing = |need| unmet_needs::missing(&run.project, &run.tools, need);
    let rebuilt = run.project.dependencies.iter().map(|[_, rebuilt]| *rebuilt);
    let rebuilt = rebuilt.filter(|lever| lever.flags_for(options.toolchain).is_some());
    all.filter(offered)
        .chain(rebuilt)
        .filter(|lever| plan::skip_reason(&Bundle::of(lever), options, &missing).is_none())
        .filter(|lever| forbidden_by_binary(run, lever).is_none())
        .collect()
}
