//! An endpoint with its format, compression and sender: the way of intervals to a back end.

use super::{Endpoint, Outcome, Parcel, Reason, Sender};
use crate::aggregate::Interval;
use crate::compress::{CompressError, Compression, Compressor};
use crate::wire::ended::Held;
use crate::wire::names::Rules;
use crate::wire::relay::Origin;
use crate::wire::{self, Encoded, Format, Options, Part};
use std::sync::Arc;
use std::time::Duration;

/// Options for writing intervals for an endpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct OutletOptions {
    /// Format of the bodies.
    pub format: Format,
    /// Options of the format.
    pub wire: Options,
    /// Compression of the bodies.
    pub compression: Compression,
    /// Limit on points of one body.
    pub points_max: usize,
}

/// Path of intervals to one endpoint, up to the thread that sends.
pub struct Outlet {
    options: OutletOptions,
    compressor: Compressor,
    sender: Sender,
    /// Series of the last interval, for formats that report which series ended.
    held: Option<Held>,
}

impl Outlet {
    /// Returns an outlet that writes with these options into the given sender.
    ///
    /// # Errors
    /// If the compression has no such level.
    pub fn new(options: OutletOptions, sender: Sender) -> Result<Self, CompressError> {
        let compressor = Compressor::new(options.compression)?;
        let held = match options.format {
            Format::RemoteWrite1 | Format::RemoteWrite2 => Some(Held::default()),
            Format::Graphite | Format::Relay => None,
        };
        Ok(Self {
            options,
            compressor,
            sender,
            held,
        })
    }

    /// Returns the rules by which the back end tells series apart.
    pub fn rules(&self) -> Rules {
        Rules {
            format: self.options.format,
            labels: self.options.wire.labels.clone(),
            names: self.options.wire.names,
        }
    }

    /// Writes other labels from the next interval on. The series that ended with the old labels are not reported: with
    /// the new labels, the report would name series that were never sent, or other series that have these names now.
    pub fn label(&mut self, labels: Vec<(String, String)>) {
        if labels != self.options.wire.labels
            && let Some(held) = &mut self.held
        {
            *held = Held::default();
        }
        self.options.wire.labels = labels;
    }

    /// Sends to another endpoint that takes the same bodies. See [`Sender::change`].
    pub fn change(&self, endpoint: Box<dyn Endpoint>) {
        self.sender.change(endpoint);
    }

    /// Returns the outcome at this moment.
    pub fn outcome(&self) -> Outcome {
        self.sender.outcome()
    }

    /// Sends what is queued, for at most the given time. See [`Sender::stop`].
    pub fn stop(self, patience: Duration) -> Outcome {
        self.sender.stop(patience)
    }

    fn send(&mut self, made: &[Made]) {
        for made in made {
            match made {
                Made::Parcel(parcel) => self.sender.send(parcel.clone()),
                Made::Lost(points, why) => {
                    self.sender.lose(Reason::Compression, *points, why.clone());
                }
            }
        }
    }

    fn make(&mut self, piece: &Interval, origin: &mut Origin) -> Vec<Made> {
        if let Some(held) = &mut self.held {
            held.note(&piece.points);
        }
        let parts = wire::parts(piece, self.options.points_max);
        parts.map(|part| self.write(part, origin)).collect()
    }

    fn make_ended(&mut self, interval: &Interval, origin: &mut Origin) -> Vec<Made> {
        let ended = self.held.as_mut().map_or_else(Vec::new, Held::ended);
        let parts = wire::parts_of_ended(interval, &ended, self.options.points_max);
        parts.map(|part| self.write(part, origin)).collect()
    }

    fn write(&mut self, part: Part<'_>, origin: &mut Origin) -> Made {
        let OutletOptions { format, wire, .. } = &self.options;
        let encoded = format.encode(part, wire, *origin);
        origin.sequence += 1;
        pack(&mut self.compressor, &encoded)
    }
}

enum Made {
    Parcel(Parcel),
    /// Number of points, and the reason.
    Lost(u64, String),
}

fn pack(compressor: &mut Compressor, encoded: &Encoded) -> Made {
    match compressor.compress(&encoded.body) {
        Ok(body) => Made::Parcel(Parcel {
            body: Arc::from(body),
            compression: compressor.compression(),
            points: encoded.points,
            samples: encoded.samples,
            histograms: encoded.histograms,
        }),
        Err(error) => Made::Lost(encoded.points, error.to_string()),
    }
}

/// Queues an interval, or a piece of it, for every given endpoint. Endpoints with the same options share the same
/// bytes, which are made once. `origin` numbers the parts, and is advanced.
pub fn send_to_all<'o>(
    outlets: impl IntoIterator<Item = &'o mut Outlet>,
    piece: &Interval,
    origin: &mut Origin,
) {
    make_once(outlets, |outlet| outlet.make(piece, origin));
}

/// Reports to every endpoint whose format can express it which series were in the interval before and are in no piece
/// of this one. To be called once all pieces were sent.
pub fn tell_all_what_ended(outlets: &mut [Outlet], last: &Interval, origin: &mut Origin) {
    make_once(outlets, |outlet| outlet.make_ended(last, origin));
}

fn make_once<'o>(
    outlets: impl IntoIterator<Item = &'o mut Outlet>,
    mut make: impl FnMut(&mut Outlet) -> Vec<Made>,
) {
    let mut all: Vec<(OutletOptions, Vec<Made>)> = Vec::new();
    for outlet in outlets {
        let known = all
            .iter()
            .position(|(options, _)| *options == outlet.options);
        let place = known.unwrap_or_else(|| {
            let made = make(outlet);
            all.push((outlet.options.clone(), made));
            all.len() - 1
        });
        outlet.send(&all[place].1);
    }
}
