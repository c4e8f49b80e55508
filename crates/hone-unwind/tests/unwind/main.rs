//! Callers from registers, stacks and the unwinding information of files.

mod damage;
mod pointer;
mod start;
