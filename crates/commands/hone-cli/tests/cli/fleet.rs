//! `hone bench --fleet`: two builds that run side by side.

mod agents;
mod hub;
