//! Text for scrapers: Prometheus' format 0.0.4 ("Exposition formats" in its documentation), and OpenMetrics 1.0.
//!
//! Samples of a family are together and have one type. If series of several types have the same name, or a series has
//! the name of another series' count or sum, none of these series has a type: each name is a family of its own. If
//! valid names and labels of two series are equal, the first series is written and the other is counted as left out.

use super::{Now, Shown, Spread};
use crate::sample::Kind;
use crate::series::Series;
use crate::wire::Options;
use crate::wire::buckets::le;
use crate::wire::plain::{Family, Flat, MetricType};
use crate::wire::values::Role;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

/// Media type of Prometheus' format 0.0.4.
pub const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
/// Media type of OpenMetrics 1.0.
pub const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Families by name: type and lines.
type Families = BTreeMap<String, (&'static str, Lines)>;

#[derive(Default)]
struct Lines {
    text: String,
    /// Name and labels of all lines, so that no sample comes twice.
    seen: HashSet<String>,
}

const UNTYPED: &str = "untyped";

impl Now {
    /// Returns all series in the format 0.0.4, except families whose names are in `taken`, and the number of series
    /// left out, including those that would come twice.
    pub fn text(&self, taken: &BTreeSet<&str>) -> (String, u64) {
        let options = Options::default();
        let types = types(self.all.iter().map(|(series, _)| &**series), &options);
        let mut families = Families::new();
        let mut left_out = 0;
        for (series, shown) in &self.all {
            let family = Family::of(series, &options);
            if taken.contains(family.metric()) {
                left_out += 1;
                continue;
            }
            let types = &types;
            let mut samples = Samples { family, types };
            let told = match shown {
                Shown::Value(value) => samples.add(&mut families, Role::Value, *value),
                Shown::Spread(spread) => samples.spread(&mut families, spread),
            };
            left_out += u64::from(!told);
        }
        (written(&families), left_out)
    }
}

fn written(families: &Families) -> String {
    let bytes = families
        .values()
        .map(|(_, lines)| lines.text.len() + 64)
        .sum();
    let mut text = String::with_capacity(bytes);
    for (name, (kind, lines)) in families {
        // Writing to a string does not fail.
        let _ = writeln!(text, "# TYPE {name} {kind}");
        text.push_str(&lines.text);
    }
    text
}

/// Type of each family; `None` for a family of several types.
type Types = BTreeMap<String, Option<&'static str>>;

fn types<'s>(all: impl Iterator<Item = &'s Series>, options: &Options) -> Types {
    let mut types = Types::new();
    let mut note = |name: String, kind| {
        let known = types.entry(name).or_insert(Some(kind));
        if *known != Some(kind) {
            *known = None;
        }
    };
    for series in all {
        let metric = Family::of(series, options).metric().to_owned();
        let kind = kind_of(series.kind());
        if is_spread(kind) {
            note(format!("{metric}_min"), "gauge");
            note(format!("{metric}_max"), "gauge");
        }
        note(metric, kind);
    }
    let spreads = types.iter().filter(|(_, kind)| kind.is_some_and(is_spread));
    let mut clash = BTreeSet::new();
    for (name, _) in spreads {
        for suffix in ["_sum", "_count", "_bucket"] {
            let other = format!("{name}{suffix}");
            if types.contains_key(&other) {
                clash.extend([name.clone(), other]);
            }
        }
    }
    for name in clash {
        types.insert(name, None);
    }
    types
}

fn kind_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "counter",
        Kind::Rate | Kind::Gauge | Kind::Set => "gauge",
        Kind::Timer | Kind::Distribution => "summary",
        Kind::Histogram => "histogram",
    }
}

fn is_spread(kind: &str) -> bool {
    ["summary", "histogram"].contains(&kind)
}

/// The samples of one series on their way into their families.
struct Samples<'s> {
    family: Family<'s>,
    types: &'s Types,
}

