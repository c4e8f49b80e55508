//! What the agent tells about itself while it runs: the loop writes it at the end of each interval, answers over HTTP read it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hone_agent::store::Caps;
use hone_agent::wire::scrape::Scrape;

use crate::config::{Config, Metrics};
use crate::run::events::Event;
use crate::top::figures::Top;

/// Intervals that may be missed before the agent calls itself unwell, and time for the one that is under way.
const MISSED_MAX: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(5);

/// What cannot be told of others, since it would come twice.
const LEFT_OUT: &str = "hone_agent_scrape_left_out";

/// See the module.
pub(crate) struct State {
    /// Whether listeners are open and stay so.
    ready: AtomicBool,
    interval: Mutex<Ended>,
    pub(crate) caps: Arc<Caps>,
    /// All series, where they can be scraped.
    scrape: Option<Mutex<Scrape>>,
    /// Who wants something of the loop.
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
    /// Not ready yet; as if an interval of this length had ended now, without anything.
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

    /// Says whether clients can send.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::SeqCst)
    }

    /// They can, or cannot any more.
    pub(crate) fn set_ready(&self, is_ready: bool) {
        self.ready.store(is_ready, Ordering::SeqCst);
    }

    /// An interval has ended: this is how long the next one is, what is told to those who scrape, and who sent how much.
    pub(crate) fn ended(&self, interval_s: u32, exposition: String, top: Top) {
        *self.lock() = Ended {
            at: Instant::now(),
            length: Duration::from_secs(interval_s.into()),
            exposition: exposition.into(),
            top: Arc::new(top),
        };
    }

    /// Whether all series can be scraped.
    pub(crate) fn can_be_scraped(&self) -> bool {
        self.scrape.is_some()
    }

    /// All series, to note what an interval came to, where they can be scraped.
    pub(crate) fn scrape(&self) -> Option<MutexGuard<'_, Scrape>> {
        let scrape = self.scrape.as_ref()?;
        Some(scrape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The account as it stood at the end of the last interval, and all series where they can be scraped.
    pub(crate) fn exposition(&self) -> String {
        let mut text = self.lock().exposition.to_string();
        // Writing takes a while, and holds up no interval.
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

    /// Who sent how much in the last interval.
    pub(crate) fn top(&self) -> Arc<Top> {
        Arc::clone(&self.lock().top)
    }

    /// For how long no interval has ended, if that is too long.
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
