//! Lines over TCP, as Graphite takes them.
//!
//! The protocol has no answer: delivered means that the kernel took the bytes. Bytes that were on their way when a
//! connection broke are lost without a trace. A parcel whose writing failed is sent again whole, and the same line
//! twice is the same point to Graphite.

use super::tcp::{Connector, TcpOptions};
use super::{Delivery, Endpoint, Parcel};
use crate::tls::TlsError;
use std::io::Write;

/// A receiver of lines.
pub struct Lines {
    connector: Connector,
}

impl Lines {
    /// Makes an endpoint, which connects when the first parcel is sent.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(options: &TcpOptions) -> Result<Self, TlsError> {
        let connector = Connector::new(options)?;
        Ok(Self { connector })
    }
}

impl Endpoint for Lines {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let sent = self.connector.with(|connection| {
            connection.write_all(&parcel.body)?;
            connection.flush()
        });
        match sent {
            Ok(()) => Delivery::Delivered,
            Err(error) => Delivery::later(error),
        }
    }
}
