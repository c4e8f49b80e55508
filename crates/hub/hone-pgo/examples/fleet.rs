//! Makes the profile of a fleet whose hosts each made one recording: `fleet BINARY FORM PROFILE RECORDING...`. Prints the manifest.
//! A profile that is not fit is written too, for comparisons; then the exit status is 1.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use hone_batch::{Adding, Batch, Group, Host, Limits, Origin, StackLimit, wire};
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::Reading;
use hone_pgo::{Form, Question, Settings, Target, make};
use hone_profile::{LocationId, Profile, Thread};
use hone_symbols::Binary;

const SERVICE: &str = "example";

fn main() -> Result<ExitCode> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [binary, form, profile, recordings @ ..] = &arguments[..] else {
        bail!("next step: fleet BINARY FORM PROFILE RECORDING...");
    };
    let form = form.to_str().unwrap_or_default();
    let form =
        Form::named(form).map_err(|why| anyhow!("{form}: {}", why.unwrap_or("no such form")))?;
    let loaded = Loaded::read(binary, None)?;
    let parsed = Binary::parse(loaded.image())?;
    let build = parsed.build_id().context("the binary has no build id")?;
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let mut host = Sender {
        build: build.to_string(),
        now_s,
    };
    let batches = recordings
        .iter()
        .map(|recording| batch(recording, &mut host));
    let batches: Vec<Batch> = batches.collect::<Result<_>>()?;
    let name = binary.file_name().unwrap_or_default().to_string_lossy();
    let question = Question {
        service: SERVICE,
        batches: &batches,
        sums: &[],
        now_s,
        target: Some(Target { build, name: &name }),
        form,
        settings: &Settings::default(),
        former: None,
    };
    let made = make(&question, &|id| (id == build).then(|| loaded.image()))?;
    hone_files::files::write_whole(profile, &made.profile)?;
    print!("{}", String::from_utf8_lossy(&made.manifest.write()));
    Ok(ExitCode::from(u8::from(!made.manifest.is_fit())))
}

/// Reads a recording, adds it up as its host does, and reads that as the hub does.
fn batch(recording: &Path, host: &mut Sender) -> Result<Batch> {
    let origin = Origin {
        host: recording.display().to_string(),
        run: 1,
        number: 1,
    };
    let mut adding = Adding::new(origin, StackLimit::default());
    let paths = [recording.to_owned()];
    Reading::of(&paths, None).next(recording, |profile, sample, branches| {
        adding.add(profile, sample, branches, host);
    })?;
    let bytes = wire::write(&adding.finish().batch);
    wire::read(&bytes, &Limits::default()).with_context(|| recording.display().to_string())
}

struct Sender {
    build: String,
    now_s: u64,
}

impl Host for Sender {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: SERVICE.into(),
            build: self.build.clone(),
            thread: thread.name.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, _: u64) -> u64 {
        self.now_s
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}
