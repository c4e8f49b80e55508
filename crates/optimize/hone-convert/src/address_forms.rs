//! Converts to forms that rest on addresses and symbols, and need no debug info: BOLT's, orders for linkers, tables.

use anyhow::{Result, anyhow};
use hone_fdo::overview::{self, RecordingLosses};
use hone_fdo::quality::{self, Limits};
use hone_fdo::{AggregateReport, Code, Counts, bolt_fdata, bolt_preaggregated, order};
use hone_symbols::Binary;
use indicatif::HumanCount;

use super::{Form, Profile, Request, evidence_used, explain, notes, read_all};
use hone_files::advice::Advise;

/// Converts recordings to a form that rests on addresses and symbols.
pub(super) fn convert(request: &Request) -> Result<Profile> {
    let loaded = request.loaded_binary()?;
    let recorded = read_all(&request.recordings, &loaded, &request.events)?;
    let binary = Binary::parse(loaded.image()).map_err(|error| explain(error.into(), request))?;
    let code = Code::new(&binary);
    let counted = request.counted(&recorded, &code)?;
    let report = &counted.counts.report;
    let losses = report.losses.clone();
    let (text, made) = write(request.to, &counted.counts, losses, &code)?;
    Ok(Profile {
        bytes: text.into_bytes(),
        said: format!(
            "{} -> {made}\n{}{}",
            evidence_used(report),
            notes(&counted.warnings),
            outside_and_lost(report),
        ),
    })
}

/// Formats the quality of the counts, such as the share of samples outside of the binary, with advice as notes.
pub(super) fn outside_and_lost(report: &AggregateReport) -> String {
    let figures = quality::of_counts(report, &Limits::default());
    let shown: Vec<&str> = figures.iter().map(|figure| figure.shown.as_str()).collect();
    let advice = figures.iter().filter_map(|figure| figure.advice.as_ref());
    let notes = advice.map(|advice| format!("note: {advice}\n"));
    format!("{}\n", shown.join(", ")) + &notes.collect::<String>()
}

/// Writes the profile as text, and describes its content in words.
fn write(
    form: Form,
    counts: &Counts,
    losses: RecordingLosses,
    code: &Code<'_>,
) -> Result<(String, String)> {
    Ok(match form {
        Form::BoltPreaggregated => {
            if !counts.has_branches() {
                return Err(anyhow!(
                    "there are no branch records, and BOLT's pre-aggregated form holds nothing else"
                ))
                .next("choose --to bolt-fdata, which has a form for plain samples");
            }
            let text = bolt_preaggregated::write_with_origins(counts, code);
            let lines = text.lines().count() as u64;
            (text, format!("{} lines", HumanCount(lines)))
        }
        Form::BoltFdata => {
            let fdata = bolt_fdata::write(counts, code);
            let lines = fdata.text.lines().count() as u64;
            let mut made = format!("{} lines", HumanCount(lines));
            if fdata.unnamed > 0 {
                made += &format!(
                    "; {} in code without a name left out",
                    HumanCount(fdata.unnamed)
                );
            }
            (fdata.text, made)
        }
        Form::SymbolOrder | Form::SectionOrder => {
            let functions = order::hot_functions(counts, code);
            let made = format!("{} functions", HumanCount(functions.len() as u64));
            let text = match form {
                Form::SymbolOrder => order::write_symbols(&functions),
                _ => order::write_sections(&functions),
            };
            (text, made)
        }
        Form::Json => {
            let overview = overview::overview(counts, losses, code);
            let json = serde_json::to_string_pretty(&overview)? + "\n";
            (json, functions(&overview))
        }
        _ => {
            let overview = overview::overview(counts, losses, code);
            (overview::write_text(&overview), functions(&overview))
        }
    })
}

fn functions(overview: &overview::Overview) -> String {
    format!("{} functions", HumanCount(overview.functions.len() as u64))
}
