//! The figures of the account: name, help text and value of each in one place.
//!
//! The metrics that are sent and the exposition both take their figures from here.

use super::{Account, FigureName};
use crate::receive::Received;
use crate::send::Outcome;
use crate::store::Over;

/// A number that only grows.
pub(super) struct Figure {
    /// Name of the metric.
    pub(super) metric: &'static str,
    /// Help text: what the figure counts.
    pub(super) help: &'static str,
    /// Tag that tells figures of the same metric apart, such as the listener.
    pub(super) tag: Option<(&'static str, String)>,
    /// The number itself.
    pub(super) value: f64,
}

impl Figure {
    /// Returns the metric and the tag, which together identify the figure.
    pub(super) fn name(&self) -> FigureName {
        (self.metric, self.tag.clone())
    }
}

/// Metric, help text and value of a figure.
pub(super) type Row<N = u64> = (&'static str, &'static str, N);

impl Account {
    /// Returns all figures.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        figures.extend(self.times().map(|(metric, help, value)| Figure {
            metric,
            help,
            tag: None,
            value,
        }));
        let mut add = |rows: &[Row], tag: Option<(&'static str, &str)>| {
            figures.extend(rows.iter().map(|&(metric, help, value)| Figure {
                metric,
                help,
                tag: tag.map(|(key, value)| (key, value.to_owned())),
                value: value as f64,
            }));
        };
        for (name, received) in &self.listeners {
            add(&of_listener(received), Some(("listener", name)));
        }
        add(&self.of_packets(), None);
        add(&self.of_values(), None);
        add(&self.of_itself(), None);
        for over in Over::ALL {
            let value = self.tally.overflowed.get(&over).copied().unwrap_or(0);
            let row = (
                "hone.agent.values.overflowed",
                "Values stored in an overflow series, by the limit on series.",
                value,
            );
            add(&[row], Some(("cap", over.word())));
        }
        for (reason, value) in &self.tally.refused {
            let row = (
                "hone.agent.values.refused",
                "Values whose series was refused, by reason.",
                *value,
            );
            add(&[row], Some(("reason", &reason.to_string())));
        }
        for (name, outcome) in &self.endpoints {
            add(&of_endpoint(outcome), Some(("endpoint", name)));
        }
        let others = self.others.iter().filter(|other| !other.can_fall);
        figures.extend(others.map(|other| Figure {
            metric: other.metric,
            help: other.help,
            tag: None,
            value: other.value,
        }));
        figures
    }

    /// Returns the gauges: numbers that can also fall.
    pub(super) fn gauges(&self) -> Vec<Row<f64>> {
        let own = self.own_gauges().into_iter();
        let own = own.map(|(metric, help, value)| (metric, help, value as f64));
        let others = self.others.iter().filter(|other| other.can_fall);
        own.chain(others.map(|other| (other.metric, other.help, other.value)))
            .collect()
    }

    fn own_gauges(&self) -> [Row; 2] {
        [
            (
                "hone.agent.series",
                "Series held now, as the limits count them.",
                self.series as u64,
            ),
            (
                "hone.agent.resident.bytes",
                "Memory of the agent that is resident now.",
                self.own.resident_bytes,
            ),
        ]
    }

    fn of_itself(&self) -> [Row; 4] {
        [
            ("hone.agent.flushes", "Intervals that ended.", self.flushes),
            (
                "hone.agent.workers.late",
                "Workers that kept an interval's values for the next one, since they were busy at its end.",
                self.late_workers,
            ),
            (
                "hone.agent.series.merged",
                "Series that came and were the same as others to a kind of back end, and are added up with these for it.",
                self.merged,
            ),
            (
                "hone.agent.series.told_apart",
                "Series that came when a kind of back end knew their names for others, and are sent with the tag hone_type.",
                self.told_apart,
            ),
        ]
    }

    /// Returns the figures that are times, in seconds, the unit that Prometheus wants for all times.
    fn times(&self) -> [Row<f64>; 2] {
        [
            (
                "hone.agent.flush.seconds",
                "Time from the end of an interval until all of it was queued, of all together.",
                self.flush_us as f64 / 1e6,
            ),
            (
                "hone.agent.cpu.seconds",
                "CPU time of the agent.",
                self.own.cpu_ms as f64 / 1e3,
            ),
        ]
    }

    fn of_packets(&self) -> [Row; 8] {
        let parsed = &self.parsed;
        [
            (
                "hone.agent.malformed",
                "Points, lines and values of lines that could not be read.",
                parsed.malformed,
            ),
            (
                "hone.agent.unread.bytes",
                "Bytes behind the place where a packet broke off.",
                parsed.unread_bytes,
            ),
            (
                "hone.agent.events.passed",
                "Events and service checks of DogStatsD passed on to the webhook's queue.",
                parsed.notices,
            ),
            (
                "hone.agent.events.dropped",
                "Events of DogStatsD dropped, since there is no webhook.",
                parsed.events,
            ),
            (
                "hone.agent.checks.dropped",
                "Service checks of DogStatsD dropped, since there is no webhook.",
                parsed.checks,
            ),
            (
                "hone.agent.frames",
                "Frames of relaying agents that were taken.",
                parsed.frames,
            ),
            (
                "hone.agent.frames.repeated",
                "Frames of relaying agents that had been taken before, not counted again.",
                parsed.frames_repeated,
            ),
            (
                "hone.agent.frames.too_late",
                "Frames of relaying agents so old that nobody knows whether they were taken, refused.",
                parsed.frames_too_late,
            ),
        ]
    }

    fn of_values(&self) -> [Row; 8] {
        [
            (
                "hone.agent.values",
                "Values of samples that could be read.",
                self.parsed.values,
            ),
            (
                "hone.agent.values.stored",
                "Values stored, those in overflow series too.",
                self.tally.stored,
            ),
            (
                "hone.agent.values.timed",
                "Values that said when they were taken; they count for the interval in which they came.",
                self.parsed.timed,
            ),
            (
                "hone.agent.values.late",
                "Values that said that they were of an interval that was over.",
                self.parsed.late,
            ),
            (
                "hone.agent.values.early",
                "Values that said that they were of an interval that had not begun.",
                self.parsed.early,
            ),
            (
                "hone.agent.values.lost",
                "Values stored, and lost with a worker's interval since it failed.",
                self.tally.lost,
            ),
            (
                "hone.agent.failures",
                "Packets that made a worker fail, each a fault of the agent.",
                self.tally.failures,
            ),
            (
                "hone.agent.sums.held",
                "Sums held at the largest number that there is.",
                self.tally.held,
            ),
        ]
    }
}

