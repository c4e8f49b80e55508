//! The whole way: what hosts sent becomes a profile, its figures, gates and manifest.

use std::collections::{BTreeMap, BTreeSet};

use hone_batch::Batch;
use hone_fdo::quality::gain_share;
use hone_fdo::{SampleProfile, autofdo_text, check, extbinary, gcov};
use hone_profile::BuildId;

use crate::builds::Builds;
use crate::error::PgoError;
use crate::files::{self, File};
use crate::form::Form;
use crate::gates::{self, Belonging, Gate};
use crate::halves::{Half, Halves, overlap_expected};
use crate::join::{Part, join};
use crate::keep::{Decision, Former, decide, hottest};
use crate::manifest::{FORMAT, Manifest, sha256};
use crate::observations::Seen;
use crate::quality::{self, Quality};
use crate::settings::Settings;
use crate::sign::SecretKey;
use crate::weights::{Chosen, Weights};
use crate::{go, one_build, sums};

/// Number of hosts up to which rows of a hub tell all of them apart.
pub const HOSTS_APART_MAX: usize = 8;

/// Build that a profile shall be for.
#[derive(Clone, Copy, Debug)]
pub struct Target<'q> {
    /// Build id.
    pub build: &'q BuildId,
    /// Name of the file, by which a build is known that was never recorded.
    pub name: &'q str,
}

/// What a profile is asked of.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Service.
    pub service: &'q str,
    /// What hosts sent of the service, told apart by host, build and, for strata, by label. All of a batch is of one age, the
    /// middle of its span: hand over a batch for each hour or day. With `sums` hosts need not be told apart, but those that
    /// [`capped_hosts`] names.
    pub batches: &'q [Batch],
    /// What each host weighs, where `batches` do not tell hosts apart: samples and records of the same spans, whose stacks do not
    /// matter. Empty if they do.
    pub sums: &'q [Batch],
    /// Time of the question, in seconds since 1970.
    pub now_s: u64,
    /// Build that the profile shall be for; `None` for the newest that runs.
    pub target: Option<Target<'q>>,
    /// Form of the profile.
    pub form: Form,
    /// Settings.
    pub settings: &'q Settings,
    /// Profile that is in use.
    pub former: Option<&'q Former>,
}

/// A profile with its manifest. It may be used only if [`Manifest::is_fit`].
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    /// Manifest; the former one if the former profile stays.
    pub manifest: Manifest,
    /// Content of the profile's file; empty if there is nothing to make it of.
    pub profile: Vec<u8>,
    /// What became of the former profile; that of a profile which is not fit stays anyway.
    pub decision: Decision,
}

impl Made {
    /// Returns the files to write, in this order and each of them whole: none if the former profile stays, or if the new one
    /// is not fit.
    pub fn files(&self, key: Option<&SecretKey>) -> Vec<File> {
        let stays = matches!(self.decision, Decision::Kept { .. });
        if stays || !self.manifest.is_fit() {
            return Vec::new();
        }
        files::files(&self.manifest, &self.profile, key)
    }
}

/// Bytes of a profile, and what they were made of.
#[derive(Default)]
pub(crate) struct Written {
    bytes: Vec<u8>,
    pub(crate) samples: Option<SampleProfile>,
    pub(crate) functions: Vec<(String, u64)>,
    parts: BTreeMap<String, Part>,
    density: Option<f64>,
}

