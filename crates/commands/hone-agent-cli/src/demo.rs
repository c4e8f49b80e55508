//! `hone-agent demo`: an agent, three services that send to it, and a real back end, on free ports and in a directory
//! that is gone afterwards.

mod back_end;
mod children;
mod service;

use std::fs;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use console::Term;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::top;
use back_end::{BackEnd, Row};
use children::Running;
use service::{SERVICES, Service};

/// Longest wait for a process to start, and for the first metrics to arrive.
const PATIENCE: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_millis(500);
/// Lines of each table of `top`.
const TOP_LINES: usize = 5;

#[derive(Args)]
#[command(after_help = "Example:\n  hone-agent demo --stay")]
pub(crate) struct DemoArgs {
    /// How long to go on once metrics have arrived
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    seconds: u64,
    /// Go on until Ctrl-C, to look at charts
    #[arg(long)]
    stay: bool,
    /// Be one of the services
    #[arg(long, value_name = "NAME", hide = true, requires = "directory")]
    service: Option<Service>,
    /// Where the agent of the demo is
    #[arg(long, value_name = "DIRECTORY", hide = true)]
    directory: Option<PathBuf>,
}

pub(crate) fn demo(args: &DemoArgs) -> Result<()> {
    if let (Some(service), Some(directory)) = (args.service, &args.directory) {
        return service.run(directory);
    }
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stopped))?;
    }
    let directory = tempfile::tempdir().context("cannot make a directory for the demo")?;
    let mut back_end = BackEnd::start(directory.path())?;
    wait(&stopped, "the back end", || back_end.is_ready())?;
    let places = Places::choose(directory.path())?;
    let mut agent = places.start_agent(&back_end)?;
    wait(&stopped, "the agent", || {
        agent.complain_if_ended()?;
        Ok(top::asked(places.http, "readyz").is_ok())
    })?;
    println!("back end  {} (victoria-metrics)", back_end.address);
    println!(
        "agent     http://{}/metrics, configured by this:\n",
        places.http
    );
    print!("{}", places.config(&back_end));
    let services: Vec<Running> = SERVICES
        .iter()
        .map(|service| service.start(directory.path()))
        .collect::<Result<_>>()?;
    println!("\nservices  {}\n", names());
    wait(&stopped, "metrics of all services", || {
        Ok(back_end.has_all(&back_end.rows()?))
    })?;
    show(args, &stopped, &mut back_end)?;
    let told = top::asked(places.http, "top")?;
    println!("\nWho sends how much, as `hone-agent top` shows it:\n");
    print!("{}", top::table(&serde_json::from_str(&told)?, TOP_LINES));
    drop(services);
    let said = agent.end()?;
    println!("\nAll are stopped. What the agent counted:\n");
    let figures = said.lines().filter(|line| {
        line.starts_with("hone.agent.values") || line.starts_with("hone.agent.points")
    });
    figures.for_each(|line| println!("  {line}"));
    Ok(())
}

fn names() -> String {
    let names = SERVICES.iter().map(|service| service.about());
    names.collect::<Vec<_>>().join("\n          ")
}

/// Shows what arrives at the back end, for the time that the arguments give.
fn show(args: &DemoArgs, stopped: &AtomicBool, back_end: &mut BackEnd) -> Result<()> {
    let term = Term::stdout();
    let end = Instant::now() + Duration::from_secs(args.seconds);
    let goes_on = || !stopped.load(Ordering::SeqCst) && (args.stay || Instant::now() < end);
    println!(
        "Asked of the back end (charts: {}/vmui):\n",
        back_end.address
    );
    if args.stay {
        println!("Ctrl-C ends.\n");
    }
    let mut rows = back_end.rows()?;
    let mut lines = 0;
    while goes_on() {
        rows = back_end.rows()?;
        if term.is_term() {
            term.clear_last_lines(lines)?;
            let table = table(&rows);
            lines = table.lines().count();
            term.write_str(&table)?;
        }
        thread::sleep(EVERY);
    }
    if !term.is_term() {
        print!("{}", table(&rows));
    }
    Ok(())
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.series.chars().count()).max();
    let width = width.unwrap_or(0);
    let lines = rows
        .iter()
        .map(|row| format!("  {:width$}  {:>12.1}\n", row.series, row.value));
    lines.collect()
}

/// Waits until `is_there` returns true. Fails after [`PATIENCE`], or once `stopped` is set.
fn wait(
    stopped: &AtomicBool,
    what: &str,
    mut is_there: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let end = Instant::now() + PATIENCE;
    while !is_there()? {
        if stopped.load(Ordering::SeqCst) {
            bail!("stopped");
        }
        if Instant::now() > end {
            bail!("waited {} s in vain for {what}", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Addresses of the demo's agent, and the directory with its files.
struct Places {
    directory: PathBuf,
    udp: SocketAddr,
    http: SocketAddr,
}

impl Places {
    /// Chooses ports that are free now. The ports are not reserved until the agent binds them.
    fn choose(directory: &Path) -> Result<Self> {
        let udp = UdpSocket::bind("127.0.0.1:0")?.local_addr()?;
        let http = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        fs::write(directory.join(service::UDP_FILE), udp.to_string())?;
        Ok(Self {
            directory: directory.to_owned(),
            udp,
            http,
        })
    }

    fn config(&self, back_end: &BackEnd) -> String {
        format!(
            "[aggregate]\ninterval_s = 1\n\n[http]\nlisten = \"{}\"\n\n\
             [[listen]]\naddress = \"unixgram:{}\"\n\n[[listen]]\naddress = \"udp:{}\"\n\n\
             [[send]]\nname = \"demo\"\nformat = \"victoria-metrics\"\naddress = \"{}/api/v1/write\"\n",
            self.http,
            self.directory.join(service::SOCKET_FILE).display(),
            self.udp,
            back_end.address
        )
    }

    fn start_agent(&self, back_end: &BackEnd) -> Result<Running> {
        let file = self.directory.join("agent.toml");
        fs::write(&file, self.config(back_end))?;
        let mut command = own_command()?;
        command.arg("run").arg("--config").arg(file);
        Running::start("the agent", command, &self.directory.join("agent.log"))
    }
}

/// Returns a command that runs this program again.
fn own_command() -> Result<Command> {
    let own =
        std::env::current_exe().map_err(|error| anyhow!("cannot find this program: {error}"))?;
    Ok(Command::new(own))
}
