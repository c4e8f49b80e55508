//! Names that the values of a series have at a back end. If two series share a name, the back end would keep one of two
//! values, or refuse both.

use super::labels::{self, Style};
use super::{Format, NameForm, graphite};
use crate::sample::Kind;
use crate::series::Series;

/// Rules by which a back end tells series apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Format that is written for the back end.
    pub format: Format,
    /// Labels that each series gets.
    pub labels: Vec<(String, String)>,
    /// Form of names in formats of Prometheus.
    pub names: NameForm,
}

/// A name with its labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// Parts, each of which ends in a zero byte.
    text: String,
    taken: Taken,
}

/// Way in which a series takes a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Taken {
    /// The name belongs to one value.
    Whole,
    /// The name belongs to the series with all its percentiles, whichever these are.
    Percentiles,
    /// The series looks like a percentile of the name and is none: several series may take the name in this way.
    AsPercentile,
}

impl Name {
    /// Returns the name, and whether it belongs to one value: names that exclude each other are equal in both.
    pub(crate) fn key(&self) -> (&str, bool) {
        (&self.text, self.taken == Taken::Whole)
    }

    /// Returns true if several series may take the name, unless another series has it with all percentiles.
    pub(crate) fn may_be_shared(&self) -> bool {
        self.taken == Taken::AsPercentile
    }
}

/// Suffixes of timers, histograms and distributions in Prometheus' formats.
const SUMMARY: [&str; 4] = ["_count", "_sum", "_min", "_max"];
/// Suffixes of native histograms, also in remote write 1.0, which a back end that refuses 2.0 gets
/// ([`super::remote_write_2::as_1`]).
const NATIVE: [&str; 5] = ["", "_min", "_max", "_count", "_sum"];

impl Rules {
    /// Returns the names of a series; none if the format takes the series as it is. Two series of one kind are the same
    /// to the back end if and only if they have the same names.
    pub(crate) fn names(&self, series: &Series) -> Vec<Name> {
        let is_scalar = match series.kind() {
            Kind::Counter | Kind::Rate | Kind::Gauge | Kind::Set => true,
            Kind::Timer | Kind::Histogram | Kind::Distribution => false,
        };
        let suffixes: &[&str] = match (self.format, series.kind()) {
            (Format::Relay, _) => return Vec::new(),
            _ if is_scalar => &[""],
            (Format::RemoteWrite2, Kind::Histogram | Kind::Distribution) => &NATIVE,
            // Buckets and quantiles have a label that no tag can become.
            (Format::RemoteWrite1 | Format::RemoteWrite2, _) => &SUMMARY,
            (Format::Graphite, _) => &graphite::SUMMARY,
        };
        let (style, metric) = match self.format {
            Format::Graphite => (&labels::GRAPHITE, graphite::metric_name(series.metric())),
            _ => (self.names.style(), self.names.metric(series.metric())),
        };
        let labels = self.labels(style, series);
        let name = |metric: &str, suffix: &str, taken| Name {
            text: [metric, suffix, "\0", &labels].concat(),
            taken,
        };
        let whole = suffixes.iter();
        let mut names: Vec<Name> = whole
            .map(|suffix| name(&metric, suffix, Taken::Whole))
            .collect();
        if self.format == Format::Graphite {
            match is_scalar {
                true => names.extend(
                    graphite::percentile_of(&metric)
                        .map(|metric| name(metric, "", Taken::AsPercentile)),
                ),
                false => names.push(name(&metric, "", Taken::Percentiles)),
            }
        }
        names
    }

    fn labels(&self, style: &Style, series: &Series) -> String {
        let mut text = String::new();
        for (name, value) in labels::of(style, series, &self.labels) {
            text.extend([&name, "\0", &value, "\0"]);
        }
        text
    }
}