/// Makes a profile. The same question has the same answer, whatever the order of the batches.
///
/// # Errors
///
/// A setting makes no sense, or the target build's binary is not at hand or cannot be used. What gates find wrong is in the
/// manifest.
pub fn make(question: &Question<'_>, builds: Builds<'_>) -> Result<Made, PgoError> {
    let settings = question.settings;
    settings.check()?;
    let seen = Seen::of(question);
    let (chosen, belonging) = choose(question, &seen);
    let Some(chosen) = chosen else {
        return Ok(unfit(question, &seen, belonging));
    };
    let weights = Weights::of_program(&chosen, &seen, settings);
    let written_of =
        |half: Option<Half<'_>>| write(question, &seen, &chosen, &weights, builds, half);
    let written = written_of(None)?;
    let halves = Halves::of(question.service, &seen, &written.parts);
    let shares = quality::shares(&chosen, &seen, &weights, |source| &source.build);
    let mut figures = quality::of(&chosen, &seen, &weights, &written.parts, question.now_s);
    figures.density = written.density;
    if let Some(halves) = &halves {
        // A half that makes no profile has nothing in common with the other one.
        let [first, second] = halves.both().map(|half| written_of(Some(half)));
        let expected = first.and_then(|first| Ok(overlap_expected(&first, &second?)));
        let expected = expected.unwrap_or(0.0);
        figures.overlap = Some(quality::rounded(expected));
        figures.gain_share = gain_share(expected).map(quality::rounded);
        figures.halves = Some(halves.of);
    }
    let inputs = quality::inputs(&chosen, &seen, &shares, &written.parts);
    let limits = &settings.gates;
    let mut gates = vec![
        belonging,
        gates::overlap(&figures, limits),
        gates::age(&figures, limits),
        gates::matching(&figures, &chosen.target, &inputs, question.form, limits),
    ];
    gates.extend(gates::density(&figures, limits));
    let manifest = Manifest {
        program: chosen.program,
        target: chosen.target,
        inputs,
        functions: hottest(written.functions),
        ..manifest(question, figures, gates, &written.bytes)
    };
    Ok(decided(
        question,
        manifest,
        written.bytes,
        written.samples.as_ref(),
    ))
}

/// Returns the hosts whose weight is cut, in order, because they would weigh too much beside the median host. Batches have to tell
/// them apart.
pub fn capped_hosts(question: &Question<'_>) -> Vec<String> {
    let seen = Seen::of(question);
    let (chosen, _) = choose(question, &seen);
    let weights = chosen.map(|chosen| Weights::of_program(&chosen, &seen, question.settings));
    weights.map_or_else(Vec::new, Weights::into_capped)
}

/// Returns the hosts of a small fleet, in order, so that halves of what it sent can be sets of hosts: none if there are more than
/// [`HOSTS_APART_MAX`] or but one. Batches or sums have to tell them apart.
pub fn hosts_of_few(question: &Question<'_>) -> Vec<String> {
    let seen = Seen::of(question);
    let (chosen, _) = choose(question, &seen);
    let sources = chosen.iter().flat_map(|chosen| chosen.sources(&seen));
    let hosts: BTreeSet<&String> = sources.map(|(source, _)| &source.host).collect();
    let is_told =
        (2..=HOSTS_APART_MAX).contains(&hosts.len()) && !hosts.iter().any(|host| host.is_empty());
    let hosts = hosts.into_iter().filter(|_| is_told);
    hosts.cloned().collect()
}

/// Chooses program and target, and tries whether the target belongs to the service. There is nothing to choose if it does not.
fn choose(question: &Question<'_>, seen: &Seen<'_>) -> (Option<Chosen>, Gate) {
    let target = question
        .target
        .map(|target| (target.build.to_string(), target.name));
    let target = target.as_ref().map(|(build, name)| (build.as_str(), *name));
    let program = target.map(|(build, name)| seen.programs.get(build).map_or(name, String::as_str));
    let build = target.map(|(build, _)| build);
    let chosen = Chosen::of(seen, program, build, question.settings);
    let chosen = chosen.filter(|chosen| program.is_none_or(|name| chosen.program == name));
    let mut programs: Vec<&str> = seen.programs.values().map(String::as_str).collect();
    programs.sort_unstable();
    programs.dedup();
    let gate = gates::service(&Belonging {
        service: question.service,
        target,
        programs,
        others: seen.other_services.iter().map(String::as_str).collect(),
        belongs: chosen.is_some(),
    });
    (chosen, gate)
}

/// Returns the answer without a profile, as nothing of the service is of use.
fn unfit(question: &Question<'_>, seen: &Seen<'_>, belonging: Gate) -> Made {
    let newest_s = seen.newest_s.unwrap_or(0);
    let figures = Quality {
        newest_age_s: question.now_s.saturating_sub(newest_s),
        ..Quality::default()
    };
    Made {
        manifest: manifest(question, figures, vec![belonging], &[]),
        profile: Vec::new(),
        decision: Decision::First,
    }
}

