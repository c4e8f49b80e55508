//! Commands that read recordings, on recordings of real programs and of other tools.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/real_hub.rs"]
mod real_hub;

mod bare_names;
mod call_graph;
mod command_line;
mod complaints;
mod convert_forms;
mod convert_inputs;
mod debug_files;
mod debuginfod;
mod diagnose;
mod go_pgo;
mod guide_one_recording;
mod hub;
mod inputs_of_others;
mod inspect;
mod inspect_static;
mod labels;
mod memops;
mod merge;
mod own_library;
mod quality;
mod real_recordings;
mod record_convert;
mod server;
mod signals;
mod split_dwarf;
mod views;
