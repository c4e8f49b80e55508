//! State that the agent publishes while it runs: the main loop writes it at the end of each interval, and answers over
//! HTTP read it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hone_agent::store::Caps;
use hone_agent::wire::scrape::Scrape;

use crate::config::{Config, Metrics};
use crate::run::events::Event;
use crate::top::figures::Top;

/// Number of intervals that may be missed before the agent reports itself as unhealthy, and time for the interval that
/// is under way.
const MISSED_MAX: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(5);

/// Name of the gauge of series that are left out since the agent's own figures have their names.
const LEFT_OUT: &str = "hone_agent_scrape_left_out";

/// State that the main loop and the HTTP server share.
pub(crate) struct State {
    /// True while the listeners are open.
    ready: AtomicBool,
    interval: Mutex<Ended>,
    pub(crate) caps: Arc<Caps>,
    /// All series, if they can be scraped.
    scrape: Option<Mutex<Scrape>>,
    /// Channel for requests to the main loop.
    pub(crate) events: Sender<Event>,
}

/// The interval that ended last.
#[derive(Clone)]
struct Ended {
    at: Instant,
    length: Duration,
    exposition: Arc<str>,
    top: Arc<Top>,
}

impl State {
    /// Returns a state that is not ready yet, as if an empty interval had ended now.
    pub(crate) fn new(config: &Config, caps: Arc<Caps>, events: Sender<Event>) -> Self {
        Self {
            ready: AtomicBool::new(false),
            interval: Mutex::new(Ended {
                at: Instant::now(),
                length: Duration::from_secs(config.interval_s.into()),
                exposition: Arc::from(""),
                top: Arc::default(),
            }),
            caps,
            scrape: (config.metrics == Metrics::All).then(Mutex::default),
            events,
        }
    }

    /// Returns true if clients can send.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::SeqCst)
    }

    /// Sets whether clients can send.
    pub(crate) fn set_ready(&self, is_ready: bool) {
        self.ready.store(is_ready, Ordering::SeqCst);
    }

    /// Stores the result of an interval that has ended: length of the next interval, text for scrapers, and list of
    /// senders.
    pub(crate) fn ended(&self, interval_s: u32, exposition: String, top: Top) {
        *self.lock() = Ended {
            at: Instant::now(),
            length: Duration::from_secs(interval_s.into()),
            exposition: exposition.into(),
            top: Arc::new(top),
        };
    }

    /// Returns true if all series can be scraped.
    pub(crate) fn can_be_scraped(&self) -> bool {
        self.scrape.is_some()
    }

    /// Locks the series that can be scraped, so that an interval's points can be added; `None` if series cannot be
    /// scraped.
    pub(crate) fn scrape(&self) -> Option<MutexGuard<'_, Scrape>> {
        let scrape = self.scrape.as_ref()?;
        Some(scrape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the account at the end of the last interval, followed by all series if they can be scraped.
    pub(crate) fn exposition(&self) -> String {
        let mut text = self.lock().exposition.to_string();
        // Writing the text takes a while; the lock is released before, so no interval is delayed.
        let Some(now) = self.scrape().map(|scrape| scrape.now()) else {
            return text;
        };
        let families = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        let own = families.filter_map(|line| line.split(' ').next());
        let own = own.chain([LEFT_OUT]).collect();
        let (all, left_out) = now.text(&own);
        text.push_str(&format!(
            "# HELP {LEFT_OUT} Series that are not told since others have their names.\n\
             # TYPE {LEFT_OUT} gauge\n{LEFT_OUT} {left_out}\n{all}"
        ));
        text
    }

    /// Returns the senders of the last interval.
    pub(crate) fn top(&self) -> Arc<Top> {
        Arc::clone(&self.lock().top)
    }

    /// Returns the time since the last interval ended, if that time is too long.
    pub(crate) fn stuck_for(&self, now: Instant) -> Option<Duration> {
        let ended = self.lock();
        let since = now.saturating_duration_since(ended.at);
        (since > ended.length * MISSED_MAX + PATIENCE).then_some(since)
    }

    fn lock(&self) -> MutexGuard<'_, Ended> {
        self.interval.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_agent::aggregate::{Aggregate, Point};
    use hone_agent::sample::Kind;
    use hone_agent::series::Series;
    use hone_agent::store::Limits;

    #[test]
    fn no_series_of_a_client_has_the_name_of_what_counts_those_left_out() {
        let (events, _) = std::sync::mpsc::channel();
        let config = Config::parse("[http]\nmetrics = \"all\"\n").unwrap();
        let state = State::new(&config, Arc::new(Caps::new(Limits::default())), events);
        let series = Series::new(Kind::Gauge, "hone.agent.scrape_left_out", &[]).unwrap();
        let value = Aggregate::Gauge(7.0);
        let series = Arc::new(series);
        state.scrape().unwrap().add(&Point { series, value });
        let text = state.exposition();
        let lines: Vec<_> = text.lines().filter(|line| !line.contains("HELP")).collect();
        let expected = [
            "# TYPE hone_agent_scrape_left_out gauge",
            "hone_agent_scrape_left_out 1",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_agent_is_unwell_when_several_intervals_did_not_end() {
        let (events, _) = std::sync::mpsc::channel();
        let config = Config::parse("").unwrap();
        let state = State::new(&config, Arc::new(Caps::new(Limits::default())), events);
        let began = state.lock().at;
        let after = |seconds| state.stuck_for(began + Duration::from_secs(seconds));
        assert_eq!(after(35), None);
        assert_eq!(after(36), Some(Duration::from_secs(36)));
        state.ended(60, String::new(), Top::default());
        let began = state.lock().at;
        assert_eq!(state.stuck_for(began + Duration::from_secs(180)), None);
    }
}
