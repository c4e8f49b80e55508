//! Callers from registers, stacks and the unwinding information of files.

mod bare;
mod damage;
mod made_file;
mod pointer;
mod start;
mod switch;
