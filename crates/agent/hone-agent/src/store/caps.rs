//! Limits on the number of series, in all, of one metric and of one origin, and on the bytes of their text.
//!
//! The counts are shared by all workers, and needed only for new series. A series that several workers get counts once for
//! each worker, since each worker holds it.

use crate::receive;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tag of an overflow series, which collects the samples of all series over a cap, as in OpenTelemetry's SDK
/// ("Cardinality limits" in its metrics specification).
pub const OVERFLOW_TAG: (&str, &str) = ("otel.metric.overflow", "true");
/// Metric of the overflow series for metrics that are themselves new.
pub const OVERFLOW_METRIC: &str = "hone.overflow";

/// Number of hosts that each count for themselves. Further hosts count for their listener together, so that invented
/// addresses give nobody more room.
const PEERS_MAX: usize = 1024;

/// Limits of the caps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Series in all.
    pub series_max: usize,
    /// Series of one metric.
    pub per_metric_max: usize,
    /// Series of one origin.
    pub per_origin_max: usize,
    /// Bytes of metric and tags of all series, in their sorted form and in their first raw form together. Further raw forms may
    /// take half as much again.
    pub text_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            series_max: 250_000,
            per_metric_max: 50_000,
            per_origin_max: 100_000,
            text_bytes_max: 128 << 20,
        }
    }
}

/// Cap that a series is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Over {
    /// The cap on all series.
    All,
    /// The cap on the series of one metric.
    Metric,
    /// The cap on the series of one origin.
    Origin,
    /// The cap on the text of all series.
    Text,
}

impl Over {
    /// All caps.
    pub const ALL: [Self; 4] = [Self::All, Self::Metric, Self::Origin, Self::Text];

    /// Returns a word for the cap.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Metric => "metric",
            Self::Origin => "origin",
            Self::Text => "text",
        }
    }
}

/// Sender of a series, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A process of this host.
    Process(u32),
    /// A host, by its network address, at a listener.
    Peer {
        /// The listener's number.
        listener: u16,
        /// The address: [`receive::Origin::net`].
        net: u64,
    },
    /// All other senders at a listener.
    Listener(u16),
}

impl From<receive::Origin> for Origin {
    fn from(origin: receive::Origin) -> Self {
        let receive::Origin {
            pid, listener, net, ..
        } = origin;
        match (pid, net) {
            (0, 0) => Self::Listener(listener),
            (0, net) => Self::Peer { listener, net },
            (pid, _) => Self::Process(pid),
        }
    }
}

/// Series counted against their caps.
#[derive(Debug, Default)]
pub struct Caps {
    counted: Mutex<Counted>,
    /// Number of times that room was made.
    room: AtomicU64,
}

#[derive(Debug, Default)]
struct Counted {
    limits: Limits,
    all: usize,
    text_bytes: usize,
    form_bytes: usize,
    peers: usize,
    metrics: HashMap<Box<str>, usize, RandomState>,
    origins: HashMap<Origin, usize, RandomState>,
}

impl Counted {
    /// Returns the origin that a series counts for.
    fn debtor(&self, origin: Origin) -> Origin {
        match origin {
            Origin::Peer { listener, .. }
                if self.peers >= PEERS_MAX && !self.origins.contains_key(&origin) =>
            {
                Origin::Listener(listener)
            }
            known => known,
        }
    }

    fn count(&mut self, metric: &str, origin: Origin, text_bytes: usize) {
        self.all += 1;
        self.text_bytes += text_bytes;
        match self.metrics.get_mut(metric) {
            Some(count) => *count += 1,
            None => {
                self.metrics.insert(metric.into(), 1);
            }
        }
        let of_origin = self.origins.entry(origin).or_default();
        *of_origin += 1;
        if *of_origin == 1 && matches!(origin, Origin::Peer { .. }) {
            self.peers += 1;
        }
    }

