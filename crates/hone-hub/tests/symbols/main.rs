//! Symbols: real programs are uploaded, and name places as the files themselves do, whatever fails or is damaged.

mod asked;
mod damage;
#[path = "../store/disk.rs"]
#[allow(dead_code, reason = "the store's tests use more of it")]
mod disk;
mod faults;
mod fetching;
mod naming;
mod peers;
mod programs;
mod retention;
mod taking;
