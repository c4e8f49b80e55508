//! `hone bench --fleet`: two builds that run side by side, from the series that hone-agent stored or a hub has.

mod show;

use std::process::ExitCode;

use anyhow::Context;
use hone_bench::fleet::{self, Request};

use super::{Args, Expect};

/// Arguments of `--fleet` alone.
#[derive(clap::Args)]
pub(super) struct FleetArgs {
    /// Compare two builds where they run side by side: OLD and NEW are build ids, the beginning of them, or their
    /// executables; exit with 1 unless a gain is proven
    #[arg(long, requires_all = ["from", "new"], conflicts_with_all =
        ["workload", "blocks", "quick", "warmup", "allow_short", "cpu", "duet", "timeout"])]
    pub(super) fleet: bool,
    /// With --fleet: the server that has the agents' series (Prometheus' HTTP API), such as http://127.0.0.1:8428; or
    /// hub:SERVICE for the samples that a hub has of a service
    #[arg(long, value_name = "URL|hub:SERVICE", requires = "fleet")]
    from: Option<String>,
    /// With --fleet: how far back, such as 30m, 6h or 2d [default: 1h]
    #[arg(long, value_name = "TIME", requires = "fleet")]
    since: Option<String>,
    /// With --fleet: the length of a window [default: a 24th of --since, at least 10s, from a hub at least 1m]
    #[arg(long, value_name = "TIME", requires = "fleet")]
    window: Option<String>,
    /// With --fleet: only services whose whole name matches this regular expression
    #[arg(long, value_name = "REGEX", requires = "fleet")]
    service: Option<String>,
    /// With --fleet: the labels that tell instances apart; the first says where they run [default: host,service]
    #[arg(long, value_name = "LABELS", requires = "fleet", value_delimiter = ',')]
    by: Option<Vec<String>>,
}

/// Fetches, compares and reports.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let compared = fleet::compare(request(args)?)?;
    let expect = args.expect.unwrap_or(Expect::Faster);
    args.tell(
        || fleet::stored(&compared),
        || show::text(&compared),
        expect.holds(compared.comparison.verdict),
    )
}

fn request(args: &Args) -> anyhow::Result<Request> {
    let fleet = &args.fleet;
    let new = args.new.clone().context("--fleet compares two builds")?;
    Ok(Request {
        builds: [args.old.clone(), new],
        from: fleet.from.clone().context("--fleet needs --from")?,
        since: fleet.since.clone(),
        window: fleet.window.clone(),
        service: fleet.service.clone(),
        work: args.work.clone(),
        by: fleet.by.clone(),
        confidence: args.confidence,
        seed: args.seed,
    })
}
