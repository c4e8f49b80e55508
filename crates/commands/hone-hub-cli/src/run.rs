//! `hone-hub`: the hub from its settings to its end.

use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, anyhow};
use hone_hub::store::Store;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::Semaphore;

use crate::access::Access;
use crate::checker::Checkers;
use crate::figures::Figures;
use crate::http::{Room, Server};
use crate::log;
use crate::pgo::Pgo;
use crate::regressions::Watch;
use crate::settings::{Cost, Experimental, Limits, Place, Settings};
use crate::symbols::{DOWNLOADS_MAX, HubSymbols};
use crate::upkeep::Upkeep;

/// Batches that are being stored at a time: those of a write wait together.
const APPENDS_MAX: usize = 128;

/// What answers share.
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) access: Access,
    pub(crate) checkers: Checkers,
    pub(crate) symbols: HubSymbols,
    pub(crate) figures: Arc<Figures>,
    pub(crate) limits: Limits,
    pub(crate) cost: Option<Cost>,
    pub(crate) experimental: Experimental,
    /// Memory for the bodies of batches.
    pub(crate) room: Arc<Room>,
    /// Turns of batches that are being stored.
    pub(crate) appends: Arc<Semaphore>,
    /// Turns of questions.
    pub(crate) questions: Arc<Semaphore>,
    /// Compiler profiles.
    pub(crate) pgo: Pgo,
}

impl Hub {
    fn open(settings: &Settings) -> Result<Self> {
        let access = Access::open(settings.tokens.clone(), settings.listen.ip())?;
        let figures = Arc::<Figures>::default();
        let checkers = Checkers::start(settings.limits.checkers, &figures)?;
        let store = Store::open(settings.place.location(), settings.store.clone())?;
        if let Place::Folder(folder) = &settings.place {
            // What is uploaded is kept there anyway, and the machine's own place may be in memory.
            let _ = tempfile::env::override_temp_dir(&folder.join("tmp"));
        }
        let confined = checkers.not_confined().is_none();
        let symbols = HubSymbols::open(&store, &settings.symbols, confined, &figures);
        let limits = settings.limits;
        let pgo = Pgo::new(&store, settings.pgo.clone(), confined);
        Ok(Self {
            store,
            access,
            symbols,
            checkers,
            figures,
            limits,
            cost: settings.cost.clone(),
            experimental: settings.experimental,
            room: Arc::new(Room::new(limits.waiting_bytes)),
            appends: Arc::new(Semaphore::new(APPENDS_MAX)),
            questions: Arc::new(Semaphore::new(limits.questions)),
            pgo,
        })
    }

    /// Returns the number of threads for calls that block: one for each turn.
    pub(crate) fn blocking_threads(&self) -> usize {
        let files = self.symbols.settings.uploads + DOWNLOADS_MAX;
        // The last one is for profiles.
        APPENDS_MAX + self.limits.questions + files + 1
    }
}

/// Runs the hub until a signal ends it.
pub(crate) fn run(settings: &Settings) -> Result<()> {
    LazyLock::force(&BEGAN);
    let asked_to_end = watch_signals()?;
    let hub = Arc::new(Hub::open(settings)?);
    let server = Server::start(settings.listen, settings.tls.clone(), Arc::clone(&hub));
    let server = server.with_context(|| {
        format!(
            "cannot listen at {}: choose another address with --listen",
            settings.listen
        )
    })?;
    tell(settings, server.address(), &hub);
    let upkeep = Upkeep::start(Arc::clone(&hub), settings.every)?;
    let symbols = Upkeep::of_symbols(Arc::clone(&hub), settings.every)?;
    let watch = Watch::new(settings.regressions.clone());
    let regressions = Upkeep::of_regressions(hub, settings.every, watch)?;
    asked_to_end
        .recv()
        .map_err(|_| anyhow!("nobody watches for signals any more"))?;
    log::say("ending: requests under way are finished");
    server.end();
    Upkeep::end_all([upkeep, symbols, regressions]);
    Ok(())
}

/// Returns the time in seconds since 1970.
pub(crate) fn now_s() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| since.as_secs())
}

/// When the hub began, by a clock that nobody sets.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Returns the seconds for which the hub has run.
pub(crate) fn up_s() -> u64 {
    BEGAN.elapsed().as_secs()
}

/// Says where the hub is and what comes next, and warns.
fn tell(settings: &Settings, address: SocketAddr, hub: &Hub) {
    let scheme = match settings.tls {
        Some(_) => "https",
        None => "http",
    };
    let place = match &settings.place {
        Place::Folder(folder) => folder.display().to_string(),
        Place::Bucket(bucket) => format!("s3://{}/{}", bucket.name, bucket.prefix),
    };
    log::say(format!(
        "listening at {scheme}://{address}, keeping in {place}"
    ));
    let who = match hub.access.is_open() {
        true => {
            "everybody on this machine may send and ask; for others make tokens: hone-hub token new --help"
        }
        false => "tokens say who may send and ask: hone-hub token list",
    };
    log::say(who);
    log::say(format!(
        "hosts send to {scheme}://{address}/v1/batch; what has come: curl {scheme}://{address}/v1/services"
    ));
    if let Some(why) = hub.checkers.not_confined() {
        log::say(format!(
            "warning: batches and symbols are read by processes that have limits and are not confined, since that cannot be had here: {why}"
        ));
    }
    if settings.tls.is_none() && !address.ip().is_loopback() {
        log::say(
            "warning: tokens and profiles travel readable to others: set [tls], or put a proxy with HTTPS before the hub",
        );
    }
}

/// Watches for SIGTERM and SIGINT: the first is received, a second ends the process at once.
fn watch_signals() -> Result<Receiver<()>> {
    let mut signals = Signals::new([SIGTERM, SIGINT]).context("cannot watch for signals")?;
    let (asked, received) = channel();
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for (before, _) in signals.forever().enumerate() {
                if before > 0 || asked.send(()).is_err() {
                    std::process::exit(1);
                }
            }
        })
        .context("cannot watch for signals")?;
    Ok(received)
}
