//! All held series, for clients that scrape the agent instead of getting series sent.
//!
//! | what | family | its samples |
//! |---|---|---|
//! | counter | counter | `name`: the sum since the counter came up |
//! | rate, gauge, set | gauge | `name` |
//! | timer, distribution | summary | `name{quantile}`, `name_sum`, `name_count`; gauges `name_min`, `name_max` |
//! | histogram | histogram | `name_bucket{le}`, `name_sum`, `name_count`; gauges `name_min`, `name_max` |
//!
//! Names are those of remote write ([`super::plain`]). Counts, sums and buckets grow from interval to interval, as a
//! scraper expects, while remote write sends those of one interval; quantiles and extremes are of the last interval
//! that had samples. A series disappears when it expires. Scrapers add their own labels, such as the host.
//!
//! What grows from interval to interval is shown as zero for one interval before its first value, since a scraper sees by how
//! much it grew only between two scrapes. OpenMetrics' `_created` would tell the start without that delay, but few scrapers
//! read it, all others store it as one more series for each counter, and it needs names that end in `_total`.

mod text;

use crate::aggregate::{Aggregate, Buckets, Point, Summary};
use crate::flush::Settings;
use crate::sample::Kind;
use crate::series::Series;
use crate::wire::buckets::cumulative;
use crate::wire::names::Rules;
use crate::wire::{Format, NameForm};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

pub use text::{OPEN_METRICS, TEXT, open_metrics};

/// Returns the rules by which scrapers tell series apart, which are those of remote write.
pub fn rules() -> Rules {
    Rules {
        format: Format::RemoteWrite1,
        labels: Vec::new(),
        names: NameForm::default(),
    }
}

/// Series that can be scraped.
#[derive(Debug, Default)]
pub struct Scrape {
    held: HashMap<Arc<Series>, Held, RandomState>,
}

/// A series that can be scraped.
#[derive(Clone, Debug)]
struct Held {
    shown: Shown,
    /// Intervals without a sample.
    silent: u32,
    /// True if the values are of the first interval of a series whose values go on from interval to interval.
    is_new: bool,
}

/// Values that are shown of a series.
#[derive(Clone, PartialEq, Debug)]
enum Shown {
    /// A counter, a rate, a gauge or a set.
    Value(f64),
    Spread(Box<Spread>),
}

/// Count and sum since the series came up, extremes and quantiles of the last interval that had samples.
#[derive(Clone, PartialEq, Debug)]
struct Spread {
    summary: Summary,
    /// For a histogram: each bound, and the weight of all values up to the bound.
    below: Vec<(f64, f64)>,
}

impl Scrape {
    /// Adds a point of the interval that ends.
    pub fn add(&mut self, point: &Point) {
        let (value, is_new) = match &point.value {
            Aggregate::Counter { total, is_new, .. } => (*total, *is_new),
            Aggregate::Rate(value) | Aggregate::Gauge(value) => (*value, false),
            Aggregate::Set(set) => (set.estimate(), false),
            Aggregate::Timer(summary, _) | Aggregate::Distribution(summary, _) => {
                return self.spread(&point.series, summary, None);
            }
            Aggregate::Histogram(summary, buckets) => {
                return self.spread(&point.series, summary, Some(buckets));
            }
        };
        let held = Held {
            shown: Shown::Value(value),
            silent: 0,
            is_new,
        };
        self.held.insert(Arc::clone(&point.series), held);
    }

    fn spread(&mut self, series: &Arc<Series>, summary: &Summary, buckets: Option<&Buckets>) {
        let mut spread = Spread {
            summary: summary.clone(),
            below: Vec::new(),
        };
        if let Some(buckets) = buckets {
            cumulative(buckets, |bound, below| spread.below.push((bound, below)));
        }
        let before = self.held.get(series);
        let is_new = before.is_none();
        if let Some(Held {
            shown: Shown::Spread(before),
            ..
        }) = before
        {
            spread.go_on_from(before);
        }
        let held = Held {
            shown: Shown::Spread(Box::new(spread)),
            silent: 0,
            is_new,
        };
        self.held.insert(Arc::clone(series), held);
    }

    /// Ends the interval: removes the series that have expired.
    pub fn end(&mut self, settings: &Settings) {
        self.held.retain(|series, held| {
            let silent = held.silent;
            held.silent += 1;
            match series.kind() {
                // Series of these kinds are in every interval until they expire.
                Kind::Counter | Kind::Rate | Kind::Gauge => silent == 0,
                kind => silent < settings.silence_max(kind),
            }
        });
    }

    /// Returns a copy of all series, so that writing them as text holds nobody up.
    pub fn now(&self) -> Now {
        let held = self.held.iter();
        let mut all: Vec<_> = held
            .map(|(series, held)| (Arc::clone(series), held.shown()))
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        Now { all }
    }
}

impl Held {
    /// Returns the values as they are shown now.
    fn shown(&self) -> Shown {
        let mut shown = self.shown.clone();
        // The end of its first interval has counted one.
        if self.is_new && self.silent <= 1 {
            shown.begin();
        }
        shown
    }
}

impl Shown {
    /// Sets what grows from interval to interval to zero.
    fn begin(&mut self) {
        match self {
            Self::Value(value) => *value = 0.0,
            Self::Spread(spread) => {
                (spread.summary.count, spread.summary.sum) = (0.0, 0.0);
                spread.below.iter_mut().for_each(|(_, below)| *below = 0.0);
            }
        }
    }
}

/// All series at one moment, in order.
#[derive(Debug)]
pub struct Now {
    all: Vec<(Arc<Series>, Shown)>,
}

