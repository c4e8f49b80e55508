//! Profile and symbols in, compiler profiles out.
#![forbid(unsafe_code)]
