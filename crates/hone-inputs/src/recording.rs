//! Recordings of every kind, told apart by their first bytes and read into one form.
//!
//! perf.data is taken sample by sample, because such files are large; the other kinds are texts or small. Texts that
//! name addresses and no files are read with the binary that was recorded. What a hub has comes as sums.

mod event_choice;
mod refused;
mod summed;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_fdo::bolt_preaggregated_reader::{self as preaggregated, PreaggregatedError};
use hone_fdo::{Recorded, Tally, llvm_unsymbolized_reader as unsymbolized};
use hone_profile::perf_script::FixedBinary;
use hone_profile::{BinaryKind, BranchRecord, KIND_BYTES, Kind, Profile, Sample, kind_of};
use hone_profile::{perf_data, perf_script, pprof};
use hone_symbols::{Binary, BinaryType};

pub use self::event_choice::EventChoice;
use self::event_choice::Seen;
pub use self::refused::compressed;
use crate::debug_file::Loaded;
use crate::hub;
use crate::progress::Progress;
use crate::recorded_files::RecordedFiles;
use crate::unwinding::Unwinding;
use hone_run::advice::{Advice, Advise};
use hone_run::files::AdviseReading;

/// Reads a text of counts as a recording of the binary at a path.
type ReadText = fn(&str, &Binary<'_>, &str) -> Result<Recorded, PreaggregatedError>;

/// Counts a recording, whatever its binary.
pub fn read(path: &Path) -> Result<Recorded> {
    let paths = [path.to_owned()];
    Reading::of(&paths, None).next(path, |_, _, _| {})
}

/// Counts each of several recordings of a binary.
pub fn read_all(paths: &[PathBuf], binary: &Loaded, events: &EventChoice) -> Result<Vec<Recorded>> {
    let mut reading = Reading::of(paths, Some(binary)).only(events);
    let each = paths.iter().map(|path| reading.next(path, |_, _, _| {}));
    each.collect()
}

/// Recordings that are read one after the other, with a bar for all their bytes.
pub struct Reading<'r> {
    binary: Option<&'r Loaded>,
    events: EventChoice,
    /// Files that copied stacks are unwound through, of this reading alone.
    own_files: RecordedFiles,
    /// Files of the question, in place of these.
    files: Option<&'r RecordedFiles>,
    progress: Progress,
    /// Number of bytes of the files that are done.
    bytes_before: u64,
}

impl<'r> Reading<'r> {
    /// Starts to read recordings; `binary` is the recorded binary, if known.
    pub fn of(paths: &[PathBuf], binary: Option<&'r Loaded>) -> Self {
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self {
            binary,
            events: EventChoice::default(),
            own_files: RecordedFiles::of_loaded(binary),
            files: None,
            progress: Progress::in_percent(paths.iter().map(size).sum(), "reading"),
            bytes_before: 0,
        }
    }

    /// Skips samples of other events.
    pub fn only(mut self, events: &EventChoice) -> Self {
        self.events = events.clone();
        self
    }

    /// Unwinds copied stacks through the files of a question.
    pub fn through(mut self, files: &'r RecordedFiles) -> Self {
        self.files = Some(files);
        self
    }

    /// Counts one of the recordings, and passes every sample with its branch records, newest first, to `also`. Samples of a
    /// hub come as equal samples in one, and without branch records.
    pub fn next(
        &mut self,
        path: &Path,
        also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        let recorded = self.read(path, also);
        self.bytes_before += fs::metadata(path).map_or(0, |metadata| metadata.len());
        recorded.with_context(|| path.display().to_string())
    }

    fn read(
        &mut self,
        path: &Path,
        mut also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        if hub::is_hub(path) {
            return self.of_hub(path, also);
        }
        let mut file =
            File::open(path).next_read("name a recording, such as hone.data from hone record")?;
        refused::directory(&file)?;
        let kind = kind_of_file(&file).next_read("name a recording, such as hone.data")?;
        let profile = match kind {
            Kind::PerfScript => self.script(&content(file)?),
            Kind::Pprof => read_pprof(&content(file)?),
            kind @ (Kind::BoltPreaggregated | Kind::LlvmUnsymbolized) => {
                self.events.is_of_no_use(kind)?;
                return self.addresses(kind, &content(file)?);
            }
            Kind::Compressed(compression) => return Err(refused::compressed(compression, path)),
            Kind::PerfData | Kind::Unknown => {
                file.rewind()?;
                return self.perf_data(file, also);
            }
        }?;
        let mut tally = Tally::default();
        let mut seen = Seen::of(&self.events);
        for sample in &profile.samples {
            if seen.takes(&profile, sample) {
                let branches = profile.branches_of(sample);
                tally.add(&profile, sample, branches);
                also(&profile, sample, branches);
            }
        }
        seen.end(&profile)?;
        Ok(Recorded::new(profile, tally))
    }

    /// Counts what a hub has; if a binary is known, only what is of its build.
    fn of_hub(
        &self,
        path: &Path,
        also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        let mut batch = hub::fetch(&hub::query_of(path)?)?;
        if let Some(binary) = self.binary {
            batch = summed::of_binary(batch, binary)?;
        }
        summed::counted(&batch, &self.events, also)
    }

