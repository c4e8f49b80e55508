//! The host metrics agent: all processes of a host send their samples to the agent, which aggregates the samples over
//! an interval and sends the aggregates on.
//!
//! ```text
//! sockets -> receive -> protocol -> store -> (interval ends) -> flush -> wire -> compress -> send
//!            datagrams   samples     values                     points   bytes              endpoints, disk queue
//! ```
//!
//! Constraints that shaped this crate:
//! - The hot path is from the socket to the value. It allocates only for new series, takes no lock and waits for
//!   nobody: each worker has a store of its own, and the values of an interval leave the store by one swap.
//! - Everything that arrives is hostile: no allocation from a length that a packet claims, limits on series by
//!   metric and by origin, and an overflow series instead of silent loss.
//! - Every sample is accounted for: received = stored + dropped, by stage and reason ([`account`]).
//!
//! Unsafe code is in `scan/` (vector instructions) and `receive/sys.rs` (system calls), each block with its proof.

#![deny(unsafe_code)]

pub mod account;
pub mod aggregate;
pub mod aggregator;
pub mod canonical;
pub mod compress;
pub mod flush;
pub mod limits;
pub mod notices;
pub mod origins;
pub mod protocol;
pub mod receive;
pub mod rewrite;
pub mod sample;
pub mod scan;
pub mod send;
pub mod series;
pub mod services;
pub mod store;
pub mod tls;
pub mod wire;