fn of_listener(received: &Received) -> [Row; 18] {
    [
        (
            "hone.agent.packets",
            "Datagrams and whole frames received.",
            received.packets,
        ),
        (
            "hone.agent.bytes",
            "Bytes of packets received.",
            received.bytes,
        ),
        (
            "hone.agent.packets.handled",
            "Packets handled, by themselves or merged with others.",
            received.handled,
        ),
        (
            "hone.agent.packets.truncated",
            "Datagrams that were longer than a packet may be, dropped.",
            received.truncated,
        ),
        (
            "hone.agent.packets.dropped",
            "Packets dropped because workers did not keep up.",
            received.dropped,
        ),
        (
            "hone.agent.samples.dropped",
            "Points and lines in packets dropped because workers did not keep up.",
            received.dropped_points,
        ),
        (
            "hone.agent.packets.dropped_by_kernel",
            "Datagrams that the kernel dropped because the receive buffer was full.",
            received.kernel_drops,
        ),
        (
            "hone.agent.parcels",
            "Parcels that packets were merged into for workers.",
            received.parcels,
        ),
        (
            "hone.agent.frames.too_long",
            "Frames longer than a packet may be; their connections are closed.",
            received.frames_too_long,
        ),
        (
            "hone.agent.lines.too_long",
            "Lines of streams longer than a packet may be, dropped; their connections go on.",
            received.lines_too_long,
        ),
        (
            "hone.agent.frames.foreign",
            "Frames of relaying agents that are none; their connections are closed.",
            received.frames_foreign,
        ),
        (
            "hone.agent.frames.broken_off",
            "Frames and lines whose connections ended before them.",
            received.frames_broken_off,
        ),
        (
            "hone.agent.connections",
            "Connections accepted.",
            received.connections,
        ),
        (
            "hone.agent.connections.refused",
            "Connections closed at once because there were too many.",
            received.connections_refused,
        ),
        (
            "hone.agent.connections.idle",
            "Connections closed because they were silent.",
            received.connections_idle,
        ),
        (
            "hone.agent.connections.insecure",
            "Connections closed because they spoke no TLS, or their client was not trusted.",
            received.connections_insecure,
        ),
        (
            "hone.agent.connections.without_room",
            "Connections closed since half-arrived frames of all took too much memory.",
            received.connections_without_room,
        ),
        (
            "hone.agent.errors",
            "Calls of the system for packets or connections that failed.",
            received.errors,
        ),
    ]
}

fn of_endpoint(outcome: &Outcome) -> [Row; 6] {
    [
        (
            "hone.agent.points.accepted",
            "Points given to a back end's queue, or found in it at the start.",
            outcome.accepted + outcome.restored,
        ),
        (
            "hone.agent.points.delivered",
            "Points that a back end has.",
            outcome.delivered,
        ),
        (
            "hone.agent.points.fell_back",
            "Points that a back end has in an older form, since it refused the configured one.",
            outcome.fell_back,
        ),
        (
            "hone.agent.points.lost",
            "Points lost on their way to a back end.",
            outcome.losses.total(),
        ),
        (
            "hone.agent.points.unwritten",
            "Points that a queue on disk could not take when they came; they waited in memory.",
            outcome.unwritten,
        ),
        (
            "hone.agent.attempts",
            "Attempts to deliver.",
            outcome.attempts,
        ),
    ]
}
