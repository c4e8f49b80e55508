//! Whole runs on the fake system: what is refused, built, profiled, measured and told, and what is left behind.

mod again;
mod builds;
mod dependencies;
mod ending;
mod languages;
mod measuring;
mod profiles;
mod refused;
mod servers;
