//! Compiler profiles of services: made by a process that may do nothing else, kept while they are about the same, signed.
//!
//! ```text
//! store ──batches of 6 hours──▶ maker (a confined process) ◀──files of builds── symbols
//!                                 │
//! TENANT/pgo/SERVICE/FORM.tar ◀──sign── fit, and different enough?
//! ```
//!
//! Constraints that shaped this module ([0060](../../../../docs/decisions/0060-one-profile-of-a-fleet.md)):
//! - Whoever makes profiles steers compilers: that is a scope of its own, and what a profile needs to be fit stands in the
//!   hub's settings, not in requests.
//! - Uploaded files and batches come from outside, so they are parsed where no key and no other file is at hand.
//! - A published profile is one object, so that profile, manifest and signature always belong together, whichever replica
//!   wrote last.

mod bundle;
pub(crate) mod child;
pub(crate) mod client;
mod files;
mod maker;
mod request;
mod talk;

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use hone_hub::pgo::{Recorded, Wanted, recorded, retain};
use hone_hub::question::NoAnswer;
use hone_hub::store::objects::Objects;
use hone_hub::store::{Store, StoreError};
use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{InProcess, Symbols};
use hone_pgo::{Decision, Former, Manifest, SecretKey, Settings, capped_hosts, hosts_of_few};
use tokio::sync::Semaphore;

use crate::log;
use crate::settings::PgoSettings;
use bundle::Bundle;
use files::Files;
use maker::{Made, Maker};
pub(crate) use request::{Asked, form};
use talk::{Ask, Named};

/// Header that says what became of the former profile.
pub(crate) const DECISION: &str = "hone-decision";

/// What became of a question for a profile.
pub(crate) enum Outcome {
    /// The profile that is in use from now on.
    Published {
        /// Profile, manifest and signature.
        bundle: Vec<u8>,
        /// What became of the former profile.
        decision: Decision,
    },
    /// There is no profile that is fit; the manifest says why.
    Unfit(Vec<u8>),
}

/// Reason why there is no answer.
pub(crate) enum Failed {
    /// There are no samples to make a profile of.
    NoAnswer(NoAnswer),
    /// What there is cannot be made a profile of.
    Cannot(String),
    /// The hub failed: ask again later.
    Hub(String),
}

/// What makes profiles and keeps them.
pub(crate) struct Pgo {
    objects: Arc<dyn Objects>,
    symbols: Symbols,
    settings: PgoSettings,
    maker: Maker,
    /// Turns: one profile is made at a time, since that takes much memory.
    pub(crate) turns: Arc<Semaphore>,
}

impl Pgo {
    pub(crate) fn new(store: &Store, settings: PgoSettings, is_confined: bool) -> Self {
        let objects = store.objects();
        // Files are only handed on here, and parsed by the maker.
        let parser = Box::new(InProcess::default());
        Self {
            symbols: Symbols::open(Arc::clone(&objects), Limits::default(), parser),
            objects,
            maker: Maker::new(settings.memory_bytes, is_confined),
            settings,
            turns: Arc::new(Semaphore::new(1)),
        }
    }

    /// Returns the profile that was published; `None` if there is none.
    pub(crate) fn published(&self, tenant: &str, asked: &Asked) -> Result<Option<Vec<u8>>, Failed> {
        let name = asked.object(tenant);
        let bytes = self.objects.get(&name);
        bytes.map_err(|error| Failed::Hub(format!("cannot read {name}: {error}")))
    }

    /// Removes what is kept no longer.
    pub(crate) fn retain(&self, store: &Store, tenant: &str) -> Result<u64, StoreError> {
        retain(store, &self.symbols, tenant)
    }

    /// Makes a profile, and publishes it if it is fit and different enough from the one in use.
    pub(crate) fn make(
        &self,
        store: &Store,
        tenant: &str,
        asked: &Asked,
        now_s: u64,
        rows_max: usize,
    ) -> Result<Outcome, Failed> {
        let settings = self.settings.of(&asked.service);
        let record =
            |apart: &[String]| self.recorded(store, tenant, asked, (now_s, rows_max), apart);
        let published = self.published(tenant, asked)?;
        let former = published.and_then(|bytes| former(&bytes, asked));
        let mut ask = ask(asked, settings, now_s, former.is_some());
        let mut recorded = record(&[])?;
        let apart = Apart::of(&ask, &recorded);
        if !apart.hosts.is_empty() {
            recorded = match record(&apart.hosts) {
                // Halves are steps of time then.
                Err(Failed::NoAnswer(NoAnswer::TooManyRows { .. })) if !apart.is_capped => recorded,
                apart => apart?,
            };
        }
        (ask.batches, ask.sums) = (recorded.batches.len(), recorded.sums.len());
        let mut files = Files::new(&self.symbols, tenant, self.settings.memory_bytes / 2);
        let made = self
            .maker
            .make(&ask, former.as_ref(), recorded, &mut files)?;
        let manifest = checked(&made, asked).map_err(|error| Failed::Hub(format!("{error:#}")))?;
        if !manifest.is_fit() {
            return Ok(Outcome::Unfit(made.manifest));
        }
        let bundle = self.publish(tenant, asked, &manifest, &made, former)?;
        let decision = made.decision;
        Ok(Outcome::Published { bundle, decision })
    }