impl Samples<'_> {
    /// Adds the samples of a spread. Returns true if no sample was there already; extremes do not count.
    fn spread(&mut self, families: &mut Families, spread: &Spread) -> bool {
        let summary = &spread.summary;
        let mut is_first = true;
        for (quantile, value) in &summary.quantiles {
            is_first &= self.add(families, Role::Quantile(*quantile), *value);
        }
        let (metric, types) = (self.family.metric().to_owned(), self.types);
        for (bound, below) in &spread.below {
            let (bound, kind) = (le(*bound), MetricType::GaugeHistogram);
            let extra = Some(("le", bound.as_str()));
            self.family
                .series("_bucket", extra, *below, kind, &mut |flat| {
                    is_first &= line(families, types, &metric, flat);
                });
        }
        is_first &= self.add(families, Role::Sum, summary.sum);
        is_first &= self.add(families, Role::Count, summary.count);
        self.add(families, Role::Min, summary.min);
        self.add(families, Role::Max, summary.max);
        is_first
    }

    fn add(&mut self, families: &mut Families, role: Role, value: f64) -> bool {
        let (metric, types) = (self.family.metric().to_owned(), self.types);
        let mut is_first = false;
        self.family.value(role, value, &mut |flat| {
            let family = match role {
                Role::Sum | Role::Count => metric.as_str(),
                _ => flat.name,
            };
            is_first = line(families, types, family, flat);
        });
        is_first
    }
}

/// Adds a sample to its family. Returns false if the sample is there already.
fn line(families: &mut Families, types: &Types, family: &str, flat: &Flat<'_>) -> bool {
    let (family, kind) = match types.get(family).copied().flatten() {
        Some(kind) => (family, kind),
        None => (flat.name, UNTYPED),
    };
    let labels = flat.labels().filter(|(name, _)| *name != "__name__");
    let labels: Vec<_> = labels
        .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
        .collect();
    let sample = match labels.is_empty() {
        true => flat.name.to_owned(),
        false => format!("{}{{{}}}", flat.name, labels.join(",")),
    };
    let (_, lines) = families
        .entry(family.to_owned())
        .or_insert_with(|| (kind, Lines::default()));
    if lines.seen.contains(&sample) {
        return false;
    }
    // Writing to a string does not fail.
    let _ = writeln!(lines.text, "{sample} {}", shown(flat.value));
    lines.seen.insert(sample);
    true
}

/// Returns a number in the form of both formats.
fn shown(value: f64) -> String {
    match value {
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        value => value.to_string(),
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n");
    text.replace('"', "\\\"")
}

/// Converts a text of the format 0.0.4 to OpenMetrics, with the same series. In OpenMetrics, a counter's family has the
/// name of its sample without `_total`, so a counter whose name has no `_total` gets no type. A counter also gets no
/// type if its name without `_total` is the name of another family.
pub fn open_metrics(text: &str) -> String {
    let families = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let families: HashSet<_> = families.filter_map(|line| line.split(' ').next()).collect();
    let mut written = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        let mut words = line.splitn(4, ' ');
        let head = (words.next(), words.next());
        let (Some(name), Some(rest)) = (words.next(), words.next()) else {
            written.push_str(line);
            written.push('\n');
            continue;
        };
        let base = name.strip_suffix("_total");
        let base = base.filter(|base| !families.contains(base));
        let _ = match (head, rest) {
            ((Some("#"), Some("TYPE")), "counter") => match base {
                Some(base) => writeln!(written, "# TYPE {base} counter"),
                None => writeln!(written, "# TYPE {name} unknown"),
            },
            ((Some("#"), Some("TYPE")), UNTYPED) => writeln!(written, "# TYPE {name} unknown"),
            ((Some("#"), Some("HELP")), rest) => {
                writeln!(written, "# HELP {} {rest}", base.unwrap_or(name))
            }
            _ => writeln!(written, "{line}"),
        };
    }
    written.push_str("# EOF\n");
    written
}

#[cfg(test)]
mod tests {
    use super::super::tests::point;
    use super::super::{Aggregate, Scrape, Summary};
    use super::*;

    fn text(points: &[(Kind, &str, Aggregate)]) -> (String, u64) {
        let mut scrape = Scrape::default();
        for (kind, metric, value) in points {
            scrape.add(&point(*kind, metric, value.clone()));
        }
        let all = scrape.held.values_mut();
        all.for_each(|held| held.is_new = false);
        scrape.now().text(&BTreeSet::from(["hone_agent_series"]))
    }

