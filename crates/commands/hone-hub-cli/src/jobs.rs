//! `hone-hub jobs`: work that a running hub does by itself, done once, also over rows that another engine has added up.
//!
//! What an engine hands over are sums of integers. Names, statistics and profiles are made here, by the code of the running hub, so that the
//! answers are the same to the last digit ([0070](../../../../docs/decisions/0070-engines-add-up.md)).

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use hone_hub::regressions::Regressions;
use hone_hub::store::{PreparedStore, Store};
use hone_pgo::Form;
use serde_json::json;

use crate::checker::Checkers;
use crate::figures::Figures;
use crate::log;
use crate::pgo::{Asked, Failed, Outcome, Pgo, form};
use crate::regressions::{ROWS_PART, in_words};
use crate::run::now_s;
use crate::settings::{Place, Settings};
use crate::symbols::HubSymbols;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Look for regressions of all services, as far as looks are due
    ///
    /// Steps and findings are kept in the store, where running hubs show them and post them to their webhook. Prints a line of JSON for each service.
    Regressions {
        #[command(flatten)]
        over: Over,
    },
    /// Make the compiler profile of a service, and publish it
    ///
    /// Prints a line of JSON. With `hosts_apart` in it nothing was made: rows have to be added up with these hosts told apart.
    /// Exit status: 0 done, 1 the profile may not be used, 2 something else went wrong.
    Pgo {
        /// The service, as the hub lists it
        service: String,
        /// Form of the profile, such as autofdo-extbinary, bolt-fdata or go-pgo
        #[arg(long, default_value = "autofdo-extbinary", value_parser = form)]
        form: Form,
        #[command(flatten)]
        over: Over,
    },
}

/// What a job is over.
#[derive(clap::Args)]
pub(crate) struct Over {
    /// Rows that an engine has added up, in a directory or at s3://NAME/PREFIX [default: the store's own tables]
    #[arg(long, value_name = "PLACE")]
    rows: Option<String>,
    /// The tenant
    #[arg(long, value_name = "NAME", default_value = "default")]
    tenant: String,
    /// Do what would be done at this second since 1970 [default: now]
    #[arg(long, value_name = "SECONDS")]
    at: Option<u64>,
}

/// Does a job; returns false if a profile may not be used.
pub(crate) fn run(command: &Command, settings: &Settings) -> Result<bool> {
    match command {
        Command::Regressions { over } => look(over, settings).map(|()| true),
        Command::Pgo {
            service,
            form,
            over,
        } => profile(service, *form, over, settings),
    }
}

impl Over {
    fn now_s(&self) -> u64 {
        self.at.unwrap_or_else(now_s)
    }

    /// Opens the store with the rows, if there are any.
    fn open(&self, settings: &Settings) -> Result<Opened> {
        let main = settings.place.location();
        let Some(rows) = &self.rows else {
            let store = Store::open(main, settings.store.clone());
            let store = store.context("cannot open the store: a folder is open in one process at a time, so stop the hub first if it runs")?;
            return Ok(Opened::Own(store));
        };
        let location = place(rows, &settings.place)?.location();
        let opened = Store::open_prepared(main, location, &self.tenant, settings.store.clone());
        let opened = opened.with_context(|| {
            format!("cannot open the store with the rows in {rows}: add them up anew, and stop the hub first if its store is a folder")
        })?;
        if opened.segments_left_out > 0 {
            let count = opened.segments_left_out;
            log::say(format!(
                "{count} segments are not compacted yet, and their batches are not counted: a hub does that within an hour"
            ));
        }
        Ok(Opened::Prepared(opened))
    }
}

/// A store, with its own rows or with those of an engine.
enum Opened {
    Own(Store),
    Prepared(PreparedStore),
}

impl Opened {
    fn store(&self) -> &Store {
        match self {
            Self::Own(store) => store,
            Self::Prepared(prepared) => &prepared.store,
        }
    }
}

