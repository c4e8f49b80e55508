//! Batches from recordings to bytes, and back to views and conversions.

mod adding;
mod common;
mod merging;
mod recordings;
mod wire;