    fn counter(total: f64) -> Aggregate {
        Aggregate::Counter {
            total,
            delta: 1.0,
            since_ms: 0,
            is_new: false,
        }
    }

    fn timer() -> Aggregate {
        let summary = Summary {
            count: 2.0,
            sum: 5.0,
            min: 1.0,
            max: 4.0,
            quantiles: vec![(0.5, 1.0), (1.0, 4.0)],
        };
        Aggregate::Timer(Box::new(summary), Box::default())
    }

    #[test]
    fn families_have_their_types_and_their_samples_together() {
        let (text, left_out) = text(&[
            (Kind::Counter, "page.hits", counter(1e21)),
            (Kind::Gauge, "load", Aggregate::Gauge(f64::NAN)),
            (Kind::Timer, "wait", timer()),
        ]);
        let expected = "# TYPE load gauge\nload{k=\"v\"} NaN\n\
            # TYPE page_hits counter\npage_hits{k=\"v\"} 1000000000000000000000\n\
            # TYPE wait summary\nwait{k=\"v\",quantile=\"0.5\"} 1\nwait{k=\"v\",quantile=\"1\"} 4\n\
            wait_sum{k=\"v\"} 5\nwait_count{k=\"v\"} 2\n\
            # TYPE wait_max gauge\nwait_max{k=\"v\"} 4\n# TYPE wait_min gauge\nwait_min{k=\"v\"} 1\n";
        assert_eq!((text.as_str(), left_out), (expected, 0));
    }

    #[test]
    fn names_that_several_types_have_are_families_without_a_type() {
        let (text, left_out) = text(&[
            (Kind::Counter, "wait_count", counter(7.0)),
            (Kind::Timer, "wait", timer()),
            (Kind::Gauge, "wait_min", Aggregate::Gauge(9.0)),
            (Kind::Gauge, "twice", Aggregate::Gauge(1.0)),
            (Kind::Rate, "twice", Aggregate::Rate(2.0)),
            (Kind::Counter, "both", counter(1.0)),
            (Kind::Set, "both", Aggregate::Set(Box::default())),
            (Kind::Gauge, "hone.agent.series", Aggregate::Gauge(1.0)),
        ]);
        let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        let types: Vec<_> = types.collect();
        let expected = [
            "both untyped",
            "twice gauge",
            "wait untyped",
            "wait_count untyped",
            "wait_max gauge",
            "wait_min gauge",
            "wait_sum untyped",
        ];
        assert_eq!(types, expected, "{text}");
        // Left out: the later series of `both`, `twice` and `wait_count`, and one with a name of the agent's own.
        assert_eq!(left_out, 4, "{text}");
        let samples: BTreeSet<_> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.rsplit_once(' ').unwrap().0)
            .collect();
        assert_eq!(samples.len() + types.len(), text.lines().count());
    }

    #[test]
    fn open_metrics_has_the_same_series_under_its_own_rules() {
        let text = "# HELP a_total What.\n# TYPE a_total counter\na_total 1\n# TYPE hits counter\nhits{a=\"b c\"} 2\n\
            # TYPE x untyped\nx 1\n# HELP g How much.\n# TYPE g gauge\ng 1\n";
        let expected = "# HELP a What.\n# TYPE a counter\na_total 1\n# TYPE hits unknown\nhits{a=\"b c\"} 2\n\
            # TYPE x unknown\nx 1\n# HELP g How much.\n# TYPE g gauge\ng 1\n# EOF\n";
        assert_eq!(open_metrics(text), expected);
    }

    #[test]
    fn no_family_of_open_metrics_is_there_twice() {
        let text = "# HELP a_total What.\n# TYPE a_total counter\na_total 1\n# TYPE a gauge\na 2\n";
        let expected =
            "# HELP a_total What.\n# TYPE a_total unknown\na_total 1\n# TYPE a gauge\na 2\n# EOF\n";
        assert_eq!(open_metrics(text), expected);
    }
}