impl Spread {
    fn go_on_from(&mut self, before: &Self) {
        self.summary.count += before.summary.count;
        self.summary.sum += before.summary.sum;
        if before.below.is_empty() {
            return;
        }
        // Coarse buckets lack some of the bounds: for a missing bound, the weight below the next lower bound counts.
        let now = std::mem::replace(&mut self.below, before.below.clone());
        for (bound, below) in &mut self.below {
            let reached = now.partition_point(|(own, _)| own <= bound);
            *below += now[..reached].last().map_or(0.0, |(_, below)| *below);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    pub(super) fn point(kind: Kind, metric: &str, value: Aggregate) -> Point {
        let series = Arc::new(Series::new(kind, metric, &[("k", "v")]).unwrap());
        Point { series, value }
    }

    fn shown(scrape: &Scrape) -> Vec<(String, Shown)> {
        let all = scrape.now().all.into_iter();
        all.map(|(series, shown)| (series.metric().to_owned(), shown))
            .collect()
    }

    fn histogram(weight: f64) -> Aggregate {
        let summary = Summary {
            count: weight,
            sum: 3.0 * weight,
            min: 2.5,
            max: weight,
            quantiles: Vec::new(),
        };
        // (2, 4]
        let buckets = Buckets {
            positive: vec![(1, weight)],
            ..Buckets::default()
        };
        Aggregate::Histogram(Box::new(summary), Box::new(buckets))
    }

    #[test]
    fn counts_sums_and_buckets_go_on_and_the_rest_is_of_the_last_interval() {
        let mut scrape = Scrape::default();
        for weight in [2.0, 5.0] {
            scrape.add(&point(Kind::Histogram, "h", histogram(weight)));
            scrape.add(&point(Kind::Gauge, "g", Aggregate::Gauge(weight)));
            scrape.end(&Settings::default());
        }
        let shown = shown(&scrape);
        assert_eq!(shown[0], ("g".to_owned(), Shown::Value(5.0)));
        let Shown::Spread(spread) = &shown[1].1 else {
            panic!("{shown:?}");
        };
        let summary = &spread.summary;
        assert_eq!((summary.count, summary.sum, summary.max), (7.0, 21.0, 5.0));
        let at = |wanted: f64| spread.below.iter().find(|(bound, _)| *bound == wanted);
        assert_eq!(at(1.0).unwrap().1, 0.0);
        assert_eq!(at(4.0).unwrap().1, 7.0);
        assert_eq!(at(f64::INFINITY).unwrap().1, 7.0);
    }

    #[test]
    fn what_grows_is_shown_as_zero_for_one_interval_before_its_first_value() {
        let counter = |total, is_new| {
            let value = Aggregate::Counter {
                total,
                delta: total,
                since_ms: 0,
                is_new,
            };
            point(Kind::Counter, "c", value)
        };
        let mut scrape = Scrape::default();
        let mut interval = |points: &[Point]| {
            points.iter().for_each(|point| scrape.add(point));
            scrape.end(&Settings::default());
            let values = shown(&scrape).into_iter().map(|(_, shown)| match shown {
                Shown::Value(value) => vec![value],
                Shown::Spread(spread) => {
                    let below = spread.below.last().map_or(-1.0, |(_, below)| *below);
                    let summary = spread.summary;
                    vec![summary.count, summary.sum, below, summary.max]
                }
            });
            values.collect::<Vec<_>>()
        };
        let size = point(Kind::Histogram, "h", histogram(2.0));
        let gauge = point(Kind::Gauge, "g", Aggregate::Gauge(3.0));
        let first = [counter(5.0, true), gauge.clone(), size];
        let begun = [vec![0.0], vec![3.0], vec![0.0, 0.0, 0.0, 2.0]];
        assert_eq!(interval(&first), begun);
        // The histogram had no sample.
        let second = [counter(5.0, false), gauge];
        let grown = [vec![5.0], vec![3.0], vec![2.0, 6.0, 2.0, 2.0]];
        assert_eq!(interval(&second), grown);
    }

    #[test]
    fn coarse_buckets_keep_the_sums_rising() {
        let mut scrape = Scrape::default();
        let coarse = Buckets {
            scale: -4,
            positive: vec![(0, 3.0)],
            ..Buckets::default()
        };
        scrape.add(&point(Kind::Histogram, "h", histogram(2.0)));
        let coarse = Aggregate::Histogram(Box::default(), Box::new(coarse));
        scrape.add(&point(Kind::Histogram, "h", coarse));
        let [(_, Shown::Spread(spread))] = &shown(&scrape)[..] else {
            panic!("one");
        };
        assert_eq!(spread.below.len(), 27);
        assert!(spread.below.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        assert_eq!(spread.below[26].1, 5.0);
    }

    #[test]
    fn series_go_when_they_expire() {
        let settings = Settings {
            distributions_expire_after: 2,
            expire_after_of: BTreeMap::from([(Kind::Histogram, 3)]),
            ..Settings::default()
        };
        let mut scrape = Scrape::default();
        scrape.add(&point(Kind::Counter, "c", Aggregate::Rate(1.0)));
        scrape.add(&point(Kind::Histogram, "h", histogram(1.0)));
        scrape.add(&point(
            Kind::Timer,
            "t",
            Aggregate::Timer(Box::default(), Box::default()),
        ));
        let mut left = Vec::new();
        for _ in 0..4 {
            scrape.end(&settings);
            let names = shown(&scrape).into_iter().map(|(name, _)| name);
            left.push(names.collect::<String>());
        }
        assert_eq!(left, ["cth", "th", "h", ""]);
    }
}
