//! The agent as a process: from clients' sockets to back ends, in operation, and while something goes wrong around it.

mod clients;
mod common;
mod faults;
mod operate;
mod process;