    fn perf_data(
        &mut self,
        file: File,
        mut also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        let mut tally = Tally::default();
        let recorded_at = file.metadata().and_then(|file| file.modified()).ok();
        let watched = Watched {
            file,
            done: self.bytes_before,
            progress: &mut self.progress,
        };
        let files = self.files.unwrap_or(&self.own_files);
        let mut unwinding = Unwinding::through(files).of_time(recorded_at);
        let mut seen = Seen::of(&self.events);
        let take = |profile: &Profile, sample: &Sample, branches: &[BranchRecord]| {
            if seen.takes(profile, sample) {
                tally.add(profile, sample, branches);
                also(profile, sample, branches);
            }
        };
        let profile =
            perf_data::stream_unwound(watched, &mut unwinding, take).map_err(refused::perf_data)?;
        seen.end(&profile)?;
        Ok(Recorded::new(profile, tally))
    }

    fn script(&mut self, text: &[u8]) -> Result<Profile> {
        let fixed = match self.binary {
            Some(binary) if !perf_script::has_mappings(text) => fixed_binary(binary)?,
            _ => None,
        };
        let watch = |done| self.progress.done(self.bytes_before + done);
        let profile = perf_script::read_watched(text, fixed.as_ref(), watch).next(
            "print it with perf script --show-mmap-events -F pid,tid,time,event,ip,sym,dso,brstack",
        )?;
        let is_file = |binary: &hone_profile::Binary| binary.kind == BinaryKind::File;
        if !profile.binaries.iter().any(is_file) {
            let samples = profile.samples.len();
            return match &fixed {
                Some(fixed) => Err(anyhow!(
                    "none of its {samples} samples is at an address of {}",
                    fixed.path
                ))
                .next(
                    "name the binary that was recorded with --binary, or print the text again with perf script \
                     --show-mmap-events",
                ),
                None => Err(anyhow!(
                    "its {samples} samples cannot be placed: the text has no lines of mappings, and the binary is \
                     loaded anywhere"
                ))
                .next("print it again with perf script --show-mmap-events"),
            };
        }
        Ok(profile)
    }

    /// Reads a text of addresses and counts that names no binary.
    fn addresses(&mut self, kind: Kind, text: &[u8]) -> Result<Recorded> {
        let (name, read, as_of) = match kind {
            Kind::LlvmUnsymbolized => (
                "llvm-profgen's text without symbols",
                unsymbolized::recorded as ReadText,
                "name a text as llvm-profgen --skip-symbolization writes it",
            ),
            _ => (
                "BOLT's pre-aggregated text",
                preaggregated::recorded as _,
                "name a text as perf2bolt -pa takes it",
            ),
        };
        let binary = self
            .binary
            .ok_or_else(|| anyhow!("{name} does not say of which binary it is"))
            .next("name the recording that it was made from")?;
        let parsed = parse(binary)?;
        let path = binary.path().to_string_lossy();
        read(&String::from_utf8_lossy(text), &parsed, &path).map_err(|error| {
            let next = match error {
                PreaggregatedError::BuildIdDiffers { .. } => {
                    "name the binary that was recorded with --binary"
                }
                _ => as_of,
            };
            Advice::error(error, next)
        })
    }
}

/// A file that reports its progress while it is read.
struct Watched<'w> {
    file: File,
    done: u64,
    progress: &'w mut Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.done += read as u64;
        self.progress.done(self.done);
        Ok(read)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// True if a path names something in a hub, or a file that looks like a recording of some kind; other texts may look like a
/// recording, too.
pub fn is_recording(path: &Path) -> bool {
    if hub::is_hub(path) {
        return true;
    }
    let file = File::open(path).ok().filter(|_| path.is_file());
    let kind = file.and_then(|file| kind_of_file(&file).ok());
    kind.is_some_and(|kind| !matches!(kind, Kind::Unknown | Kind::Compressed(_)))
}

/// Finds the kind of a file by its first bytes.
pub fn kind_of_file(file: &File) -> io::Result<Kind> {
    let mut start = Vec::new();
    file.take(KIND_BYTES as u64).read_to_end(&mut start)?;
    Ok(kind_of(&start))
}

/// Reads a file from its start.
fn content(mut file: File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_pprof(bytes: &[u8]) -> Result<Profile> {
    pprof::read(bytes).next("name a CPU profile that has addresses and mappings")
}

/// Returns the binary if its addresses are the same in every process. The text has no build id to compare.
fn fixed_binary(loaded: &Loaded) -> Result<Option<FixedBinary>> {
    let binary = parse(loaded)?;
    if binary.kind() != BinaryType::Fixed {
        return Ok(None);
    }
    let segments = binary.segments().iter();
    let code = segments.filter(|segment| segment.executable);
    Ok(Some(FixedBinary {
        path: loaded.path().to_string_lossy().into_owned(),
        build_id: None,
        segments: code
            .map(|segment| (segment.svma, segment.file_size, segment.offset))
            .collect(),
    }))
}

fn parse(loaded: &Loaded) -> Result<Binary<'_>> {
    Binary::parse(loaded.image())
        .with_context(|| loaded.path().display().to_string())
        .next("name an ELF program or shared library for x86-64")
}
