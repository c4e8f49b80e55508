//! `hone record --to-hub`: the whole machine in rounds, whose sums go to a hub, until somebody ends it.

use std::env;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow};
use hone_collect::{
    BranchSource, Branches, Event, Figures, Options, Token, collect, run_by_chance,
};
use hone_files::advice::Advise;
use hone_record::RecordError;
use hone_run::process::interrupt;
use indicatif::{HumanBytes, HumanCount, ProgressBar};

use super::hints::with_next_step;

/// Variable with the token, where no file is named.
const TOKEN_VARIABLE: &str = "HONE_HUB_TOKEN";
/// Longest time for which the end of a command, or an interrupt, is not seen.
const LOOK: Duration = Duration::from_millis(100);

#[derive(clap::Args)]
pub(super) struct HubArgs {
    /// Send sums of what all processes do to the hub at this address, round by round, and write no recording; with -a, until
    /// Ctrl-C, --duration or the end of the command. Branch records are made with --branches lbr or walk, or if one of the
    /// options below asks for them
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = [
            "pid", "cgroup", "output", "keep_stacks", "sampler", "walker", "snapshot", "walk_length", "walks", "walk_steps",
            "branch_depth", "seed", "json"
        ]
    )]
    pub(super) to_hub: Option<String>,
    /// File with the token that the hub asks for [default: the variable HONE_HUB_TOKEN]
    #[arg(long, value_name = "FILE", requires = "to_hub")]
    token_file: Option<PathBuf>,
    /// Certificates (PEM) of authorities to trust at the hub instead of the machine's
    #[arg(long, value_name = "FILE", requires = "to_hub")]
    hub_authorities: Option<PathBuf>,
    /// Services that get branch records, with commas between [default: processes are drawn for each round]
    #[arg(
        long,
        value_name = "SERVICE",
        value_delimiter = ',',
        requires = "to_hub"
    )]
    branches_of: Vec<String>,
    /// What branch records may cost, of the machine's CPU time [default: 0.2%]
    #[arg(long, value_name = "SHARE", value_parser = hone_build::quantity::share, requires = "to_hub")]
    branches_budget: Option<f64>,
    /// Duration of a round, after which its sums are sent [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = hone_build::quantity::seconds, requires = "to_hub")]
    round: Option<f64>,
    /// Folder in which batches wait while the hub is away
    #[arg(
        long,
        value_name = "DIR",
        default_value = "hone.queue",
        requires = "to_hub"
    )]
    queue: PathBuf,
}

/// Collects until Ctrl-C, the end of the duration or of the command.
pub(super) fn run(args: &super::Args, hub: &str) -> Result<ExitCode> {
    let options = options(args, hub)?;
    let is_new = !options.folder.exists();
    let figures = Mutex::new(Figures::default());
    let bar = ProgressBar::new_spinner();
    let tell = |event: Event| {
        let mut figures = figures.lock().unwrap_or_else(PoisonError::into_inner);
        figures.note(&event);
        bar.set_message(so_far(&figures));
        bar.tick();
        if let Some(line) = worth_saying(&event) {
            bar.suspend(|| eprintln!("hone: {line}"));
        }
    };
    let stop = AtomicBool::new(false);
    let (outcome, exit) = thread::scope(|scope| {
        let collecting = scope.spawn(|| collect(&options, &stop, &tell));
        let exit = wait(args, || collecting.is_finished());
        stop.store(true, Ordering::Relaxed);
        let outcome = collecting
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (outcome, exit)
    });
    bar.finish_and_clear();
    outcome.map_err(advised)?;
    let figures = figures.into_inner().unwrap_or_else(PoisonError::into_inner);
    if is_new && figures.batches_waiting == 0 {
        remove(&options.folder);
    }
    eprint!("{}", described(&figures, &options));
    Ok(ExitCode::from(match exit? {
        0 => u8::from(!has_all(&figures)),
        code => u8::try_from(code).unwrap_or(u8::MAX),
    }))
}

fn options(args: &super::Args, hub: &str) -> Result<Options> {
    if !args.all_cpus {
        return Err(anyhow!("--to-hub is for the whole machine"))
            .next("add -a: hone record --to-hub URL -a");
    }
    let of_hub = &args.hub;
    let wants_branches = !of_hub.branches_of.is_empty() || of_hub.branches_budget.is_some();
    let source = match args.branches {
        super::Branches::Auto if wants_branches => BranchSource::Auto,
        super::Branches::Auto | super::Branches::None => BranchSource::None,
        super::Branches::Lbr => BranchSource::Lbr,
        super::Branches::Walk => BranchSource::Walk,
    };
    let authorities = of_hub.hub_authorities.as_ref().map(|file| {
        fs::read(file).with_context(|| format!("--hub-authorities {}", file.display()))
    });
    let variable = env::var(TOKEN_VARIABLE).ok();
    let token = of_hub.token_file.clone().map(Token::File);
    let token = token.or(variable.filter(|text| !text.is_empty()).map(Token::Text));
    if let Some(token) = &token {
        token
            .read()
            .with_context(|| format!("{token:?}"))
            .next("name a file with a token of `hone-hub token new`, with --token-file")?;
    }
    let host = rustix::system::uname();
    let host = host.nodename().to_string_lossy().into_owned();
    let usual = Options::new(hub, host, &of_hub.queue);
    let round = of_hub.round.map(Duration::try_from_secs_f64).transpose()?;
    let options = Options {
        token,
        authorities: authorities.transpose()?,
        round: round.unwrap_or(usual.round),
        frequency_hz: args.frequency.unwrap_or(usual.frequency_hz),
        call_graph: args.call_graph.unwrap_or(usual.call_graph),
        cpu_share_max: args.overhead.unwrap_or(usual.cpu_share_max),
        branches: Branches {
            source,
            services: of_hub.branches_of.clone(),
            cpu_share_max: of_hub
                .branches_budget
                .unwrap_or(usual.branches.cpu_share_max),
        },
        run: run_by_chance()?,
        ..usual
    };
    options
        .check()
        .next("see hone record --help; the guide is docs/agent/profiles.md")?;
    Ok(options)
}