fn manifest(question: &Question<'_>, quality: Quality, gates: Vec<Gate>, bytes: &[u8]) -> Manifest {
    Manifest {
        format: FORMAT.to_owned(),
        hone: env!("CARGO_PKG_VERSION").to_owned(),
        service: question.service.to_owned(),
        program: String::new(),
        target: String::new(),
        form: question.form,
        sha256: sha256(bytes),
        bytes: bytes.len() as u64,
        created_s: question.now_s,
        quality,
        gates,
        inputs: Vec::new(),
        functions: Vec::new(),
        settings: question.settings.clone(),
    }
}

/// Adds up, converts, and writes the form; of one half, if one is given.
fn write(
    question: &Question<'_>,
    seen: &Seen<'_>,
    chosen: &Chosen,
    weights: &Weights,
    builds: Builds<'_>,
    half: Option<Half<'_>>,
) -> Result<Written, PgoError> {
    let Question {
        service,
        form,
        settings,
        ..
    } = *question;
    let with_stacks = form.needs_stacks();
    let sums = sums::by_build(service, seen, chosen, weights, with_stacks, settings, half);
    if form == Form::GoPgo {
        let written = go::write(chosen, &sums, builds)?;
        return Ok(Written {
            bytes: written.bytes,
            functions: written.functions,
            parts: written.parts,
            ..Written::default()
        });
    }
    if !form.is_by_source() {
        let Some((_, sum)) = sums.iter().find(|(build, _)| *build == chosen.target) else {
            return Ok(Written::default());
        };
        let one = one_build::write(form, chosen, sum, builds)?;
        return Ok(Written {
            bytes: one.bytes,
            functions: one.functions,
            parts: BTreeMap::from([(chosen.target.clone(), one.part)]),
            ..Written::default()
        });
    }
    let shares = quality::shares(chosen, seen, weights, |source| &source.build);
    let joined = join(chosen, &sums, &shares, builds, settings)?;
    let density = quality::density_of(&joined);
    let bytes = if joined.samples.functions.is_empty() {
        Vec::new()
    } else {
        let symbols = settings.symbol_list.then_some(&*joined.symbols);
        by_source(form, &joined.samples, symbols)?
    };
    let functions = joined.samples.functions.iter();
    let functions = functions.map(|(name, function)| (name.clone(), function.total));
    Ok(Written {
        bytes,
        functions: functions.collect(),
        parts: joined.parts,
        density: Some(density),
        samples: Some(joined.samples),
    })
}

/// Writes a form that names places in the source. What can be read back is, by the independent reader.
fn by_source(
    form: Form,
    samples: &SampleProfile,
    symbols: Option<&[String]>,
) -> Result<Vec<u8>, PgoError> {
    match form {
        Form::GccGcov => Ok(gcov::write(samples)),
        Form::AutofdoText => Ok(autofdo_text::write(samples).into_bytes()),
        _ => {
            let bytes = extbinary::write(samples, symbols);
            let read = check::read_extbinary(&bytes).map_err(|error| PgoError::NotReadBack {
                what: error.to_string(),
            })?;
            match check::compare(samples, &read).first() {
                None => Ok(bytes),
                Some(first) => Err(PgoError::NotReadBack {
                    what: format!("another {} of {:?}", first.what, first.path),
                }),
            }
        }
    }
}

/// Decides about the former profile, and returns the one that is in use from now on.
fn decided(
    question: &Question<'_>,
    manifest: Manifest,
    profile: Vec<u8>,
    samples: Option<&SampleProfile>,
) -> Made {
    let former = question.former.filter(|_| manifest.is_fit());
    let decision = decide(former, &manifest, samples);
    match (former, &decision) {
        (Some(former), Decision::Kept { .. }) => Made {
            manifest: former.manifest.clone(),
            profile: former.profile.clone(),
            decision,
        },
        _ => Made {
            manifest,
            profile,
            decision,
        },
    }
}
