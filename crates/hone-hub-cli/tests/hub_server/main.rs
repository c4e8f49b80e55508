//! The hub as a process: what hosts and people see of it, and what it withstands.

mod access;
mod batches;
mod checkers;
mod collector;
mod durable;
mod findings;
mod fleet;
mod others;
mod page;
mod pgo;
mod pgo_real;
mod process;
mod questions;
mod regressions;
mod replicas;
mod search;
mod slow_clients;
mod symbols;
mod tls;
mod upkeep;

#[path = "../../../hone-agent/tests/common/certificate.rs"]
mod certificate;
#[path = "../../../hone-collect/tests/common/mod.rs"]
mod collected;
#[allow(dead_code)] // These tests use a part of it.
#[path = "../../../hone-pgo/tests/pgo/common.rs"]
mod common;
#[path = "../../../hone-hub/tests/symbols/programs.rs"]
#[allow(dead_code, reason = "the tests of the library use more of it")]
mod programs;
#[path = "../../../hone-hub/tests/store/python.rs"]
mod python;
#[allow(dead_code)] // As common.
#[path = "../../../hone-pgo/tests/pgo/real.rs"]
mod real;
#[path = "../../../hone-hub/tests/store/s3_server.rs"]
mod s3_server;
