//! Bodies on their way to back ends.
//!
//! ```text
//! Interval -> Outlet: encode, compress -> Parcel -> queue (memory or disk) -> one thread -> Endpoint -> back end
//! ```
//!
//! Constraints that shaped this:
//! - Each endpoint has a queue and a thread of its own: one that is away or slow holds up no other, and never the
//!   flush. Queues are bounded in bytes; when one is full, the oldest parcels go, and are counted.
//! - A parcel is counted once: as delivered, as lost for one [`Reason`], or as still queued. So that
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
mod sender;
mod shown;
mod tcp;
mod webhook;

pub use http::{Dialect, Http, HttpError, HttpOptions};
pub use lines::Lines;
pub use losses::{Losses, Outcome, Reason};
pub use outlet::{Outlet, OutletOptions, send_to_all, tell_all_what_ended};
pub use relay::Relay;
pub use retry::{Retry, retry_after};
pub use sender::Sender;
pub use shown::{text_without_secrets, without_secrets};
pub use tcp::TcpOptions;
pub use webhook::{Webhook, WebhookOptions};

use crate::compress::Compression;
use std::sync::Arc;
use std::time::Duration;

/// A body and what stands in it. Counted in points: series of an interval, as the agent itself counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Parcel {
    /// The bytes as they are sent.
    pub body: Arc<[u8]>,
    /// How these are packed.
    pub compression: Compression,
    /// How many points they hold.
    pub points: u64,
    /// How many plain values these became.
    pub samples: u64,
    /// How many native histograms they became.
    pub histograms: u64,
}

/// What came of one attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// The back end has it, as far as its protocol lets it say so.
    Delivered,
    /// Not now. It may be tried again, at the earliest after this time where the back end says so.
    Later {
        /// What the back end asks for.
        after: Option<Duration>,
        /// What happened, for people.
        why: String,
    },
    /// Trying again would not help.
    Never {
        /// For the account.
        reason: Reason,
        /// What happened, for people.
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

/// A back end, or another agent. One thread uses it; it may block as long as its own timeouts let it.
pub trait Endpoint: Send {
    /// One attempt to hand the parcel over.
    fn deliver(&mut self, parcel: &Parcel) -> Delivery;

    /// Whether it hands parcels over in an older form than they have, since the back end refused that.
    fn fell_back(&self) -> bool {
        false
    }
}