    fn uncount(&mut self, metric: &str, origin: Origin, text_bytes: usize) {
        self.all = self.all.saturating_sub(1);
        self.text_bytes = self.text_bytes.saturating_sub(text_bytes);
        if let Some(count) = self.metrics.get_mut(metric) {
            *count -= 1;
            if *count == 0 {
                self.metrics.remove(metric);
            }
        }
        if let Some(count) = self.origins.get_mut(&origin) {
            *count -= 1;
            if *count == 0 {
                self.origins.remove(&origin);
                self.peers -= usize::from(matches!(origin, Origin::Peer { .. }));
            }
        }
    }
}

impl Caps {
    /// Caps with no series counted yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            counted: Mutex::new(Counted {
                limits,
                ..Counted::default()
            }),
            room: AtomicU64::default(),
        }
    }

    /// Changes the limits. Existing series stay, even if there are more than the new limits allow.
    pub fn change(&self, limits: Limits) {
        self.counted().limits = limits;
        self.room.fetch_add(1, Ordering::Release);
    }

    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.counted().limits
    }

    /// Returns the metrics with the most series, and their numbers of series: at most `most` metrics, the largest first.
    pub fn largest_metrics(&self, most: usize) -> Vec<(String, usize)> {
        let counted = self.counted();
        let mut metrics: Vec<_> = counted.metrics.iter().collect();
        metrics.sort_unstable_by(|(a, more), (b, less)| less.cmp(more).then(a.cmp(b)));
        let largest = metrics.into_iter().take(most);
        largest
            .map(|(metric, count)| (metric.to_string(), *count))
            .collect()
    }

    /// Returns the number of series that count for a process; for 0, of all senders whose process is unknown.
    pub fn series_of(&self, pid: u32) -> usize {
        let counted = self.counted();
        let of_process = |pid| counted.origins.get(&Origin::Process(pid)).copied();
        match pid {
            0 => {
                let unknown = counted.origins.iter();
                let unknown = unknown.filter(|(origin, _)| !matches!(origin, Origin::Process(_)));
                unknown.map(|(_, count)| *count).sum()
            }
            pid => of_process(pid).unwrap_or(0),
        }
    }

    /// Counts a series, unless it is over a cap. Returns the origin that the series counts for.
    pub(super) fn admit(
        &self,
        metric: &str,
        origin: Origin,
        text_bytes: usize,
    ) -> Result<Origin, Over> {
        let mut counted = self.counted();
        let origin = counted.debtor(origin);
        let of_metric = counted.metrics.get(metric).copied().unwrap_or(0);
        let of_origin = counted.origins.get(&origin).copied().unwrap_or(0);
        if counted.all >= counted.limits.series_max {
            return Err(Over::All);
        }
        if of_metric >= counted.limits.per_metric_max {
            return Err(Over::Metric);
        }
        if of_origin >= counted.limits.per_origin_max {
            return Err(Over::Origin);
        }
        if counted.text_bytes.saturating_add(text_bytes) > counted.limits.text_bytes_max {
            return Err(Over::Text);
        }
        counted.count(metric, origin, text_bytes);
        Ok(origin)
    }

    /// Gives back what [`Self::admit`] counted.
    pub(super) fn release(&self, metric: &str, origin: Origin, text_bytes: usize) {
        self.counted().uncount(metric, origin, text_bytes);
        self.room.fetch_add(1, Ordering::Release);
    }

    /// Returns a number that changes whenever a series that was over a cap may have room.
    pub(super) fn room(&self) -> u64 {
        self.room.load(Ordering::Acquire)
    }

    /// Counts the text of a further raw form of a series. Returns false if there is no room for it.
    pub(super) fn admit_form(&self, bytes: usize) -> bool {
        let mut counted = self.counted();
        let is_room = counted.form_bytes.saturating_add(bytes) <= counted.limits.text_bytes_max / 2;
        counted.form_bytes += if is_room { bytes } else { 0 };
        is_room
    }

    /// Gives back what [`Self::admit_form`] counted.
    pub(super) fn release_forms(&self, bytes: usize) {
        let mut counted = self.counted();
        counted.form_bytes = counted.form_bytes.saturating_sub(bytes);
    }

    /// Returns true if any series of a metric is held.
    pub(super) fn knows(&self, metric: &str) -> bool {
        self.counted().metrics.contains_key(metric)
    }

    /// Returns the number of counted series.
    pub fn series(&self) -> usize {
        self.counted().all
    }

    /// Returns the bytes of text of all series, as the cap on text counts them.
    pub fn text_bytes(&self) -> usize {
        self.counted().text_bytes
    }

    /// Takes the lock. A worker that panicked left counts that are right or one too high.
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESS: Origin = Origin::Process(7);
    const OTHER: Origin = Origin::Process(8);

    fn limits() -> Limits {
        Limits {
            series_max: 5,
            per_metric_max: 2,
            per_origin_max: 3,
            text_bytes_max: 100,
        }
    }

    #[test]
    fn each_cap_holds_and_what_is_released_can_be_had_again() {
        let caps = Caps::new(limits());
        let unknown = Origin::Listener(0);
        assert_eq!(caps.admit("a", PROCESS, 1), Ok(PROCESS));
        assert_eq!(caps.admit("a", PROCESS, 1), Ok(PROCESS));
        assert_eq!(caps.admit("a", OTHER, 1), Err(Over::Metric));
        assert_eq!(caps.admit("b", PROCESS, 1), Ok(PROCESS));
        assert_eq!(caps.admit("c", PROCESS, 1), Err(Over::Origin));
        assert_eq!(caps.admit("c", unknown, 98), Err(Over::Text));
        assert_eq!(caps.admit("c", unknown, 97), Ok(unknown));
        let room = caps.room();
        caps.release("c", unknown, 97);
        assert_ne!(caps.room(), room);
        assert_eq!(caps.admit("c", unknown, 1), Ok(unknown));
        assert_eq!(caps.admit("c", unknown, 1), Ok(unknown));
        assert_eq!(caps.admit("d", Origin::Process(9), 1), Err(Over::All));
        caps.release("a", PROCESS, 1);
        assert_eq!(caps.admit("a", OTHER, 1), Ok(OTHER));
        assert_eq!((caps.series(), caps.text_bytes()), (5, 5));
        assert_eq!([7, 8, 9, 0].map(|pid| caps.series_of(pid)), [2, 1, 0, 2]);
        let largest = [("a".to_owned(), 2), ("c".to_owned(), 2)];
        assert_eq!(caps.largest_metrics(2), largest);
        assert!(caps.knows("a") && !caps.knows("new"));
    }

    #[test]
    fn clients_of_a_listener_share_its_cap_and_hosts_have_their_own() {
        let caps = Caps::new(Limits {
            per_origin_max: 1,
            ..Limits::default()
        });
        let origin = |listener, net| {
            Origin::from(receive::Origin {
                listener,
                net,
                ..receive::Origin::default()
            })
        };
        for origin in [origin(0, 0), origin(1, 0), origin(1, 5), origin(1, 6)] {
            assert_eq!(caps.admit("m", origin, 1), Ok(origin));
            assert_eq!(caps.admit("m", origin, 1), Err(Over::Origin));
        }
    }

    #[test]
    fn invented_addresses_give_no_more_room() {
        let caps = Caps::new(Limits::default());
        let peer = |net| Origin::Peer { listener: 3, net };
        for net in 0..PEERS_MAX as u64 {
            assert_eq!(caps.admit("m", peer(net), 1), Ok(peer(net)));
        }
        assert_eq!(caps.admit("m", peer(9_999), 1), Ok(Origin::Listener(3)));
        assert_eq!(caps.admit("m", peer(5), 1), Ok(peer(5)));
        caps.release("m", peer(7), 1);
        assert_eq!(caps.admit("m", peer(9_999), 1), Ok(peer(9_999)));
    }

    #[test]
    fn further_forms_have_half_as_much_room_as_series() {
        let caps = Caps::new(limits());
        assert!(caps.admit_form(50) && !caps.admit_form(1));
        caps.release_forms(10);
        assert!(caps.admit_form(10) && !caps.admit_form(1));
    }
}
