//! The agent in operation: what it tells about itself, reloads under load, and the service manager.

mod demo;
mod http;
mod manager;
mod reload;
mod support;
mod top;
mod trial;
