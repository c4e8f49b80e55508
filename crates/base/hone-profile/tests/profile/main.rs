//! Recordings, read and written: against what is known of them, against other tools, and damaged.

mod tools;

mod perf_data;
mod perf_script;
mod pprof;
mod viewer;