/// Returns the place of rows: a bucket is reached as that of the store.
fn place(rows: &str, main: &Place) -> Result<Place> {
    let Some(named) = rows.strip_prefix("s3://") else {
        return Ok(Place::Folder(PathBuf::from(rows)));
    };
    let (name, prefix) = named.split_once('/').unwrap_or((named, ""));
    ensure!(
        !name.is_empty(),
        "{rows:?} is no bucket; write s3://NAME/PREFIX"
    );
    let mut bucket = match main {
        Place::Bucket(bucket) => bucket.clone(),
        Place::Folder(_) => Default::default(),
    };
    name.clone_into(&mut bucket.name);
    prefix.trim_matches('/').clone_into(&mut bucket.prefix);
    Ok(Place::Bucket(bucket))
}

fn look(over: &Over, settings: &Settings) -> Result<()> {
    let opened = over.open(settings)?;
    let (store, tenant) = (opened.store(), &over.tenant);
    let figures = Default::default();
    let confined = is_confined(&figures)?;
    let symbols = HubSymbols::open(store, &settings.symbols, confined, &figures);
    let thresholds = settings.regressions.thresholds;
    let rows_max = (settings.limits.question_rows / ROWS_PART).max(1);
    let library = Some(&symbols.library);
    let regressions = Regressions::of(store, tenant, library, thresholds, rows_max)?;
    let (services, left_out) = regressions.services(over.now_s())?;
    if left_out > 0 {
        let looked = services.len();
        log::say(format!(
            "{left_out} services are not looked at for regressions: the {looked} with most bytes are"
        ));
    }
    for service in services {
        if let Opened::Prepared(PreparedStore { days_left_out, .. }) = &opened {
            let days = days_left_out.get(&service.name);
            let days = days.map_or(&[][..], Vec::as_slice);
            let missing = regressions.to_gather(&service.name, days, over.now_s())?;
            ensure!(
                missing.is_empty(),
                "the rows lack days of the service {:?} of which no steps are kept: {}; add up more days",
                service.name,
                missing.join(", ")
            );
        }
        let (looks, state) = regressions
            .look_at(&service, over.now_s())
            .with_context(|| format!("cannot look at the service {:?}", service.name))?;
        let told: Vec<String> = state.standings.told().map(in_words).collect();
        let line = json!({
            "service": service.name,
            "looks": looks,
            "tested": state.tested,
            "told": told,
            "no_claim_over_time": state.no_claim_over_time,
            "no_claim_of_builds": state.no_claim_of_builds,
        });
        println!("{line}");
    }
    Ok(())
}

fn profile(service: &str, form: Form, over: &Over, settings: &Settings) -> Result<bool> {
    let opened = over.open(settings)?;
    let store = opened.store();
    let (tenant, now_s, rows_max) = (&over.tenant, over.now_s(), settings.limits.question_rows);
    let asked = Asked {
        service: service.to_owned(),
        form,
        binary: None,
        name: String::new(),
    };
    let pgo = Pgo::new(
        store,
        settings.pgo.clone(),
        is_confined(&Default::default())?,
    );
    if let Opened::Prepared(PreparedStore { hosts_apart, .. }) = &opened {
        let apart = hosts_apart.as_deref().unwrap_or_default();
        let needed = pgo.hosts_apart(store, tenant, &asked, now_s, rows_max);
        let needed = needed.map_err(failed)?;
        if needed.iter().any(|host| !apart.contains(host)) {
            println!("{}", json!({ "hosts_apart": needed }));
            return Ok(true);
        }
    }
    match pgo.make(store, tenant, &asked, now_s, rows_max) {
        Ok(Outcome::Published { bundle, decision }) => {
            let object = asked.object(tenant);
            let line = json!({"published": object, "bytes": bundle.len(), "decision": decision});
            println!("{line}");
            Ok(true)
        }
        Ok(Outcome::Unfit(manifest)) => {
            println!("{}", String::from_utf8_lossy(&manifest));
            Ok(false)
        }
        Err(why) => Err(failed(why)),
    }
}

/// True if files from outside can be read by processes that may do nothing else, as a hub has it.
fn is_confined(figures: &std::sync::Arc<Figures>) -> Result<bool> {
    Ok(Checkers::start(0, figures)?.not_confined().is_none())
}

fn failed(why: Failed) -> anyhow::Error {
    match why {
        Failed::NoAnswer(why) => anyhow::anyhow!(why),
        Failed::Cannot(why) | Failed::Hub(why) => anyhow::anyhow!(why),
    }
}
