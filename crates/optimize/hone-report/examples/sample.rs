//! Writes the report page of an invented run, to look at: `cargo run -p hone-report --example sample -- full
//! report.html`. Other runs: `nothing-kept`, `nothing-measured`, `not-confirmed`, or the `report.json` of a real
//! one. A file whose name ends with `.md`, `.json` or `.txt` gets that form.

#[path = "../tests/report/sample.rs"]
mod sample;

use hone_report::{html, json, markdown, model::LadderReport, terminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [which, path] = arguments.as_slice() else {
        eprintln!(
            "usage: sample full|nothing-kept|nothing-measured|not-confirmed|REPORT.json FILE"
        );
        return ExitCode::from(2);
    };
    let report = match which.as_str() {
        "full" => sample::full(),
        "nothing-kept" => sample::nothing_kept(),
        "nothing-measured" => sample::nothing_measured(),
        "not-confirmed" => sample::not_confirmed(),
        other => match read(other) {
            Ok(report) => report,
            Err(error) => {
                eprintln!("{other}: neither a sample nor a report: {error}");
                return ExitCode::from(2);
            }
        },
    };
    let text = match path.rsplit('.').next() {
        Some("md") => markdown::render(&report),
        Some("json") => json::render(&report),
        Some("txt") => terminal::render(&report, 80, false),
        _ => html::render(&report),
    };
    match std::fs::write(path, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::from(2)
        }
    }
}

fn read(path: &str) -> Result<LadderReport, Box<dyn std::error::Error>> {
    Ok(json::parse(&std::fs::read_to_string(path)?)?)
}
