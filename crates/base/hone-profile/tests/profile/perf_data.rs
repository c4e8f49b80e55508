//! perf.data, written and read: against itself, against odd files, and against the real tools.

mod fuzz;
mod lbr_fixture;
mod live_perf;
mod loop_program;
mod odd_files;
mod other_tools;
mod raw;
mod round_trip;
