//! The JSON file of a fleet: everything needed to judge the verdict, or to judge it again.

use std::collections::BTreeMap;

use hone_measure::fleet::{Fleet, FleetComparison};
use hone_run::clock;
use serde::Serialize;

use super::{Compared, Known};
use crate::result_file::in_one_line;

/// Version of the file's layout.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Stored<'a> {
    format: u32,
    hone_version: &'static str,
    finished_at: String,
    /// Build ids, old and new.
    builds: [&'a str; 2],
    from: &'a str,
    service: Option<&'a str>,
    work: Option<&'a str>,
    by: &'a [String],
    /// Start in seconds since 1970, and length of the windows.
    start_s: i64,
    window_s: i64,
    /// Seconds throttled, and CPU seconds of processes that the agent did not see; old and new. Not from a hub.
    #[serde(skip_serializing_if = "Option::is_none")]
    throttled_s: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unattributed_s: Option<[f64; 2]>,
    /// From a hub: the standard error of the CPU time of an instance in a window, as a share of it, and the hosts that are
    /// left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hosts_left_out: Option<usize>,
    /// Work by its other labels, old and new.
    mix: &'a BTreeMap<String, [f64; 2]>,
    windows_left_out: usize,
    comparison: &'a FleetComparison,
    fleet: &'a Fleet,
}

/// Returns the content of the JSON file.
///
/// # Errors
///
/// Returns an error if a number has no form in JSON.
pub fn stored(compared: &Compared) -> anyhow::Result<Vec<u8>> {
    let plan = &compared.plan;
    let (mut metered, mut sampled) = (None, None);
    match compared.known {
        Known::Metered {
            throttled_s,
            unattributed_s,
        } => metered = Some((throttled_s, unattributed_s)),
        Known::Sampled {
            error,
            hosts_left_out,
        } => sampled = Some((error, hosts_left_out)),
    }
    in_one_line(&Stored {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        finished_at: clock::now_utc(),
        builds: [&compared.builds[0].id, &compared.builds[1].id],
        from: &plan.from,
        service: plan.service.as_deref(),
        work: plan.work.as_deref(),
        by: &plan.by,
        start_s: plan.grid.start_s,
        window_s: plan.grid.window_s,
        throttled_s: metered.map(|(throttled_s, _)| throttled_s),
        unattributed_s: metered.map(|(_, unattributed_s)| unattributed_s),
        sampling_error: sampled.map(|(error, _)| error),
        hosts_left_out: sampled.map(|(_, hosts)| hosts),
        mix: &compared.gathered.mix,
        windows_left_out: compared.gathered.left_out,
        comparison: &compared.comparison,
        fleet: &compared.fleet,
    })
}
