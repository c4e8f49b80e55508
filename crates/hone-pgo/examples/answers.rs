//! Makes the profile of what a hub answered: `answers SERVICE BINARY FORM PROFILE BATCH...`, one batch for each day or hour. The
//! service has one build. Prints seconds, and the manifest.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use hone_batch::{Batch, Limits, wire};
use hone_inputs::debug_file::Loaded;
use hone_pgo::{Form, Question, Settings, make};

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [service, binary, form, profile, answers @ ..] = &arguments[..] else {
        bail!("next step: answers SERVICE BINARY FORM PROFILE BATCH...");
    };
    let service = service.to_str().context("the service is not UTF-8")?;
    let form = form.to_str().unwrap_or_default();
    let form =
        Form::named(form).map_err(|why| anyhow!("{form}: {}", why.unwrap_or("no such form")))?;
    let loaded = Loaded::read(binary, None)?;
    let began = Instant::now();
    let limits = Limits {
        bytes_max: 1 << 30,
        texts_max: 1 << 24,
    };
    let read = |path: &PathBuf| -> Result<Batch> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        wire::read(&bytes, &limits).with_context(|| path.display().to_string())
    };
    let batches: Vec<Batch> = answers.iter().map(read).collect::<Result<_>>()?;
    let read_s = began.elapsed().as_secs_f64();
    let newest_s = batches.iter().map(|batch| batch.span_s.end).max();
    let question = Question {
        service,
        batches: &batches,
        sums: &[],
        now_s: newest_s.context("no batch is given")?,
        target: None,
        form,
        settings: &Settings::default(),
        former: None,
    };
    let began = Instant::now();
    let made = make(&question, &|_| Some(loaded.image()))?;
    let make_s = began.elapsed().as_secs_f64();
    hone_run::files::write_whole(profile, &made.profile)?;
    let quality = &made.manifest.quality;
    let told = serde_json::json!({
        "read_s": read_s,
        "make_s": make_s,
        "profile_bytes": made.profile.len(),
        "hosts": quality.hosts,
        "is_fit": made.manifest.is_fit(),
        "manifest": serde_json::from_slice::<serde_json::Value>(&made.manifest.write())?,
    });
    println!("{told}");
    Ok(())
}
