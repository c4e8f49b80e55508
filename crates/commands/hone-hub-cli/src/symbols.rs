//! Symbols in the hub's process: what the library needs to read files that come from outside, which builds samples were of,
//! and turns for files that go and come.

pub(crate) mod command;
pub(crate) mod reader;
pub(crate) mod upkeep;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use hone_hub::store::Store;
use hone_hub::symbols::{Lack, Lacking, Symbols};
use hone_hub::view::Places;
use hone_profile::{BinaryKind, BuildId, Profile};
use hone_views::Names;
use tokio::sync::Semaphore;

use crate::figures::Figures;
use crate::log;
use crate::run::now_s;
use crate::settings::SymbolsSettings;
use reader::Reader;

/// Stored files that are sent at a time, each with 8 MiB in memory.
pub(crate) const DOWNLOADS_MAX: usize = 8;
/// Builds of a tenant that are remembered from one round of upkeep to the next. Further ones come again with the next batch.
const SEEN_MAX: usize = 1 << 16;

/// Symbols, and what the hub does with them.
pub(crate) struct HubSymbols {
    pub(crate) library: Symbols,
    pub(crate) settings: SymbolsSettings,
    /// Turns of uploads.
    pub(crate) uploads: Arc<Semaphore>,
    /// Turns of files that are sent.
    pub(crate) downloads: Arc<Semaphore>,
    /// Builds of samples since the last round of upkeep, by tenant.
    seen: Mutex<BTreeMap<String, BTreeSet<BuildId>>>,
}

impl HubSymbols {
    /// Opens the symbols of a store. Files are read by confined processes, if such can be had.
    pub(crate) fn open(
        store: &Store,
        settings: &SymbolsSettings,
        confined: bool,
        figures: &Arc<Figures>,
    ) -> Self {
        let limits = settings.limits.clone();
        let reader = Reader::new(&limits, settings.reader_bytes, confined, figures);
        Self {
            library: Symbols::open(store.objects(), limits, Box::new(reader)),
            settings: settings.clone(),
            uploads: Arc::new(Semaphore::new(settings.uploads)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS_MAX)),
            seen: Mutex::default(),
        }
    }

    /// Remembers builds of samples until the next round of upkeep.
    pub(crate) fn saw(&self, tenant: &str, builds: Vec<BuildId>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let of_tenant = seen.entry(tenant.to_owned()).or_default();
        let room = SEEN_MAX.saturating_sub(of_tenant.len());
        of_tenant.extend(builds.into_iter().take(room));
    }

    /// Returns what was remembered of a tenant, and forgets it.
    fn seen_of(&self, tenant: &str) -> Vec<BuildId> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let builds = seen.remove(tenant).unwrap_or_default();
        builds.into_iter().collect()
    }

    /// Names places of a profile, and returns what each of their files lacks: names, as long as nothing else is known. Where
    /// the storage fails there are no names, since the samples are worth to be looked at without them.
    pub(crate) fn names(
        &self,
        tenant: &str,
        profile: &Profile,
        places: &Places,
    ) -> (Names, Vec<Lacking>) {
        let named = self
            .library
            .name_profile(tenant, profile, places, now_s())
            .unwrap_or_else(|error| {
                log::say_often("names", format!("places have no names now: {error}"));
                Default::default()
            });
        let mut lacking = named.lacking;
        let told = lacking.iter();
        let told: HashSet<(&str, Option<&BuildId>)> = told
            .map(|file| (file.path.as_str(), file.build.as_ref()))
            .collect();
        let files = places.keys().map(|id| profile.binary(*id));
        let others = files
            .filter(|file| {
                let key = (file.path.as_str(), file.build_id.as_ref());
                file.kind == BinaryKind::File && !told.contains(&key)
            })
            .map(|file| Lacking {
                path: file.path.clone(),
                build: file.build_id.clone(),
                lack: Lack::Names,
            });
        let others: Vec<Lacking> = others.collect();
        lacking.extend(others);
        (named.names, lacking)
    }
}
