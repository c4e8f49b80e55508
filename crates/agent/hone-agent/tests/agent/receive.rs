//! Real sockets: what is sent arrives, and what does not is counted.

mod activation;
mod datagrams;
mod files;
mod parcels;
mod secure;
mod streams;
mod support;
