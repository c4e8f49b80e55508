//! Real sockets: what is sent arrives, and what does not is counted.

mod activation;
#[path = "../common/mod.rs"]
mod common;
mod datagrams;
mod files;
mod parcels;
mod secure;
mod streams;
mod support;
