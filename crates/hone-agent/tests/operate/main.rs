//! The agent in operation: what it tells about itself, reloads under load, and the service manager.

#[path = "../common/mod.rs"]
mod common;
mod demo;
mod events;
mod guide;
mod http;
mod manager;
mod reload;
mod scrape;
mod support;
mod top;
mod trial;
