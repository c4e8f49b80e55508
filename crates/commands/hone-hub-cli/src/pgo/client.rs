//! `hone hub pgo SERVICE --write DIRECTORY`: profiles from the hub into a repository.
//!
//! Nothing is believed that the hub says: paths are made of the manifest's own parts, the profile is the one that the manifest
//! names, the signature is that of the given key, and no profile takes the place of a newer one.

mod directory;
mod request;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hone_pgo::{Decision, Form, Gate, Manifest, PublicKey};
use hone_profile::BuildId;

use super::bundle::Bundle;
use super::request::form;
use crate::client::clean;
use directory::Written;
use request::{Answer, Hub};

/// Seconds of an hour.
const HOUR_S: f64 = 3600.0;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  hone-hub pgo checkout --write profiles\n  hone-hub pgo checkout --write profiles --form autofdo-extbinary,bolt-fdata --public-key pgo.pub\n  \
                  hone-hub pgo till --write profiles --form go-pgo --copy cmd/till/default.pgo"
)]
pub(crate) struct Args {
    /// The service, as the hub lists it
    service: String,
    /// The directory below which the profile and its manifest are written
    #[arg(long, value_name = "DIRECTORY")]
    write: PathBuf,
    /// Forms of profiles, such as autofdo-extbinary, gcc-gcov, bolt-fdata, symbol-order, go-pgo
    #[arg(long = "form", value_name = "FORM,...", value_delimiter = ',', default_value = "autofdo-extbinary", value_parser = form)]
    forms: Vec<Form>,
    /// Also write the profile to this file, whose name stays; for one form
    #[arg(long, value_name = "FILE")]
    copy: Option<PathBuf>,
    /// The build that the profile shall be for, in place of the newest that runs
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Take what was published, and have nothing made: needs the scope read alone
    #[arg(long)]
    published: bool,
    /// The hub [default: HONE_HUB, or http://127.0.0.1:7007]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The file with the token that the hub asks for [default: what HONE_HUB_TOKEN holds]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The public key of the hub, as PEM: a profile that it did not sign is refused
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,
}

/// Writes profiles; returns false if one of them may not be used, having said why.
pub(crate) fn run(args: &Args) -> Result<bool> {
    if args.copy.is_some() && args.forms.len() > 1 {
        bail!("--copy is for one form: name one by --form");
    }
    let key = args.public_key.as_deref().map(public_key).transpose()?;
    let binary = args.binary.as_deref().map(Binary::read).transpose()?;
    let hub = Hub::new(args.url.as_deref(), args.token_file.as_deref())?;
    let mut are_fit = true;
    for form in &args.forms {
        let whose = format!("{} {}", args.service, form.name());
        match one(args, *form, key.as_ref(), binary.as_ref(), &hub)
            .with_context(|| whose.clone())?
        {
            Ok(Fetched { lines, warnings }) => {
                println!("{whose}: {lines}");
                if !warnings.is_empty() {
                    eprintln!("hone-hub: {whose}: warning: {warnings}");
                }
            }
            Err(why) => {
                eprintln!("hone-hub: {whose}: {why}");
                are_fit = false;
            }
        }
    }
    Ok(are_fit)
}

/// What is told of a profile that may be used.
struct Fetched {
    lines: String,
    /// What would make it better; empty if nothing is known.
    warnings: String,
}

