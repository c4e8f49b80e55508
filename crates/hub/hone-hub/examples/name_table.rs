//! Makes the table of names of a program, and tells how large it is: `name_table PROGRAM [DEBUG_FILE]`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use hone_hub::symbols::limits::Limits;
use hone_hub::symbols::{inspect, tabulate};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let program = paths
        .next()
        .ok_or("usage: name_table PROGRAM [DEBUG_FILE]")?;
    let about = inspect(std::fs::File::open(&program)?, &Limits::default())?;
    let code = std::fs::read(&program)?;
    let debug = paths.next().map(std::fs::read).transpose()?;
    let began = Instant::now();
    let table = tabulate(&code, debug.as_deref())?;
    let debug_bytes = debug.map_or(0, |debug| debug.len());
    println!(
        "{} {} program {} debug file {debug_bytes} table {} bytes in {:.2} s",
        program.display(),
        about.kind.name(),
        code.len(),
        table.len(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
