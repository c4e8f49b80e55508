//! Experiments whose truth is known: what may be said of them, and how often that is wrong.

mod common;

mod analyse;
mod fleet;
mod layouts;
mod level;
mod sequential;
