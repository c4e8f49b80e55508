//! Bodies on their way to back ends.
//!
//! ```text
//! Interval -> Outlet: encode, compress -> Parcel -> queue (memory or disk) -> one thread -> Endpoint -> back end
//! ```
//!
//! Constraints that shaped this module:
//! - Each endpoint has a queue and a thread of its own: an endpoint that is away or slow holds up no other, and never
//!   the flush. Queues are bounded in bytes; a full queue drops its oldest parcels, and counts them.
//! - A parcel is counted once: as delivered, as lost for one [`Reason`], or as still queued. Therefore
//!   `accepted + restored = delivered + lost + queued` holds at every moment ([`Outcome`]).
//! - Parcels are stored as they are sent, so a retry sends the same bytes and costs no second encoding.

mod http;
mod lines;
mod losses;
mod outlet;
mod post;
pub mod queue;
mod relay;
mod retry;
mod secrets;
mod sender;
mod tcp;
mod webhook;

pub use http::{Dialect, Http, HttpError, HttpOptions};
pub use lines::Lines;
pub use losses::{Losses, Outcome, Reason};
pub use outlet::{Outlet, OutletOptions, send_to_all, tell_all_what_ended};
pub use relay::Relay;
pub use retry::{Retry, retry_after};
pub use secrets::{text_without_secrets, without_secrets};
pub use sender::Sender;
pub use tcp::TcpOptions;
pub use webhook::{Webhook, WebhookOptions};

use crate::compress::Compression;
use std::sync::Arc;
use std::time::Duration;

/// A body and the counts of its contents. A point is a series of an interval, as the agent itself counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Parcel {
    /// The bytes as they are sent.
    pub body: Arc<[u8]>,
    /// Compression of the body.
    pub compression: Compression,
    /// Points in the body.
    pub points: u64,
    /// Plain values that the points became.
    pub samples: u64,
    /// Native histograms that the points became.
    pub histograms: u64,
}

/// Result of one attempt to deliver a parcel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// The back end has the parcel, as far as its protocol can say so.
    Delivered,
    /// Failed for now. The parcel may be tried again, after the given time where the back end demands one.
    Later {
        /// Shortest wait that the back end asks for.
        after: Option<Duration>,
        /// Description of the failure, for people.
        why: String,
    },
    /// Trying again would not help.
    Never {
        /// Reason for the account.
        reason: Reason,
        /// Description of the failure, for people.
        why: String,
    },
}

impl Delivery {
    fn later(why: impl ToString) -> Self {
        Self::Later {
            after: None,
            why: why.to_string(),
        }
    }
}

/// A back end, or another agent. One thread uses it, and may be blocked up to the endpoint's own timeouts.
pub trait Endpoint: Send {
    /// Makes one attempt to hand the parcel over.
    fn deliver(&mut self, parcel: &Parcel) -> Delivery;

    /// Returns true if parcels are converted to an older format, since the back end refused their own.
    fn fell_back(&self) -> bool {
        false
    }
}
