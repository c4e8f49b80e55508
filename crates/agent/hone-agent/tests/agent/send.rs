//! What is sent, against readers and servers that share nothing with the writers.

mod ends;
mod fixture;
mod http;
mod killed;
mod names;
mod oracle;
mod pieces;
mod tcp;
mod victoria_metrics;
