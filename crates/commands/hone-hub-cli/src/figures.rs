//! What the hub counts of itself, and how Prometheus reads it.

mod symbols;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hone_hub::other_tools::LeftOut;
use hone_hub::store::{Compacted, Retained, Usage};
use hyper::StatusCode;

use crate::clocks::Clocks;
use symbols::SymbolsFigures;

/// A number that grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Requests of a kind, by how they ended.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    done: Counter,
    refused: Counter,
    failed: Counter,
}

impl Ends {
    /// Counts an answer: 5xx are failures of the hub, 4xx are refused.
    pub(crate) fn count(&self, status: StatusCode) {
        let counter = match () {
            () if status.is_success() => &self.done,
            () if status.is_server_error() => &self.failed,
            () => &self.refused,
        };
        counter.add(1);
    }
}

/// All figures.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) batches: Ends,
    pub(crate) batch_bytes: Counter,
    pub(crate) questions: Ends,
    pub(crate) others: Others,
    pub(crate) denied: Counter,
    pub(crate) clocks: Clocks,
    pub(crate) checkers_started: Counter,
    pub(crate) checkers_lost: Counter,
    pub(crate) upkeep_errors: Counter,
    pub(crate) symbols: SymbolsFigures,
    pub(crate) looks: Counter,
    pub(crate) regressions: Counter,
    pub(crate) webhooks: Ends,
    upkeep: Mutex<Upkeep>,
}

/// What other tools sent that is in no batch.
#[derive(Debug, Default)]
pub(crate) struct Others {
    not_cpu: Counter,
    samples: Counter,
    labels: Counter,
}

impl Others {
    pub(crate) fn count(&self, left_out: &LeftOut) {
        self.not_cpu.add(left_out.not_cpu);
        self.samples.add(left_out.samples);
        self.labels.add(left_out.labels);
    }
}

#[derive(Debug, Default)]
struct Upkeep {
    compacted: Compacted,
    retained: Retained,
    usage: BTreeMap<String, Usage>,
    /// Regressions that stand, by tenant and service.
    standing: BTreeMap<(String, String), u64>,
}

impl Figures {
    pub(crate) fn compacted(&self, done: &Compacted) {
        self.with_upkeep(|upkeep| upkeep.compacted.add(done));
    }

    pub(crate) fn retained(&self, done: &Retained) {
        self.with_upkeep(|upkeep| upkeep.retained.add(done));
    }

    pub(crate) fn uses(&self, tenant: &str, usage: Usage) {
        self.with_upkeep(|upkeep| upkeep.usage.insert(tenant.to_owned(), usage));
    }

    /// Notes how many regressions of a service stand.
    pub(crate) fn stand(&self, tenant: &str, service: &str, count: u64) {
        let key = (tenant.to_owned(), service.to_owned());
        self.with_upkeep(|upkeep| upkeep.standing.insert(key, count));
    }

    /// Forgets the regressions of a tenant's services that are not named.
    pub(crate) fn stand_no_others(&self, tenant: &str, services: &BTreeSet<String>) {
        self.with_upkeep(|upkeep| {
            let standing = &mut upkeep.standing;
            standing.retain(|(of, service), _| of != tenant || services.contains(service));
        });
    }

    fn with_upkeep<T>(&self, change: impl FnOnce(&mut Upkeep) -> T) -> T {
        change(&mut self.upkeep.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns all figures in the text format of Prometheus.
    pub(crate) fn exposition(&self) -> String {
        let mut page = Page::default();
        page.ends(
            "batches",
            "Batches that were sent, by what became of them.",
            &self.batches,
        );
        page.counter(
            "batch_bytes",
            "Bytes of batches that were taken.",
            self.batch_bytes.get(),
        );
        page.ends(
            "questions",
            "Questions, by what became of them.",
            &self.questions,
        );
        page.family(
            "left_out_total",
            "counter",
            "What other tools sent and the hub does not keep: profiles of something else than CPU time, samples without a stack, labels.",
        );
        for (what, counter) in [
            ("profiles", &self.others.not_cpu),
            ("samples", &self.others.samples),
            ("labels", &self.others.labels),
        ] {
            let labels = format!("{{what=\"{what}\"}}");
            page.sample("left_out_total", &labels, counter.get());
        }
        page.counter(
            "denied",
            "Requests without a token that allows them.",
            self.denied.get(),
        );
        page.family(
            "hosts_clock_apart",
            "gauge",
            "Hosts whose clock differs from the hub's by five minutes or more, or whose batches are refused for their time.",
        );
        page.sample("hosts_clock_apart", "", self.clocks.count());
        page.counter(
            "checkers_started",
            "Processes that check batches, started.",
            self.checkers_started.get(),
        );
        page.counter(
            "checkers_lost",
            "Processes that check batches, which died or were killed.",
            self.checkers_lost.get(),
        );
        page.counter(
            "upkeep_errors",
            "Compactions, retentions and looks at the store's size that failed.",
            self.upkeep_errors.get(),
        );
        self.symbols.expose(&mut page);
        page.counter(
            "regression_looks",
            "Looks at services for regressions.",
            self.looks.get(),
        );
        page.counter(
            "regressions",
            "Regressions that were found.",
            self.regressions.get(),
        );
        page.ends(
            "webhooks",
            "Posts of findings, by what became of them.",
            &self.webhooks,
        );
        self.with_upkeep(|upkeep| page.upkeep(upkeep));
        self.with_upkeep(|upkeep| page.standing(&upkeep.standing));
        page.0
    }
}

/// Text for Prometheus.
#[derive(Default)]
struct Page(String);

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a text cannot fail.
        let _ = writeln!(
            self.0,
            "# HELP hone_hub_{name} {help}\n# TYPE hone_hub_{name} {kind}"
        );
    }

