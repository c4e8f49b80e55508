//! What others' tools make of the files that the writer writes.

mod common;

use common::{LoopProgram, LOAD_ADDRESS, output_of, skip_without, write_loop_recording};
use std::process::Command;

#[test]
fn explore() {
    if skip_without(&["perf", "clang-19", "llvm-objdump-19"]) {
        return;
    }
    let program = LoopProgram::build("explore");
    let file = write_loop_recording(&program);
    println!("{}", file.display());
    let _ = LOAD_ADDRESS;
    println!("{}", output_of(Command::new("perf").args(["script", "-F", "ip,brstack", "-i"]).arg(&file)));
    std::mem::forget(program);
}
