//! ELF and DWARF: what stands at an address of a binary.
#![forbid(unsafe_code)]