    fn sample(&mut self, name: &str, labels: &str, value: u64) {
        let _ = writeln!(self.0, "hone_hub_{name}{labels} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        let name = format!("{name}_total");
        self.family(&name, "counter", help);
        self.sample(&name, "", value);
    }

    fn ends(&mut self, name: &str, help: &str, ends: &Ends) {
        let name = format!("{name}_total");
        self.family(&name, "counter", help);
        let outcomes = [
            ("done", &ends.done),
            ("refused", &ends.refused),
            ("failed", &ends.failed),
        ];
        for (outcome, counter) in outcomes {
            let labels = format!("{{outcome=\"{outcome}\"}}");
            self.sample(&name, &labels, counter.get());
        }
    }

    fn standing(&mut self, standing: &BTreeMap<(String, String), u64>) {
        let help = "Regressions that were found and stand, by tenant and service.";
        self.family("regressions_standing", "gauge", help);
        for ((tenant, service), count) in standing {
            // As text for Prometheus wants it.
            let service = service
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n");
            let labels = format!("{{tenant=\"{tenant}\",service=\"{service}\"}}");
            self.sample("regressions_standing", &labels, *count);
        }
    }

    fn upkeep(&mut self, upkeep: &Upkeep) {
        let Compacted {
            segments,
            batches,
            copies,
            unreadable,
            torn_bytes,
            days,
            files,
            overtaken,
            ..
        } = &upkeep.compacted;
        for (name, help, value) in [
            (
                "compacted_segments",
                "Segments that became files of hours.",
                segments,
            ),
            (
                "compacted_batches",
                "Batches that became rows of files.",
                batches,
            ),
            (
                "compacted_copies",
                "Copies of batches that were left out.",
                copies,
            ),
            (
                "compacted_unreadable",
                "Batches that could not be read, and are kept aside.",
                unreadable,
            ),
            (
                "compacted_torn_bytes",
                "Bytes that crashes left behind the last whole batch of a segment.",
                torn_bytes,
            ),
            ("compacted_days", "Days that became files of days.", days),
            ("compacted_files", "Files that compaction wrote.", files),
            (
                "compactions_overtaken",
                "Steps of compaction that another hub did first.",
                overtaken,
            ),
            (
                "expired_files",
                "Files that went away by age or size.",
                &upkeep.retained.expired_files,
            ),
            (
                "removed_objects",
                "Replaced files and leavings of crashes that were removed.",
                &upkeep.retained.removed_objects,
            ),
        ] {
            self.counter(name, help, *value);
        }
        self.family(
            "store_bytes",
            "gauge",
            "Bytes in the store at the last look, by tenant: files of hours and days, and segments.",
        );
        for (tenant, usage) in &upkeep.usage {
            for (kind, bytes) in [
                ("files", usage.file_bytes),
                ("segments", usage.segment_bytes),
            ] {
                let labels = format!("{{tenant=\"{tenant}\",kind=\"{kind}\"}}");
                self.sample("store_bytes", &labels, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regressions_of_services_that_are_gone_are_forgotten() {
        let figures = Figures::default();
        figures.stand("acme", "shop", 1);
        figures.stand("acme", "till", 2);
        figures.stand("other", "shop", 3);
        figures.stand_no_others("acme", &BTreeSet::from(["till".to_owned()]));
        let text = figures.exposition();
        let there = text
            .lines()
            .filter(|line| line.starts_with("hone_hub_regressions_standing{"));
        let there: Vec<&str> = there.collect();
        assert_eq!(
            there,
            [
                "hone_hub_regressions_standing{tenant=\"acme\",service=\"till\"} 2",
                "hone_hub_regressions_standing{tenant=\"other\",service=\"shop\"} 3",
            ]
        );
    }

    #[test]
    fn requests_are_counted_by_how_they_ended() {
        let figures = Figures::default();
        for status in [204, 200, 400, 413, 503] {
            figures.batches.count(StatusCode::from_u16(status).unwrap());
        }
        figures.uses("acme", Usage::default());
        let text = figures.exposition();
        for line in [
            "hone_hub_batches_total{outcome=\"done\"} 2",
            "hone_hub_batches_total{outcome=\"refused\"} 2",
            "hone_hub_batches_total{outcome=\"failed\"} 1",
            "hone_hub_questions_total{outcome=\"done\"} 0",
            "hone_hub_store_bytes{tenant=\"acme\",kind=\"segments\"} 0",
        ] {
            assert!(text.lines().any(|said| said == line), "{line}: {text}");
        }
    }
}
