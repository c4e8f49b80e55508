//! Tags for work that services count themselves: the service and the build that did the work.
//!
//! CPU time alone says little: builds are compared by CPU time per unit of work. Services count their requests already,
//! and the kernel reports which process a datagram on a Unix socket came from. The agent can therefore add the build to
//! the counter, and no service needs to know its own build id.
//!
//! A process is identified at its first sample of such a metric in each interval, on the thread that stores the sample.

use super::Settings;
use super::identity::Identifier;
use crate::canonical::has_room;
use crate::sample::{RawSeries, Sample, TagSyntax};
use std::collections::HashMap;

/// Limit on processes that are remembered in an interval; if there are more, all are forgotten and identified again.
const PROCESSES_MAX: usize = 16 << 10;

/// Adder of the tags `service` and `build_id` to samples of some metrics. Each worker has one of its own.
#[derive(Debug)]
pub struct WorkTags {
    metrics: Vec<String>,
    identifier: Identifier,
    /// Service and build of each process; `None` for a process that is gone.
    known: HashMap<u32, Option<[String; 2]>>,
    tags: Vec<u8>,
}

impl WorkTags {
    /// Returns an adder for the metrics of the settings; `None` if there are no such metrics.
    pub fn of(settings: &Settings) -> Option<Self> {
        (!settings.work.is_empty()).then(|| Self {
            metrics: settings.work.clone(),
            identifier: Identifier::new(&settings.proc),
            known: HashMap::new(),
            tags: Vec::new(),
        })
    }

    /// Hands the sample on, with tags if it counts work and the process is known. If the client has set the same tag,
    /// the client's value holds.
    pub fn tag(&mut self, sample: &Sample<'_>, pid: u32, take: &mut dyn FnMut(&Sample<'_>)) {
        let metric = sample.series.metric;
        let counts_work = pid != 0 && self.metrics.iter().any(|own| own.as_bytes() == metric);
        if counts_work
            && self
                .write_tags(sample.series.tags, sample.series.syntax, pid)
                .is_some()
        {
            let series = RawSeries {
                tags: &self.tags,
                ..sample.series
            };
            take(&Sample { series, ..*sample });
        } else {
            take(sample);
        }
    }

    /// Forgets the identities of processes: a number may soon belong to another process, and a process may run another
    /// program.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Writes the added tags before the client's tags: the last tag with a key holds.
    fn write_tags(&mut self, own: &[u8], syntax: TagSyntax, pid: u32) -> Option<()> {
        if self.known.len() >= PROCESSES_MAX {
            self.known.clear();
        }
        let identifier = &mut self.identifier;
        let who = self.known.entry(pid).or_insert_with(|| {
            let who = identifier.identify(pid, b"")?;
            Some([who.service, who.build_id.to_string()])
        });
        let [service, build_id] = who.as_ref()?;
        let (is, and) = match syntax {
            TagSyntax::Sdk => (b'=', b'|'),
            TagSyntax::Colons => (b':', b','),
            TagSyntax::Equals => (b'=', b','),
            // Work of other hosts has its tags already.
            TagSyntax::Relayed => return None,
        };
        self.tags.clear();
        for (key, value) in [("service", service), ("build_id", build_id)] {
            self.tags.extend(key.as_bytes());
            self.tags.push(is);
            self.tags.extend(value.as_bytes());
            self.tags.push(and);
        }
        self.tags.extend(own);
        has_room(&self.tags, syntax).then_some(())
    }
}
