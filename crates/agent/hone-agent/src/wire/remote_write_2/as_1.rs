//! Conversion of a message of remote write 2.0 to 1.0, for a receiver that turns out not to know 2.0: the messages in
//! its queue were written before anybody knew.
//!
//! Native histograms become count, sum and buckets in 1.0. Histograms with quantiles are distributions and get no
//! buckets, as where 1.0 is written at once ([`plain`](crate::wire::plain)).

use crate::aggregate::Buckets;
use crate::wire::buckets::{BucketSeries, each_of_series};
use crate::wire::labels::Label;
use crate::wire::plain;
use crate::wire::protobuf::read::{Value, doubles, each_field, unzigzag, varints};
use crate::wire::protobuf::{double, int, message, string};
use std::collections::HashSet;

/// Converts a message to 1.0, not yet compressed; `None` if the message is none that [`super::encode`] wrote.
pub fn as_1(body: &[u8], form: BucketSeries) -> Option<Vec<u8>> {
    let (mut symbols, mut all) = (Vec::new(), Vec::new());
    each_field(body, |field, value| {
        match field {
            4 => symbols.push(str::from_utf8(value.bytes()?).ok()?),
            5 => all.push(value.bytes()?),
            _ => {}
        }
        Some(())
    })?;
    let all: Option<Vec<_>> = all
        .into_iter()
        .map(|text| Series::read(text, &symbols))
        .collect();
    let all = all?;
    let with_quantiles: HashSet<_> = all.iter().filter_map(Series::without_quantile).collect();
    let mut out = Vec::with_capacity(2 * body.len());
    for series in &all {
        if !series.samples.is_empty() {
            let labels = series.labels.iter().copied();
            write(&mut out, labels, &series.samples);
        }
        for (histogram, time_ms) in &series.histograms {
            let form = match with_quantiles.contains(&series.labels) {
                true => BucketSeries::None,
                false => form,
            };
            series.write_histogram(&mut out, histogram, *time_ms, form)?;
        }
    }
    Some(out)
}

/// Value, and time in milliseconds.
type Sample = (f64, i64);

/// A series of the message.
#[derive(Default)]
struct Series<'m> {
    labels: Vec<(&'m str, &'m str)>,
    samples: Vec<Sample>,
    histograms: Vec<(Histogram, i64)>,
}

impl<'m> Series<'m> {
    fn read(text: &[u8], symbols: &[&'m str]) -> Option<Self> {
        let mut series = Self::default();
        each_field(text, |field, value| {
            match field {
                1 => {
                    let symbol = |number: u64| symbols.get(number as usize).copied();
                    for pair in varints(value.bytes()?)?.chunks(2) {
                        let [name, value] = *pair else { return None };
                        series.labels.push((symbol(name)?, symbol(value)?));
                    }
                }
                2 => series.samples.push(sample(value.bytes()?)?),
                3 => series.histograms.push(Histogram::read(value.bytes()?)?),
                _ => {}
            }
            Some(())
        })?;
        Some(series)
    }

    /// Returns the labels without the quantile, if the series has one.
    fn without_quantile(&self) -> Option<Vec<(&'m str, &'m str)>> {
        let others = self.labels.iter().filter(|(name, _)| *name != "quantile");
        let others: Vec<_> = others.copied().collect();
        (others.len() < self.labels.len()).then_some(others)
    }

    fn write_histogram(
        &self,
        out: &mut Vec<u8>,
        histogram: &Histogram,
        time_ms: i64,
        form: BucketSeries,
    ) -> Option<()> {
        let (_, metric) = self.labels.iter().find(|(name, _)| *name == NAME)?;
        let others = self.labels.iter().filter(|(name, _)| *name != NAME);
        let labels: Vec<Label<'_>> = others
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        let mut flat = |suffix: &str, extra: Option<(&'static str, &str)>, value: f64| {
            let name = format!("{metric}{suffix}");
            let labels = plain::sorted(&name, &labels, extra);
            write(out, labels, &[(value, time_ms)]);
        };
        flat("_count", None, histogram.count);
        flat("_sum", None, histogram.sum);
        each_of_series(&histogram.buckets, form, |label, bound, weight| {
            flat("_bucket", Some((label, bound)), weight);
        });
        Some(())
    }
}

const NAME: &str = "__name__";

/// Appends a series of 1.0.
fn write<'l>(
    out: &mut Vec<u8>,
    labels: impl Iterator<Item = (&'l str, &'l str)>,
    samples: &[Sample],
) {
    message(out, 1, |out| {
        for (name, value) in labels {
            message(out, 1, |out| {
                string(out, 1, name);
                string(out, 2, value);
            });
        }
        for (value, time_ms) in samples {
            message(out, 2, |out| {
                double(out, 1, *value);
                int(out, 2, *time_ms);
            });
        }
    });
}

