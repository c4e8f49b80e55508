//! `hone-hub token`: tokens are made, listed and revoked in their file, which a running hub reads again.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use clap::Subcommand;
use hone_hub::tokens::{Grant, Scope, Tokens};

use crate::access::{self, DEFAULT_TENANT};
use crate::log;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a token, and print it: the hub keeps only its hash, and it is not shown again
    New {
        /// What the token is good for: some of ingest, read, symbols, pgo, admin
        #[arg(long, value_name = "SCOPE,...", value_delimiter = ',', required = true, value_parser = scope)]
        scopes: Vec<Scope>,
        /// Whose data the token is for
        #[arg(long, value_name = "NAME", default_value = DEFAULT_TENANT)]
        tenant: String,
        /// The only services of which batches may be sent
        #[arg(long, value_name = "SERVICE,...", value_delimiter = ',')]
        services: Vec<String>,
        /// Who has the token, for the list
        #[arg(long, value_name = "WHO", default_value = "")]
        name: String,
    },
    /// List ids, scopes, tenants and names of all tokens
    List,
    /// Remove a token by its id, or by a name that only one has
    Revoke {
        /// The id or name
        token: String,
    },
}

fn scope(name: &str) -> Result<Scope, String> {
    Scope::named(name).ok_or_else(|| "scopes are ingest, read, symbols, pgo and admin".to_owned())
}

/// Does what is asked with the tokens of a file.
pub(crate) fn run(command: Command, file: &Path) -> Result<()> {
    match command {
        Command::New {
            scopes,
            tenant,
            services,
            name,
        } => new(
            file,
            Grant {
                name,
                tenant,
                scopes,
                services,
            },
        ),
        Command::List => list(file),
        Command::Revoke { token } => revoke(file, &token),
    }
}

fn new(file: &Path, grant: Grant) -> Result<()> {
    let directory = directory_of(file);
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let _alone = alone(directory)?;
    let mut tokens = access::read(file)?;
    let secret = tokens.add(grant)?;
    write(file, &tokens)?;
    let made = tokens.all().last().context("the token is missing")?;
    log::say(format!(
        "token {} of the tenant {} is in {}; it is shown only now:",
        made.id(),
        made.grant.tenant,
        file.display()
    ));
    println!("{secret}");
    Ok(())
}

fn list(file: &Path) -> Result<()> {
    let tokens = access::read(file)?;
    if tokens.all().is_empty() {
        return Err(anyhow!(
            "there is no token in {}: make one by `hone-hub token new --scopes ingest,read`",
            file.display()
        ));
    }
    for token in tokens.all() {
        let scopes: Vec<&str> = token
            .grant
            .scopes
            .iter()
            .map(|scope| scope.name())
            .collect();
        let services = match token.grant.services.is_empty() {
            true => String::new(),
            false => format!("  services {}", token.grant.services.join(",")),
        };
        println!(
            "{}  {}  tenant {}{services}  {}",
            token.id(),
            scopes.join(","),
            token.grant.tenant,
            token.grant.name
        );
    }
    Ok(())
}

fn revoke(file: &Path, which: &str) -> Result<()> {
    let _alone = alone(directory_of(file))?;
    let mut tokens = access::read(file)?;
    let revoked = tokens.revoke(which)?;
    write(file, &tokens)?;
    log::say(format!("token {} is revoked", revoked.id()));
    if tokens.all().is_empty() {
        log::say(
            "that was the last one: a hub that listens on loopback lets everybody there in, others let in nobody",
        );
    }
    Ok(())
}

/// Waits until no other process changes tokens in the directory.
fn alone(directory: &Path) -> Result<File> {
    let opened = File::open(directory).with_context(|| directory.display().to_string())?;
    opened
        .lock()
        .with_context(|| format!("cannot lock {}", directory.display()))?;
    Ok(opened)
}

/// Writes the file whole, for the owner of its directory alone: root makes tokens for the user of a hub.
fn write(file: &Path, tokens: &Tokens) -> Result<()> {
    let directory = directory_of(file);
    let shown = || format!("cannot write {}", file.display());
    let mut new = tempfile::NamedTempFile::new_in(directory).with_context(shown)?;
    new.write_all(tokens.to_text()?.as_bytes())
        .with_context(shown)?;
    let owner = fs::metadata(directory).with_context(shown)?;
    if owner.uid() != new.as_file().metadata().with_context(shown)?.uid() {
        fchown(new.as_file(), Some(owner.uid()), Some(owner.gid())).with_context(|| {
            format!(
                "{}: the directory is of another user; run this as that user",
                directory.display()
            )
        })?;
    }
    new.as_file().sync_all().with_context(shown)?;
    new.persist(file).with_context(shown)?;
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .with_context(shown)
}

fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
