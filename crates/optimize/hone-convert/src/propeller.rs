//! Propeller's layout for clang and lld: two files in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_fdo::propeller::{self, Layout, LayoutReport};
use hone_fdo::{Code, Evidence};
use hone_report::number;
use hone_symbols::{Binary, BlockMap};
use indicatif::HumanCount;

use super::address_forms::outside_and_lost;
use super::{Form, Program, Request, evidence_used, explain, notes, read_all};
use hone_files::advice::Advise;
use hone_files::files::write_whole;

/// Name of the file with the blocks of each function.
const CLUSTERS: &str = "clusters";
/// Name of the file with the order of the functions.
const ORDER: &str = "order";

const NO_MAP: &str = "build with clang, lld and -fbasic-block-address-map (with LTO the link needs \
    -Wl,--lto-basic-block-address-map too), and record that build";

/// Content of both files, and a description.
struct Files {
    clusters: String,
    order: String,
    said: String,
}

/// Writes a layout of the program's blocks and functions, made from the recordings, into a directory; returns a
/// description.
///
/// # Errors
///
/// Returns an error if plain samples or probes are asked for, the binary has no map of its blocks, or a file cannot be read
/// or written.
pub fn layout_into(request: &Request, directory: &Path) -> Result<String> {
    if request.probes || request.evidence == Evidence::IpSamples {
        return Err(anyhow!(
            "a layout of blocks is made of branch records alone"
        ))
        .next("leave out --probes and --ip-samples");
    }
    let files = make(request)?;
    files.write(directory)?;
    Ok(files.said)
}

/// Writes a layout of the binary's blocks and functions, made from the recordings, into a directory.
pub fn lay_out(recordings: &[PathBuf], binary: &Path, directory: &Path) -> Result<()> {
    let program = Program::alone(binary);
    make(&Request::new(recordings, &program, Form::Propeller))?.write(directory)
}

impl Files {
    fn write(&self, directory: &Path) -> Result<()> {
        fs::create_dir_all(directory)
            .with_context(|| directory.display().to_string())
            .next("name another directory")?;
        write_whole(&directory.join(CLUSTERS), self.clusters.as_bytes())?;
        write_whole(&directory.join(ORDER), self.order.as_bytes())
    }
}

fn make(request: &Request) -> Result<Files> {
    let loaded = request.loaded_binary()?;
    let binary = Binary::parse(loaded.image()).map_err(|error| explain(error.into(), request))?;
    let map = BlockMap::parse(&binary).map_err(|error| explain(error.into(), request))?;
    let map = map.ok_or_else(|| {
        anyhow!(
            "{} has no map of its blocks",
            request.program.binary.display()
        )
    });
    let map = map.next(NO_MAP)?;
    let recorded = read_all(&request.recordings, &loaded, &request.events)?;
    let code = Code::new(&binary);
    let counted = request.counted(&recorded, &code)?;
    if !counted.counts.has_branches() {
        return Err(anyhow!("there are no branch records to lay blocks out by"))
            .next("record with --branches auto");
    }
    let layout = propeller::layout(&counted.counts, &code, &map);
    if layout.functions.is_empty() {
        return Err(anyhow!(
            "nothing that ran is in the map of blocks of {}",
            request.program.binary.display()
        ))
        .next(NO_MAP);
    }
    let report = &counted.counts.report;
    Ok(Files {
        clusters: propeller::write_clusters(&layout),
        order: propeller::write_order(&layout),
        said: format!(
            "{} -> {}\n{}{}{}",
            evidence_used(report),
            figures(&layout),
            notes(&counted.warnings),
            left_out(&layout.report),
            outside_and_lost(report),
        ),
    })
}

fn figures(layout: &Layout<'_>) -> String {
    let report = &layout.report;
    let share = |falls: u64| number::share(falls as f64 / report.jumps.max(1) as f64);
    format!(
        "{} functions with {} hot and {} cold blocks; of the steps between blocks {} go to the next one, {} in the \
         recorded build",
        HumanCount(layout.functions.len() as u64),
        HumanCount(report.hot_blocks),
        HumanCount(report.cold_blocks),
        share(report.falls_after),
        share(report.falls_before),
    )
}

/// Describes code that ran and is not in the layout, as notes.
fn left_out(report: &LayoutReport) -> String {
    let mut text = String::new();
    if report.unnamed > 0 {
        text += &format!(
            "note: {} functions that ran share their names with others, or have none, and are left as they are; build \
             with -funique-internal-linkage-names.\n",
            HumanCount(report.unnamed)
        );
    }
    if report.ambiguous > 0 {
        text += &format!(
            "note: {} functions that ran have two blocks of one number and are left as they are.\n",
            HumanCount(report.ambiguous)
        );
    }
    let impossible = report.losses.ranges_impossible + report.losses.jumps_impossible;
    if impossible > 0 {
        text += &format!(
            "note: {} branches and ranges contradict the map of blocks and were left out.\n",
            HumanCount(impossible)
        );
    }
    text
}
