//! Under which names the values of a series stand at a back end. Where two series have one in common, the back end would
//! keep one of two values, or refuse both.

use super::labels::{self, Style};
use super::{Format, graphite};
use crate::sample::Kind;
use crate::series::Series;

/// By what a back end tells series apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// What is written for it.
    pub format: Format,
    /// Labels that each series gets.
    pub labels: Vec<(String, String)>,
}

/// A name with its labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// Parts that a zero byte ends.
    text: String,
    taken: Taken,
}

/// How a name is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Taken {
    /// By one value.
    Whole,
    /// With all percentiles behind it, whichever these are.
    Percentiles,
    /// With what may be a percentile of it, by something that is none: several may take it so.
    AsPercentile,
}

impl Name {
    /// The name, and whether it is taken without what stands behind it: names that exclude each other are the same in both.
    pub(crate) fn key(&self) -> (&str, bool) {
        (&self.text, self.taken == Taken::Whole)
    }

    /// What several may have, unless somebody has it with all percentiles.
    pub(crate) fn may_be_shared(&self) -> bool {
        self.taken == Taken::AsPercentile
    }
}

/// What histograms and their like have in Prometheus' formats.
const SUMMARY: [&str; 4] = ["_count", "_sum", "_min", "_max"];
/// What native histograms have: also as remote write 1.0, which a back end that refuses 2.0 gets ([`super::remote_write_2::as_1`]).
const NATIVE: [&str; 5] = ["", "_min", "_max", "_count", "_sum"];

impl Rules {
    /// The names of a series: none where it is taken as it is. Series of one kind are the same to the back end if and only
    /// if they have the same names.
    pub(crate) fn names(&self, series: &Series) -> Vec<Name> {
        let is_scalar = match series.kind() {
            Kind::Counter | Kind::Rate | Kind::Gauge | Kind::Set => true,
            Kind::Timer | Kind::Histogram | Kind::Distribution => false,
        };
        let suffixes: &[&str] = match (self.format, series.kind()) {
            (Format::Relay, _) => return Vec::new(),
            _ if is_scalar => &[""],
            (Format::RemoteWrite2, Kind::Histogram | Kind::Distribution) => &NATIVE,
            // Buckets and quantiles have a label that no tag becomes.
            (Format::RemoteWrite1 | Format::RemoteWrite2, _) => &SUMMARY,
            (Format::Graphite, _) => &graphite::SUMMARY,
        };
        let (style, metric) = match self.format {
            Format::Graphite => (&labels::GRAPHITE, graphite::metric_name(series.metric())),
            _ => (&labels::PROMETHEUS, labels::metric_name(series.metric())),
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
