//! Prometheus remote write 2.0: `io.prometheus.write.v2.Request`, with its table of symbols and native histograms.
//!
//! Source: the Remote-Write 2.0 specification (2.0-rc.4) and `prompb/io/prometheus/write/v2/types.proto`. Histograms
//! and distributions become native gauge histograms (they are of one interval, so a counter reset means nothing); their
//! extremes and quantiles become plain series. Whole weights are written as integer histograms, which take a third of
//! the bytes; weights with fractions (of sample rates) are written as float histograms.

pub mod as_1;
mod histogram;
mod symbols;

use super::plain::{self, Family, Flat, MetricType};
use super::protobuf::{double, int, message, string, uint, varint};
use super::values;
use super::{Encoded, Options, Part};
use crate::aggregate::Aggregate;
use symbols::Symbols;

/// Encodes a part as a message, not yet compressed.
pub fn encode(part: Part<'_>, options: &Options) -> Encoded {
    let mut request = Request {
        end_ms: part.end_ms,
        started_ms: options.started_ms,
        symbols: Symbols::new(),
        series: Vec::new(),
        samples: 0,
        histograms: 0,
    };
    for point in part.points {
        request.started_ms = match point.value {
            Aggregate::Counter { since_ms, .. } if since_ms != 0 => since_ms,
            _ => options.started_ms,
        };
        match values::buckets(&point.value) {
            Some((summary, buckets)) => {
                let mut family = Family::of(&point.series, options);
                request.histogram(&family, |out| {
                    histogram::encode(out, summary, &buckets, part.end_ms);
                });
                values::each_of_summary(summary, &mut |role, value| {
                    family.value(role, value, &mut |flat| request.flat(flat));
                });
            }
            None => plain::flatten(point, options, |flat| request.flat(flat)),
        }
    }
    // A marker does not tell when its series began.
    request.started_ms = 0;
    for series in part.ended {
        plain::end(series, options, |flat| request.flat(flat));
    }
    request.finish(part.points.len() as u64)
}

struct Request {
    end_ms: i64,
    /// Time at which the present series began, if it is a counter.
    started_ms: i64,
    symbols: Symbols,
    series: Vec<u8>,
    samples: u64,
    histograms: u64,
}

impl Request {
    fn flat(&mut self, flat: &Flat<'_>) {
        self.samples += flat.samples();
        let Self {
            end_ms,
            started_ms,
            symbols,
            series,
            ..
        } = self;
        message(series, 5, |out| {
            labels(out, symbols, flat.labels());
            // Receivers may ignore the start, and most do.
            if let Some(zero_ms) = flat.zero_ms {
                message(out, 2, |out| int(out, 2, zero_ms));
            }
            message(out, 2, |out| {
                double(out, 1, flat.value);
                int(out, 2, *end_ms);
                if flat.metric_type == MetricType::Counter {
                    int(out, 3, *started_ms);
                }
            });
            metadata(out, flat.metric_type);
        });
    }

    fn histogram(&mut self, family: &Family<'_>, histogram: impl FnOnce(&mut Vec<u8>)) {
        self.histograms += 1;
        let symbols = &mut self.symbols;
        message(&mut self.series, 5, |out| {
            let pairs = plain::sorted(family.metric(), &family.labels, None);
            labels(out, symbols, pairs);
            message(out, 3, histogram);
            metadata(out, MetricType::GaugeHistogram);
        });
    }

    /// Finishes the message. The symbols come first, so that a reader knows them when it reads the series.
    fn finish(self, points: u64) -> Encoded {
        let mut body = Vec::with_capacity(self.symbols.text_bytes() * 2 + self.series.len());
        for symbol in self.symbols.iter() {
            string(&mut body, 4, symbol);
        }
        body.extend_from_slice(&self.series);
        Encoded {
            body,
            points,
            samples: self.samples,
            histograms: self.histograms,
            left_out: 0,
        }
    }
}

fn labels<'l>(
    out: &mut Vec<u8>,
    symbols: &mut Symbols,
    labels: impl Iterator<Item = (&'l str, &'l str)>,
) {
    message(out, 1, |out| {
        for (name, value) in labels {
            varint(out, u64::from(symbols.reference(name)));
            varint(out, u64::from(symbols.reference(value)));
        }
    });
}

fn metadata(out: &mut Vec<u8>, metric_type: MetricType) {
    message(out, 5, |out| uint(out, 1, metric_type as u64));
}
