//! What is sent, against readers and servers that share nothing with the writers.

mod fixture;
mod http;
mod killed;
mod oracle;
mod pieces;
mod server;
mod tcp;
mod victoria_metrics;
