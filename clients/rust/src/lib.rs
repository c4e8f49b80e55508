//! Sends a service's metrics to hone-agent: samples are gathered into packets, which are sent to the agent's socket
//! without ever waiting for the agent.
//!
//! ```text
//! handle -> shard (one of a few, by thread) -> outbox (bounded queue) -> socket
//!           encoded into its packet            when full, by a timer     or dropped and counted
//! ```
//!
//! Constraints that shaped this:
//! - A call of a service never waits for the agent: sending does not block, packets that the socket does not take wait in a
//!   queue of a few packets, and when the queue is full, the oldest packet is dropped.
//! - Threads do not compete for one lock: each uses one of several shards. All samples of a gauge go to the same shard,
//!   since otherwise an older value could arrive after a newer one.
//! - Every sample is counted: given = sent + dropped, by reason, + waiting ([`Counts`]); the agent gets the same figures.
//! - Nothing is repaired: a series or value that the protocol cannot carry is dropped and counted, since a change could
//!   merge several series into one.
//!
//! The clients in Go and C++ (`clients/go`, `clients/cpp`) write the same bytes. The guarantees are described in
//! `docs/agent/clients.md`, the protocol in `docs/agent/protocol.md`.
//!
//! ```
//! use hone_agent_client::{Client, Config};
//!
//! let client = Client::start(Config::default()).unwrap();
//! let orders = client.counter("orders", &[("shop", "eu")]);
//! let checkout = client.timer("checkout.ms", &[]);
//! {
//!     let _measured_until_here = checkout.start();
//!     orders.add(1);
//! }
//! client.close();
//! ```

#![forbid(unsafe_code)]

mod client;
mod counts;
mod flusher;
mod handles;
mod number;
mod outbox;
mod packet;
mod series;
mod shared;
mod socket;

pub use client::{Client, Config, StartError};
pub use counts::{Counts, Reason};
pub use handles::{Counter, Distribution, Gauge, Histogram, Rate, Set, Timer, Timing};
pub use number::Number;
pub use series::{Kind, Refused};
