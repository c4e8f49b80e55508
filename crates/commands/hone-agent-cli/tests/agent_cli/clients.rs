//! The clients in `clients/`, in every language, against the agent.

mod agent;
mod driver;
mod guide;
mod own_tests;
mod same_bytes;
mod samples;
mod stored;
mod tools;
