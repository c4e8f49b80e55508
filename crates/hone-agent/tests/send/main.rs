//! What is sent, against readers and servers that share nothing with the writers.

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod fixture;
mod http;
mod killed;
mod names;
mod names_stored;
mod oracle;
mod pieces;
mod server;
mod tcp;
mod victoria_metrics;
