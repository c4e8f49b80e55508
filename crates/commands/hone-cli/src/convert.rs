//! `hone convert`: turns recordings into compiler profiles. hone-convert does the work; this module is the command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use hone_convert::{Form, Program, Request, convert, layout_into, write_headers};
use hone_fdo::Evidence;
use hone_files::advice::Advise;
use hone_files::files::{must_be_writable, write_whole};

use crate::event::EventArgs;
use crate::output::to_stdout;

/// Turn a recording with branch stacks into a profile for the compiler
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone convert hone.data --binary ./server --to autofdo-extbinary -o server.prof\n  \
    clang++ -fprofile-sample-use=server.prof ..."
)]
pub(crate) struct Args {
    /// Recordings: perf.data of Hone or perf, text of perf script, pprof, BOLT's pre-aggregated text, text of
    /// llvm-profgen --skip-symbolization, hub:SERVICE for what a hub has of a service
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// The binary that was recorded; with debug info, where the form names source lines
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// A library of the same program, whose functions the profile shall hold too: for the forms of AutoFDO and GCC, and sizes.
    /// May be repeated
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Its debug file or split package (.dwp), where that does not lie where debuggers look
    #[arg(long, value_name = "FILE")]
    debug_file: Option<PathBuf>,
    /// The form of the profile
    #[arg(long, value_enum)]
    to: FormArg,
    /// Where it goes, for propeller and memops-headers a directory; standard output where not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    events: EventArgs,
    /// Use plain samples even where there are branch records
    #[arg(long)]
    ip_samples: bool,
    /// Key an AutoFDO profile by pseudo probes, for builds with -fpseudo-probe-for-profiling
    #[arg(long, conflicts_with = "ip_samples")]
    probes: bool,
    /// For profdata: the IR of the program's sources, from hone wrap --ir DIR
    #[arg(long, value_name = "DIR")]
    ir: Option<PathBuf>,
    /// Leave the list of functions without samples out of an extended binary profile
    #[arg(long)]
    no_symbol_list: bool,
}

/// A form of profile, given by its name.
#[derive(Clone, Copy)]
struct FormArg(Form);

impl ValueEnum for FormArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [FormArg; Form::ALL.len()] = {
            let mut all = [FormArg(Form::Text); Form::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = FormArg(Form::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.help()))
    }
}

impl Args {
    fn request(&self) -> Request {
        let program = Program {
            binary: self.binary.clone(),
            libraries: self.library.clone(),
        };
        Request {
            debug_file: self.debug_file.clone(),
            events: self.events.choice(),
            evidence: match self.ip_samples {
                true => Evidence::IpSamples,
                false => Evidence::Branches,
            },
            probes: self.probes,
            ir: self.ir.clone(),
            symbol_list: !self.no_symbol_list,
            ..Request::new(&self.recordings, &program, self.to.0)
        }
    }

    /// Returns the directory for a form of several files.
    fn directory(&self, files: &str) -> Result<&Path> {
        let directory = self.output.as_deref();
        directory
            .ok_or_else(|| anyhow!("{files}"))
            .next("name a directory for them with -o DIRECTORY")
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let request = args.request();
    let said = match args.to.0 {
        Form::MemopsHeaders => {
            write_headers(&request, args.directory("the headers are several files")?)?
        }
        Form::Propeller if args.library.is_empty() => {
            layout_into(&request, args.directory("Propeller's layout is two files")?)?
        }
        _ => profile(&args, &request)?,
    };
    eprint!("{said}");
    Ok(ExitCode::SUCCESS)
}

/// Writes a profile of one file; returns what to report about it.
fn profile(args: &Args, request: &Request) -> Result<String> {
    if let Some(path) = &args.output {
        must_be_writable(path)?;
    }
    let profile = convert(request)?;
    match &args.output {
        Some(path) => write_whole(path, &profile.bytes)?,
        None => to_stdout(&profile.bytes)?,
    }
    Ok(profile.said)
}
