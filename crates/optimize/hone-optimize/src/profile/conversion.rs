//! Converts recordings to the forms that compilers, linkers and llvm-bolt read.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use hone_build::{Converted, Toolchain};
use hone_convert::{Form, Program, Request};
use hone_fdo::{Evidence, Warning, bolt_preaggregated};
use hone_report::note::BuildNote;

use crate::profile::Idle;
use crate::run::Run;
use hone_files::files::write_whole;
use hone_run::process::tool;

/// Recordings that are converted.
pub(super) struct Conversion<'c> {
    pub(super) recordings: &'c [PathBuf],
    pub(super) program: &'c Program,
    /// The compiler that reads the profile.
    pub(super) toolchain: Toolchain,
    /// Directory of the IR of the recorded sources, for a map of their counters.
    pub(super) ir: Option<PathBuf>,
    /// Name of the profile's files.
    pub(super) name: &'c str,
}

impl Conversion<'_> {
    /// Writes the profile; returns its file or directory, relative to `.hone/`.
    pub(super) fn write(&self, run: &mut Run, to: Converted) -> Result<PathBuf> {
        match to {
            Converted::Headers => self.write_headers(run),
            Converted::BlockOrder => self.write_block_order(run),
            Converted::ForBolt => self.write_for_bolt(run),
            Converted::Counters => self.write_counters(run),
            Converted::ByProbes => self.write_bytes(run, &self.made(Form::AutofdoExtbinary, true)?),
            Converted::FunctionOrder => {
                self.write_bytes(run, &self.made(Form::SymbolOrder, false)?)
            }
            Converted::ByLines | Converted::ByPlainSamples => {
                let bytes = match self.toolchain {
                    Toolchain::Go => self.made(Form::GoPgo, false)?,
                    Toolchain::Gcc => self.made(Form::GccGcov, false)?,
                    Toolchain::Clang | Toolchain::Rust => self.by_lines(run, to)?,
                };
                self.write_bytes(run, &bytes)
            }
        }
    }

    fn made(&self, to: Form, probes: bool) -> Result<Vec<u8>> {
        let request = Request {
            probes,
            ..Request::new(self.recordings, self.program, to)
        };
        hone_convert::convert(&request).map(|profile| profile.bytes)
    }

    fn by_lines(&self, run: &mut Run, to: Converted) -> Result<Vec<u8>> {
        let evidence = match to {
            Converted::ByPlainSamples => Evidence::IpSamples,
            _ => Evidence::Branches,
        };
        let loaded = hone_convert::load_program(self.recordings, self.program, evidence)?;
        for warning in &loaded.converted.warnings {
            let expected = evidence == Evidence::IpSamples && *warning == Warning::NoBranches;
            if !expected {
                run.tell(BuildNote::Conversion(hone_convert::sentence(warning)));
            }
        }
        hone_convert::autofdo_extbinary(&loaded.converted)
    }

    fn write_bytes(&self, run: &Run, bytes: &[u8]) -> Result<PathBuf> {
        let file = PathBuf::from(format!("profiles/{}.prof", self.name));
        write_whole(&run.workspace.path(&file), bytes)?;
        Ok(file)
    }

    fn write_counters(&self, run: &mut Run) -> Result<PathBuf> {
        let ir = self.ir.as_ref().context("no IR was kept")?;
        let (bytes, notes) = hone_convert::counters_of(self.recordings, self.program, ir)?;
        for note in notes {
            run.tell(BuildNote::Conversion(note));
        }
        let file = PathBuf::from(format!("profiles/{}.profdata", self.name));
        write_whole(&run.workspace.path(&file), &bytes)?;
        Ok(file)
    }

    fn write_headers(&self, run: &Run) -> Result<PathBuf> {
        let directory = PathBuf::from(format!("profiles/{}.headers", self.name));
        let into = run.workspace.path(&directory);
        match hone_convert::memops_headers(self.recordings, self.program, &into)? {
            Some(reason) => Err(Idle { reason }.into()),
            None => Ok(directory),
        }
    }

    fn write_block_order(&self, run: &Run) -> Result<PathBuf> {
        let directory = PathBuf::from(format!("profiles/{}", self.name));
        let into = run.workspace.path(&directory);
        hone_convert::lay_out(self.recordings, &self.program.binary, &into)?;
        Ok(directory)
    }

    fn write_for_bolt(&self, run: &Run) -> Result<PathBuf> {
        let binary = &self.program.binary;
        let converted = hone_convert::load(self.recordings, binary, Evidence::Branches)?;
        let file = |ending: &str| PathBuf::from(format!("profiles/{}.{ending}", self.name));
        let aggregated = run.workspace.path(file("preaggregated"));
        let text = bolt_preaggregated::write(&converted.counts);
        write_whole(&aggregated, text.as_bytes())?;
        let bolt = run.tools.llvm_bolt.as_ref();
        let mut command = Command::new(&bolt.context("llvm-bolt is not there")?.path);
        command.arg(binary).args(["-aggregate-only", "-pa", "-p"]);
        let fdata = file("fdata");
        command.arg(&aggregated).arg("-o");
        command.arg(run.workspace.path(&fdata));
        tool::run(command, "llvm-bolt -aggregate-only")?;
        Ok(fdata)
    }
}
