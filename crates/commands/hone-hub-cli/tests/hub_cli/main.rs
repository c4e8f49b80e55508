//! The hub as a process: what hosts and people see of it, and what it withstands.

mod access;
mod batches;
mod browser;
mod checkers;
mod clock;
mod collector;
mod common;
mod durable;
mod findings;
mod fleet;
mod hostile_names;
mod jobs;
mod others;
mod page;
mod pgo;
mod questions;
mod regressions;
mod replicas;
mod screenshots;
mod search;
mod slow_clients;
mod steps;
mod symbols;
mod tls;
mod upkeep;
