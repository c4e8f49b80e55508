//! Levers as data, hone.toml, plans, the compiler wrapper.
#![forbid(unsafe_code)]
