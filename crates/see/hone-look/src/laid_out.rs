//! How the code of a binary lies, by recordings of it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hone_fdo::layout::{BinaryFetches, CacheShape, FetchModel, Layout, layout};
use hone_fdo::{Code, Evidence, FdoError, count_binary, find_binaries};
use hone_files::advice::Advice;
use hone_inputs::debug_file::Loaded;
use hone_inputs::hub::is_hub;
use hone_inputs::recording::{EventChoice, Reading};
use hone_symbols::Binary;

/// Recordings by which a layout is looked at, and the modelled caches.
pub struct Question<'q> {
    /// Recordings of the binary.
    pub recordings: &'q [PathBuf],
    /// Events that count.
    pub events: EventChoice,
    /// The cache for instructions.
    pub l1i: CacheShape,
    /// The TLB for code.
    pub itlb: CacheShape,
}

/// A layout, and what its evidence lacks.
pub struct LaidOut {
    /// How the code lies.
    pub layout: Layout,
    /// Why the branch records were of no use, if only the sampled instructions are known to run.
    pub without_branches: Option<FdoError>,
    /// True if branches are known as sums of a hub alone, which have no order to model caches by.
    pub are_sums: bool,
}

/// Finds how the code of a binary lies, by the code that its recordings saw run.
pub fn laid_out(loaded: &Loaded, binary: &Binary<'_>, question: &Question<'_>) -> Result<LaidOut> {
    let code = Code::new(binary);
    let hint = loaded.path().to_str();
    let mut reading = Reading::of(question.recordings, Some(loaded)).only(&question.events);
    let mut recordings = Vec::new();
    let mut fetches = BinaryFetches::default();
    for path in question.recordings {
        let mut model = FetchModel::new(question.l1i, question.itlb);
        let recorded = reading.next(path, |profile, sample, branches| {
            model.add(profile, sample, branches);
        })?;
        // A recording without the binary is an error below.
        let ids = find_binaries(&recorded, binary, hint).unwrap_or_default();
        fetches.add(&model.finish(&recorded.profile, &ids, binary));
        recordings.push(recorded);
    }
    let mut without_branches = None;
    let counted = count_binary(&recordings, Evidence::Branches, hint, &code)
        .or_else(|error| match error {
            // The sampled instructions are known without branch records.
            FdoError::PartialBranches { .. } => {
                without_branches = Some(error);
                count_binary(&recordings, Evidence::IpSamples, hint, &code)
            }
            error => Err(error),
        })
        .map_err(|error| {
            let step = advice(&error, loaded.path());
            Advice::error(error, step)
        })?;
    Ok(LaidOut {
        layout: layout(&counted.counts, &code, question.l1i).with_fetches(
            &fetches,
            question.itlb,
            &code,
        ),
        without_branches,
        are_sums: counted.counts.has_branches()
            && question.recordings.iter().all(|path| is_hub(path)),
    })
}

/// Returns advice for recordings that say nothing about the binary.
fn advice(error: &FdoError, binary: &Path) -> String {
    match error {
        FdoError::NoSamplesInBinary { .. } => {
            "name one of those files with --binary, or recordings of this one".to_owned()
        }
        FdoError::BuildIdDiffers { .. } => format!(
            "name the build that was recorded, or record this one: hone record --branches walk -- {}",
            binary.display()
        ),
        other => hone_convert::next_step(other).to_owned(),
    }
}
