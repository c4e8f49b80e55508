//! From an interval to the bytes that would be sent: hone-agent's remote write, packed by zlib or zstd.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use flate2::{Compress, Compression as Level, FlushCompress};
use hone_agent::aggregate::{Aggregate, Interval, Point, Summary};
use hone_agent::compress::{Compression, Compressor};
use hone_agent::sample::Kind;
use hone_agent::wire::relay::Origin;
use hone_agent::wire::{Format, Options, parts};

use crate::store::{Cell, Store};

const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];
/// As hone-agent's.
const POINTS_MAX: usize = 5_000;

pub struct Packer {
    zstd: Option<Compressor>,
    pub bytes: u64,
}

impl Packer {
    pub fn new(with_zstd: bool) -> Result<Self> {
        let zstd = if with_zstd {
            Some(Compressor::new(Compression::Zstd(3))?)
        } else {
            None
        };
        Ok(Self { zstd, bytes: 0 })
    }

    /// Ends an interval.
    pub fn flush(&mut self, store: &mut Store, length: Duration) -> Result<()> {
        let end = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let interval = Interval {
            end_ms: end.as_millis() as i64,
            length_ms: length.as_millis() as u32,
            points: store.cells.iter_mut().filter_map(point).collect(),
        };
        for part in parts(&interval, POINTS_MAX) {
            let encoded = Format::RemoteWrite1.encode(
                part,
                &Options::default(),
                Origin {
                    source: 1,
                    sequence: 0,
                },
            );
            self.bytes += self.pack(&encoded.body)?.len() as u64;
        }
        Ok(())
    }

    fn pack(&mut self, body: &[u8]) -> Result<Vec<u8>> {
        if let Some(zstd) = &mut self.zstd {
            return Ok(zstd.compress(body)?);
        }
        let mut packed = Vec::with_capacity(body.len() + body.len() / 1000 + 1024);
        Compress::new(Level::default(), true).compress_vec(
            body,
            &mut packed,
            FlushCompress::Finish,
        )?;
        Ok(packed)
    }
}

/// What a series came to; timers without samples are not sent.
fn point(cell: &mut Cell) -> Option<Point> {
    let series = cell.series.clone()?;
    let value = match series.kind() {
        Kind::Counter => {
            cell.total += cell.sum;
            Aggregate::Counter {
                total: cell.total,
                delta: cell.sum,
                since_ms: 0,
                is_new: false,
            }
        }
        Kind::Gauge => Aggregate::Gauge(cell.last),
        _ => {
            let summary = Summary {
                count: cell.count,
                sum: cell.sum,
                min: cell.min,
                max: cell.max,
                quantiles: cell.bins.take()?.quantiles(&QUANTILES),
            };
            // Those that relay send them on; this one does not.
            Aggregate::Timer(Box::new(summary), Box::default())
        }
    };
    (cell.count, cell.sum) = (0.0, 0.0);
    Some(Point { series, value })
}
