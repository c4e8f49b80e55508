//! Symbols: real programs are uploaded, and name places as the files themselves do, whatever fails or is damaged.

mod asked;
mod common;
mod damage;
mod faults;
mod fetching;
mod naming;
mod peers;
mod retention;
mod taking;