/// Fetches one form, and writes it. The inner error says why it may not be used.
fn one(
    args: &Args,
    form: Form,
    key: Option<&PublicKey>,
    binary: Option<&Binary>,
    hub: &Hub,
) -> Result<Result<Fetched, String>> {
    let answer = hub.ask(&args.service, form, binary, args.published)?;
    let (bytes, decision) = match answer {
        Answer::Profile { bytes, decision } => (bytes, decision),
        Answer::Unfit(manifest) => {
            let manifest = Manifest::read(&manifest).context("the hub's answer")?;
            return Ok(Err(gates(&manifest, |gate| !gate.passed)));
        }
        Answer::Nothing(why) => return Ok(Err(why)),
    };
    let bundle = Bundle::read(&bytes).context("the hub's answer")?;
    let manifest = match checked(&bundle, &args.service, form, key) {
        Ok(manifest) => manifest,
        Err(error) => return Ok(Err(format!("{error:#}"))),
    };
    let written = match directory::write(&args.write, &bundle, &manifest)? {
        Ok(written) => written,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(copy) = &args.copy {
        directory::write_changed(copy, &bundle.profile)?;
    }
    Ok(Ok(Fetched {
        lines: told(&manifest, &written, decision.as_ref()),
        warnings: gates(&manifest, Gate::warns),
    }))
}

/// Reads the manifest of what came, and checks all that must hold before the profile is used.
fn checked(
    bundle: &Bundle,
    service: &str,
    form: Form,
    key: Option<&PublicKey>,
) -> Result<Manifest> {
    if let Some(key) = key {
        let signature = bundle.signature.as_deref().ok_or_else(|| {
            anyhow!(
                "it has no signature, and --public-key wants one: let the hub have the key in [pgo]"
            )
        })?;
        let verified = key.verify(&bundle.manifest, signature);
        verified
            .context("take the public key of this hub, and ask who else may write to its store")?;
    }
    let manifest = Manifest::read(&bundle.manifest)?;
    manifest.check(&bundle.profile)?;
    if manifest.service != service || manifest.form != form {
        bail!(
            "it is the profile {} of {:?}: see what answers at that address",
            manifest.form.name(),
            manifest.service
        );
    }
    match manifest.is_fit() {
        true => Ok(manifest),
        false => bail!("{}", gates(&manifest, |gate| !gate.passed)),
    }
}

/// Says why gates failed or warn, and what to do.
fn gates(manifest: &Manifest, is_told: fn(&Gate) -> bool) -> String {
    let told = manifest.gates.iter().filter(|gate| is_told(gate));
    let lines = told.map(|gate| {
        let part = |text: &Option<String>| clean(text.as_deref().unwrap_or_default());
        format!("{}\nnext: {}", part(&gate.reason), part(&gate.next))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Says what there is now.
fn told(manifest: &Manifest, written: &Written, decision: Option<&Decision>) -> String {
    let quality = &manifest.quality;
    let samples = match quality.basis {
        hone_pgo::Basis::Branches => quality.samples_with_branches,
        hone_pgo::Basis::Samples => quality.samples,
    };
    let why = match decision {
        Some(Decision::Kept { overlap, .. }) => {
            format!("; it overlaps a new one by {:.1} %", 100.0 * overlap)
        }
        Some(Decision::Differs { overlap }) => {
            format!("; it overlaps the former one by {:.1} %", 100.0 * overlap)
        }
        Some(Decision::Old { age_s }) => {
            format!(
                "; the former one was {:.1} days old",
                *age_s as f64 / HOUR_S / 24.0
            )
        }
        Some(Decision::First | Decision::OtherKind) | None => String::new(),
    };
    let overlap = quality.overlap.map_or(String::new(), |overlap| {
        format!(", {:.1} % overlap with the next profile", 100.0 * overlap)
    });
    let gain = quality.gain_share.map_or(String::new(), |share| {
        format!(" and {:.0} % of the gain to be expected", 100.0 * share)
    });
    let facts = format!(
        "of build {}: {samples} samples of {} hosts{overlap}{gain}, {:.1} % of the weight matches{why}",
        clean(&manifest.target),
        quality.hosts,
        100.0 * quality.match_share
    );
    match written {
        Written::Nothing(profile) => format!("unchanged, {facts}\n{}", profile.display()),
        Written::Profile(profile) => format!("new, {facts}\n{}", profile.display()),
    }
}

fn public_key(file: &Path) -> Result<PublicKey> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    PublicKey::from_pem(&text).with_context(|| {
        format!(
            "{}: make it of the hub's key by: openssl pkey -in pgo.key -pubout -out {}",
            file.display(),
            file.display()
        )
    })
}

/// A build that a profile shall be for.
struct Binary {
    build: BuildId,
    name: String,
}

impl Binary {
    fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let file = fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
        let build = hone_symbols::build_id_of(file).with_context(|| shown.to_string())?;
        let build = build.with_context(|| {
            format!("{shown} has no build id: link it with -Wl,--build-id, and record that build")
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            build,
            name: name.into_owned(),
        })
    }
}
