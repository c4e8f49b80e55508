//! Messages about series that a back end cannot tell apart.

use hone_agent::flush::{Became, Collided, Shared};
use hone_agent::series::Series;

use crate::log;
use crate::top::figures::SharedNames;

/// Logs each new series whose name was taken already.
pub(super) fn say(collided: &Collided) {
    for shared in shown(collided.first.clone()) {
        let (series, sent_as) = (shared.series.join(", "), &shared.sent_as);
        let what = match shared.is_merged {
            true => {
                format!("{series} is the same as {sent_as} to a back end, and added up with it")
            }
            false => format!("{series} has names of another series, and is sent as {sent_as}"),
        };
        log::say_often("names", format!("{what}; give one of them another name"));
    }
}

/// Returns the series in the form that `hone-agent top` shows.
pub(super) fn shown(shared: Vec<Shared>) -> Vec<SharedNames> {
    let names = shared.into_iter().map(|shared| SharedNames {
        is_merged: shared.became == Became::Merged,
        sent_as: name(&shared.sent_as),
        series: shared.series.iter().map(|series| name(series)).collect(),
        count: shared.count,
    });
    names.collect()
}

/// Returns the type, the metric and the tags of a series as text.
fn name(series: &Series) -> String {
    let tags: Vec<_> = series
        .tags()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    let kind = series.kind().word();
    match tags.is_empty() {
        true => format!("{kind} {}", series.metric()),
        false => format!("{kind} {}{{{}}}", series.metric(), tags.join(",")),
    }
}
