//! The agent in operation: what it tells about itself, reloads under load, real back ends, and the service manager.

mod demo;
mod events;
mod guide;
mod http;
mod increase;
mod manager;
mod names_stored;
mod profiles;
mod reload;
mod rewrite;
mod scrape;
mod support;
mod top;
mod trial;
