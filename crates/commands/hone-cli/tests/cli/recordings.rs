//! Commands that read recordings: what they print, and what real recorders and other tools give them.

mod bare_names;
mod call_graph;
mod command_line;
mod complaints;
mod convert;
mod debuginfod;
mod diagnose;
mod go_pgo;
mod guide_one_recording;
mod hub;
mod inspect;
mod inspect_static;
mod labels;
mod memops;
mod real_recordings;
mod record_convert;
mod signals;
mod views;