    /// Returns the hosts whose rows a profile needs apart from the others.
    pub(crate) fn hosts_apart(
        &self,
        store: &Store,
        tenant: &str,
        asked: &Asked,
        now_s: u64,
        rows_max: usize,
    ) -> Result<Vec<String>, Failed> {
        let recorded = self.recorded(store, tenant, asked, (now_s, rows_max), &[])?;
        let ask = ask(asked, self.settings.of(&asked.service), now_s, false);
        Ok(Apart::of(&ask, &recorded).hosts)
    }

    /// Reads what a profile is made of.
    fn recorded(
        &self,
        store: &Store,
        tenant: &str,
        asked: &Asked,
        (now_s, rows_max): (u64, usize),
        hosts_apart: &[String],
    ) -> Result<Recorded, Failed> {
        let settings = self.settings.of(&asked.service);
        let label = settings.strata.as_ref().map(|strata| strata.label.as_str());
        let wanted = Wanted {
            service: &asked.service,
            window_s: settings.window_s,
            label,
            now_s,
            rows_max,
            hosts_apart,
            has_stacks: asked.form.needs_stacks(),
        };
        recorded(store, tenant, &wanted).map_err(Failed::NoAnswer)
    }

    /// Writes what is in use from now on, unless it is there.
    fn publish(
        &self,
        tenant: &str,
        asked: &Asked,
        manifest: &Manifest,
        made: &Made,
        former: Option<Bundle>,
    ) -> Result<Vec<u8>, Failed> {
        let key = self.settings.key.as_deref();
        let is_kept = matches!(made.decision, Decision::Kept { .. });
        // The manifest's very bytes stay with the profile. Its signature is of the key that the hub has now.
        let (bundle, is_there) = match former.filter(|_| is_kept) {
            Some(former) => match is_signed(&former, key) {
                true => (former, true),
                false => (former.signed(key), false),
            },
            None => {
                let bundle = Bundle {
                    manifest: made.manifest.clone(),
                    profile: made.profile.clone(),
                    signature: None,
                };
                (bundle.signed(key), false)
            }
        };
        let cannot =
            |error: anyhow::Error| Failed::Hub(format!("cannot write the profile: {error:#}"));
        let bytes = bundle.write(manifest).map_err(cannot)?;
        if !is_there {
            let name = asked.object(tenant);
            let put = self.objects.put(&name, &bytes);
            put.map_err(|error| cannot(anyhow!(error).context(name)))?;
        }
        Ok(bytes)
    }
}

/// Hosts whose rows are read apart from the others.
struct Apart {
    hosts: Vec<String>,
    /// True if some of them weigh too much, and cannot be left together with the others.
    is_capped: bool,
}

impl Apart {
    fn of(ask: &Ask, recorded: &Recorded) -> Self {
        let build = ask.build();
        let question = ask.question(build.as_ref(), recorded, None);
        let (capped, few) = (capped_hosts(&question), hosts_of_few(&question));
        Self {
            is_capped: !capped.is_empty(),
            hosts: if few.is_empty() { capped } else { few },
        }
    }
}

/// True if the signature is that of the key; without a key it does not matter.
fn is_signed(bundle: &Bundle, key: Option<&SecretKey>) -> bool {
    let signature = bundle.signature.as_deref().unwrap_or_default();
    key.is_none_or(|key| key.public().verify(&bundle.manifest, signature).is_ok())
}

/// Returns the published profile as the former one; `None`, and a line in the log, if it is damaged.
fn former(bytes: &[u8], asked: &Asked) -> Option<Bundle> {
    let read = Bundle::read(bytes).and_then(|bundle| {
        Former::read(&bundle.manifest, bundle.profile.clone())?;
        Ok(bundle)
    });
    read.map_err(|error| {
        log::say(format!(
            "the published profile {} of {} is damaged, and a new one takes its place: {error:#}",
            asked.form.name(),
            asked.service
        ));
    })
    .ok()
}

/// Returns the question before anything is recorded for it.
fn ask(asked: &Asked, settings: &Settings, now_s: u64, has_former: bool) -> Ask {
    Ask {
        service: asked.service.clone(),
        form: asked.form,
        now_s,
        target: asked.binary.as_ref().map(|build| Named {
            build: build.to_string(),
            name: asked.name.clone(),
        }),
        settings: settings.clone(),
        has_former,
        batches: 0,
        sums: 0,
    }
}

/// Checks what can be checked of what a maker says, which has read files from outside.
fn checked(made: &Made, asked: &Asked) -> Result<Manifest> {
    let manifest = Manifest::read(&made.manifest).context("the maker of profiles")?;
    if manifest.service != asked.service || manifest.form != asked.form {
        return Err(anyhow!("the maker of profiles made another one"));
    }
    manifest
        .check(&made.profile)
        .context("the maker of profiles")?;
    Ok(manifest)
}
