//! ELF and DWARF of real programs, against what other tools read of them.

mod common;

mod block_map;
mod damage;
mod layouts;
mod probes;
mod runs;
mod split_dwarf;
mod stripped;
mod vtables;
