//! The store: that it holds what it was given, and that nothing that fails makes it lose or double anything.

mod clocks;
mod faults;
mod fleet;
mod folder;
mod format;
mod kill;
mod prepared;
mod profiles;
mod readers;
mod reading;
mod regressions;
mod s3;
mod search;
mod summed;
mod sums;
mod two_compactors;
