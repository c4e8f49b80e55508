//! The library of the hub: what it keeps and answers, whatever fails or is damaged.

mod disk;
mod store;
mod symbols;
