//! Frames to another hone-agent, which answers each frame.

use super::tcp::{Connector, TcpOptions};
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::tls::TlsError;
use crate::wire::relay::frame::{self, Status};
use std::io::Write;

/// Endpoint for another hone-agent.
pub struct Relay {
    connector: Connector,
}

impl Relay {
    /// Makes an endpoint, which connects when the first parcel is sent.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(options: &TcpOptions) -> Result<Self, TlsError> {
        let connector = Connector::new(options)?;
        Ok(Self { connector })
    }
}

impl Endpoint for Relay {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let never = |reason, why: &str| Delivery::Never {
            reason,
            why: why.to_owned(),
        };
        let Some(frame) = frame::framed(&parcel.body, parcel.compression) else {
            return never(Reason::Compression, "the relay takes none, snappy and zstd");
        };
        let status = self.connector.with(|connection| {
            connection.write_all(&frame)?;
            connection.flush()?;
            frame::read_answer(connection, &frame)
        });
        match status {
            Ok(Status::Taken) => Delivery::Delivered,
            Ok(Status::Busy) => Delivery::later("the receiver is busy"),
            Ok(Status::Refused) => never(Reason::Refused, "the receiver refused the frame"),
            Err(error) => Delivery::later(error),
        }
    }
}
