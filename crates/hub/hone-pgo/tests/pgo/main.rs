//! Profiles of fleets that are made up of parts of one recording with hardware branch records.

mod common;
mod damage;
mod gates;
mod published;
mod stays;
mod sums;
