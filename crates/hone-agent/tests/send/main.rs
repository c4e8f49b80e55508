//! What is sent, against readers and servers that share nothing with the writers.

#[path = "../common/mod.rs"]
mod common;
mod ends;
mod fixture;
mod http;
mod killed;
mod names;
mod oracle;
mod pieces;
mod tcp;
mod victoria_metrics;