fn sample(text: &[u8]) -> Option<Sample> {
    let (mut sample, mut time_ms) = (0.0, 0);
    each_field(text, |field, value| {
        match field {
            1 => sample = value.double()?,
            2 => time_ms = value.number()? as i64,
            _ => {}
        }
        Some(())
    })?;
    Some((sample, time_ms))
}

/// A native histogram, as far as 1.0 can express it.
#[derive(Default)]
struct Histogram {
    count: f64,
    sum: f64,
    buckets: Buckets,
}

/// Buckets of one sign: offset and length of each run, and their weights.
#[derive(Default)]
struct Side {
    spans: Vec<(i64, u64)>,
    weights: Vec<f64>,
}

impl Histogram {
    /// Reads a histogram and its time, in milliseconds.
    fn read(text: &[u8]) -> Option<(Self, i64)> {
        let mut histogram = Self::default();
        let (mut negative, mut positive) = (Side::default(), Side::default());
        let mut time_ms = 0;
        each_field(text, |field, value| {
            match field {
                1 => histogram.count = value.number()? as f64,
                2 => histogram.count = value.double()?,
                3 => histogram.sum = value.double()?,
                4 => histogram.buckets.scale = i8::try_from(unzigzag(value.number()?)).ok()?,
                6 => histogram.buckets.zero = value.number()? as f64,
                7 => histogram.buckets.zero = value.double()?,
                8..=10 => negative.read(field - 8, value)?,
                11..=13 => positive.read(field - 11, value)?,
                15 => time_ms = value.number()? as i64,
                _ => {}
            }
            Some(())
        })?;
        histogram.buckets.negative = negative.buckets()?;
        histogram.buckets.positive = positive.buckets()?;
        Some((histogram, time_ms))
    }
}

impl Side {
    /// Reads one field: a span, differences of whole weights, or weights.
    fn read(&mut self, what: u64, value: Value<'_>) -> Option<()> {
        let bytes = value.bytes()?;
        match what {
            0 => {
                let mut span = (0, 0);
                each_field(bytes, |field, value| {
                    match field {
                        1 => span.0 = unzigzag(value.number()?),
                        2 => span.1 = value.number()?,
                        _ => {}
                    }
                    Some(())
                })?;
                self.spans.push(span);
            }
            1 => {
                let mut weight = 0;
                for difference in varints(bytes)? {
                    weight += unzigzag(difference);
                    self.weights.push(weight as f64);
                }
            }
            _ => self.weights = doubles(bytes)?,
        }
        Some(())
    }

    /// Returns the buckets. Native bucket `i + 1` is the agent's bucket `i`.
    fn buckets(self) -> Option<Vec<(i32, f64)>> {
        let mut weights = self.weights.into_iter();
        let (mut buckets, mut next) = (Vec::new(), -1_i64);
        for (offset, length) in self.spans {
            next = next.checked_add(offset)?;
            for _ in 0..length {
                buckets.push((i32::try_from(next).ok()?, weights.next()?));
                next += 1;
            }
        }
        weights.next().is_none().then_some(buckets)
    }
}
