//! Figures of symbols.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use hone_hub::symbols::{Fetched, RetainedSymbols, UsedBySymbols};

use super::{Counter, Ends, Page};

/// What was done with files with symbols.
#[derive(Debug, Default)]
pub(crate) struct SymbolsFigures {
    pub(crate) uploads: Ends,
    pub(crate) upload_bytes: Counter,
    pub(crate) downloads: Ends,
    pub(crate) readers_lost: Counter,
    fetched: [Counter; 3],
    removed_builds: Counter,
    usage: Mutex<BTreeMap<String, UsedBySymbols>>,
}

impl SymbolsFigures {
    pub(crate) fn fetched(&self, done: &Fetched) {
        let counts = [done.found.len(), done.absent.len(), done.failed.len()];
        for (counter, count) in self.fetched.iter().zip(counts) {
            counter.add(count as u64);
        }
    }

    pub(crate) fn retained(&self, done: &RetainedSymbols) {
        self.removed_builds.add(done.builds);
    }

    pub(crate) fn uses(&self, tenant: &str, used: UsedBySymbols) {
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        usage.insert(tenant.to_owned(), used);
    }

    pub(super) fn expose(&self, page: &mut Page) {
        page.ends(
            "symbol_uploads",
            "Files with symbols that were sent, by what became of them.",
            &self.uploads,
        );
        page.counter(
            "symbol_upload_bytes",
            "Bytes of files with symbols that were taken.",
            self.upload_bytes.get(),
        );
        page.ends(
            "symbol_downloads",
            "Requests for files with symbols, by what became of them.",
            &self.downloads,
        );
        page.counter(
            "symbol_readers_lost",
            "Processes that read files with symbols, which died or were killed.",
            self.readers_lost.get(),
        );
        let name = "symbol_fetches_total";
        page.family(
            name,
            "counter",
            "Files that servers of debuginfod were asked for, by what came.",
        );
        for (outcome, counter) in ["found", "absent", "failed"].iter().zip(&self.fetched) {
            page.sample(name, &format!("{{outcome=\"{outcome}\"}}"), counter.get());
        }
        page.counter(
            "symbol_builds_removed",
            "Builds whose files were removed, by age or size.",
            self.removed_builds.get(),
        );
        let usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, help, value) in [
            (
                "symbol_builds",
                "Builds with files at the last look, by tenant.",
                (|used| used.builds) as fn(&UsedBySymbols) -> u64,
            ),
            (
                "symbol_bytes",
                "Bytes of files with symbols and tables of names at the last look, by tenant.",
                |used| used.bytes,
            ),
        ] {
            page.family(name, "gauge", help);
            for (tenant, used) in usage.iter() {
                page.sample(name, &format!("{{tenant=\"{tenant}\"}}"), value(used));
            }
        }
    }
}