/// Waits for the end of the command, of the duration, an interrupt, or that the collector ends by itself. Returns the command's
/// exit status if it has ended; it runs on otherwise.
fn wait(args: &super::Args, has_ended: impl Fn() -> bool) -> Result<i32> {
    let interrupted = interrupt::watch();
    let end = args.duration.map(Duration::try_from_secs_f64);
    let end = end.and_then(|time| Instant::now().checked_add(time.ok()?));
    let mut command = start(args)?;
    loop {
        if let Some(child) = &mut command
            && let Some(status) = child.try_wait().context("the command")?
        {
            return Ok(status
                .code()
                .unwrap_or_else(|| 128 + status.signal().unwrap_or(0)));
        }
        let is_over = end.is_some_and(|end| Instant::now() >= end);
        if is_over || interrupted.load(Ordering::Relaxed) || has_ended() {
            return Ok(0);
        }
        thread::sleep(LOOK);
    }
}

fn start(args: &super::Args) -> Result<Option<Child>> {
    let Some((program, arguments)) = args.command.split_first() else {
        return Ok(None);
    };
    let child = Command::new(program).args(arguments).spawn();
    let child = child
        .with_context(|| program.to_string_lossy().into_owned())
        .next("name a program that your shell would run")?;
    Ok(Some(child))
}

/// Adds the next step to a reason why there is no first round.
fn advised(error: Error) -> Error {
    match error.downcast::<RecordError>() {
        Ok(error) => with_next_step(error),
        Err(error) => error,
    }
}

/// Removes the folder that was made for this run, as far as nothing is in it.
fn remove(folder: &Path) {
    let _ = fs::remove_file(folder.join("lock"));
    let _ = fs::remove_dir(folder.join("queue"));
    let _ = fs::remove_dir(folder);
}

fn so_far(figures: &Figures) -> String {
    format!(
        "{} rounds, {} samples, {} branch records, {} batches sent, {} waiting",
        figures.rounds,
        HumanCount(figures.samples),
        HumanCount(figures.branch_records),
        figures.batches_sent,
        figures.batches_waiting
    )
}

fn worth_saying(event: &Event) -> Option<String> {
    match event {
        Event::Paced(paced) if paced.steps_down > 0 || !paced.unwinds => Some(paced.to_string()),
        Event::BranchesFailed(why) => Some(format!("no branch records in this round: {why}")),
        Event::Refused(why) => Some(format!("the hub has refused a batch, which is lost: {why}")),
        Event::Waiting(why) => Some(format!("batches wait for the hub: {why}")),
        Event::Dropped(batches) => Some(format!("{batches} batches dropped, as there is no room")),
        Event::Failed(why) => Some(format!("a round failed, the next is tried: {why}")),
        _ => None,
    }
}

/// True if the hub has all that was recorded.
fn has_all(figures: &Figures) -> bool {
    figures.batches_waiting + figures.batches_refused + figures.batches_dropped == 0
}

/// Returns the summary for people.
fn described(figures: &Figures, options: &Options) -> String {
    let mut lines = vec![format!(
        "{} rounds: {} samples, {} branch records; {} batches sent ({})",
        figures.rounds,
        HumanCount(figures.samples),
        HumanCount(figures.branch_records),
        figures.batches_sent,
        HumanBytes(figures.sent_bytes)
    )];
    lines.push(format!(
        "cost: {:.2} s of CPU, {:.2} % of the machine; {} of memory",
        figures.cpu_s,
        100.0 * figures.cpu_s / figures.host_s.max(f64::MIN_POSITIVE),
        HumanBytes(figures.memory_bytes)
    ));
    for (count, what) in [
        (figures.samples_lost, "samples lost by the kernel"),
        (
            figures.samples_folded,
            "samples lost their callers: too many new stacks in a round",
        ),
        (
            figures.samples_coarse,
            "samples lost thread and labels: too many groups in a round",
        ),
        (
            figures.places_left_out,
            "places are told as their file: too many in a round",
        ),
        (
            figures.branches_left_out,
            "branches left out: too many in a round",
        ),
        (
            figures.batches_refused,
            "batches refused by the hub, and lost",
        ),
        (
            figures.batches_dropped,
            "batches dropped, as there was no room",
        ),
    ] {
        if count > 0 {
            lines.push(format!("lost: {} {what}", HumanCount(count)));
        }
    }
    if figures.batches_waiting > 0 {
        lines.push(format!(
            "not sent: {} batches wait in {}; the next run with this folder sends them",
            figures.batches_waiting,
            options.folder.display()
        ));
    }
    lines.join("\n") + "\n"
}
