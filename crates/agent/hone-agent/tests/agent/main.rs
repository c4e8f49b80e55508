//! The library of the agent: what it reads, aggregates and sends, against models, readers and servers that share nothing with it.

mod model;
mod protocol;
mod receive;
mod relay;
mod send;
