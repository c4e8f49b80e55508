//! The emulator, against CPUs: single instructions, whole walks of programs, and the edges of walks.

mod common;

mod instructions;
mod operands;
mod paths;
mod walk;
