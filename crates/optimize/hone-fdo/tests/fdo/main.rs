//! Compiler profiles, against programs of which every instruction is known, and in the hands of the tools that eat them.

mod common;
mod generated;

mod bolt_fdata;
mod complaints;
mod counters;
mod create_llvm_prof;
mod damage;
mod dispatch;
mod ext_tsp;
mod gcov;
mod go_pgo;
mod memops;
mod merge;
mod order;
mod parts;
mod probes;
mod problems;
mod propeller;
mod read;
mod roundtrip;
mod same_code;
mod traced;
mod vectorised;
