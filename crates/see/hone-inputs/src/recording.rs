//! Recordings of every kind, told apart by their first bytes and read into one form.
//!
//! perf.data is taken sample by sample, because such files are large; the other kinds are texts or small. Texts that
//! name addresses and no files are read with the binary that was recorded. What a hub has comes as sums.

mod event_choice;
mod hub_sums;
mod parts;
mod refusals;

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_fdo::bolt_preaggregated_reader::{self as preaggregated, PreaggregatedError};
use hone_fdo::{Observations, Recorded, Tally, llvm_unsymbolized_reader as unsymbolized};
use hone_profile::perf_script::KnownBinary;
use hone_profile::viewer::{self, ViewerError};
use hone_profile::{
    BinaryKind, BranchRecord, KIND_BYTES, Kind, Location, Profile, Sample, kind_of,
};
use hone_profile::{perf_data, perf_script, pprof};
use hone_symbols::{Binary, BinaryType};

pub use self::event_choice::EventChoice;
use self::event_choice::Seen;
pub use self::refusals::compressed;
use crate::debug_file::Loaded;
use crate::hub;
use crate::recorded_files::RecordedFiles;
use crate::unwinding::Unwinding;
use hone_fetch::progress::Progress;
use hone_files::advice::{Advice, Advise};
use hone_files::files::AdviseReading;

/// Reads a text of counts as a recording of the binary at a path.
type ReadText = fn(&str, &Binary<'_>, &str) -> Result<Recorded, PreaggregatedError>;

/// Counts a recording, whatever its binary.
pub fn read(path: &Path) -> Result<Recorded> {
    let paths = [path.to_owned()];
    Reading::of(&paths, None).next(path, |_, _, _| {})
}

/// Counts each of several recordings of a binary.
pub fn read_all(paths: &[PathBuf], binary: &Loaded, events: &EventChoice) -> Result<Vec<Recorded>> {
    Reading::of(paths, Some(binary)).only(events).all(paths)
}

/// Counts as [`read_all`] does, and keeps apart what the halves of each recording have.
pub fn read_halves(
    paths: &[PathBuf],
    binary: &Loaded,
    events: &EventChoice,
) -> Result<Vec<Recorded>> {
    let reading = Reading::of(paths, Some(binary)).only(events);
    reading.in_halves().all(paths)
}

/// Counts of samples while a recording is read, with halves or without.
enum Counting {
    Whole(Box<Tally>),
    Halves(Box<Observations>),
}

impl Counting {
    fn add(&mut self, profile: &Profile, sample: &Sample, newest_first: &[BranchRecord]) {
        match self {
            Self::Whole(tally) => tally.add(profile, sample, newest_first),
            Self::Halves(observations) => observations.add(profile, sample, newest_first),
        }
    }

    fn of(self, profile: Profile) -> Recorded {
        match self {
            Self::Whole(tally) => Recorded::new(profile, *tally),
            Self::Halves(observations) => Recorded::observed(profile, *observations),
        }
    }
}

/// Recordings that are read one after the other, with a bar for all their bytes.
pub struct Reading<'r> {
    binary: Option<&'r Loaded>,
    events: EventChoice,
    in_halves: bool,
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
        Self {
            binary,
            events: EventChoice::default(),
            in_halves: false,
            own_files: RecordedFiles::of_loaded(binary),
            files: None,
            progress: Progress::in_percent(
                paths.iter().map(|path| bytes_of(path)).sum(),
                "reading",
            ),
            bytes_before: 0,
        }
    }

    /// Skips samples of other events.
    pub fn only(mut self, events: &EventChoice) -> Self {
        self.events = events.clone();
        self
    }

    /// Keeps apart what the halves of a recording have.
    fn in_halves(mut self) -> Self {
        self.in_halves = true;
        self
    }

    fn all(mut self, paths: &[PathBuf]) -> Result<Vec<Recorded>> {
        let each = paths.iter().map(|path| self.next(path, |_, _, _| {}));
        each.collect()
    }

    fn counting(&self) -> Counting {
        match self.in_halves {
            true => Counting::Halves(Box::default()),
            false => Counting::Whole(Box::default()),
        }
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
        self.bytes_before += bytes_of(path);
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
        if path.is_dir() {
            return self.perf_data(parts::open(path)?, also);
        }
        let mut file =
            File::open(path).next_read("name a recording, such as hone.data from hone record")?;
        let kind = kind_of_file(&file).next_read("name a recording, such as hone.data")?;
        let profile = match kind {
            Kind::PerfScript => self.script(&content(file)?),
            Kind::Pprof => self.pprof(&content(file)?),
            Kind::Folded => self.viewers(viewer::read_folded, &content(file)?),
            Kind::Speedscope => self.viewers(viewer::read_speedscope, &content(file)?),
            Kind::Firefox => self.viewers(viewer::read_firefox, &content(file)?),
            kind @ (Kind::BoltPreaggregated | Kind::LlvmUnsymbolized) => {
                self.events.is_of_no_use(kind)?;
                return self.addresses(kind, &content(file)?);
            }
            Kind::Compressed(compression) => return Err(refusals::compressed(compression, path)),
            Kind::PerfData | Kind::Unknown => {
                file.rewind()?;
                return self.perf_data(vec![file], also);
            }
        }?;
        let mut counting = self.counting();
        let mut seen = Seen::of(&self.events);
        for sample in &profile.samples {
            if seen.takes(&profile, sample) {
                let branches = profile.branches_of(sample);
                counting.add(&profile, sample, branches);
                also(&profile, sample, branches);
            }
        }
        seen.end(&profile)?;
        Ok(counting.of(profile))
    }

    /// Counts what a hub has; if a binary is known, only what is of its build.
    fn of_hub(
        &self,
        path: &Path,
        also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        let mut batch = hub::fetch(&hub::query_of(path)?)?;
        if let Some(binary) = self.binary {
            batch = hub_sums::of_binary(batch, binary)?;
        }
        hub_sums::counted(&batch, &self.events, also)
    }

    /// Counts a perf.data file, or the file with the header and those with further records.
    fn perf_data(
        &mut self,
        files: Vec<File>,
        mut also: impl FnMut(&Profile, &Sample, &[BranchRecord]),
    ) -> Result<Recorded> {
        let mut counting = self.counting();
        // Parts of one recording end at the same time.
        let recorded_at = files
            .first()
            .and_then(|file| file.metadata().ok()?.modified().ok());
        let mut done = self.bytes_before;
        let progress = RefCell::new(&mut self.progress);
        let mut files = files.into_iter().map(|file| {
            let before = done;
            done += file.metadata().map_or(0, |metadata| metadata.len());
            Watched {
                file,
                done: before,
                progress: &progress,
            }
        });
        let Some(first) = files.next() else {
            return Err(anyhow!("there is no file"))
                .next("hone record and perf record make such files");
        };
        let parts = files.collect();
        let known = self.files.unwrap_or(&self.own_files);
        let mut unwinding = Unwinding::through(known).of_time(recorded_at);
        let mut seen = Seen::of(&self.events);
        let take = |profile: &Profile, sample: &Sample, branches: &[BranchRecord]| {
            if seen.takes(profile, sample) {
                counting.add(profile, sample, branches);
                also(profile, sample, branches);
            }
        };
        let profile = perf_data::stream_parts(first, parts, &mut unwinding, take)
            .map_err(refusals::perf_data)?;
        seen.end(&profile)?;
        Ok(counting.of(profile))
    }

    fn script(&mut self, text: &[u8]) -> Result<Profile> {
        let known = self.binary.map(known_binary).transpose()?;
        let known = known.as_ref();
        let watch = |done| self.progress.done(self.bytes_before + done);
        let profile = perf_script::read_watched(text, known, watch).next(
            "print it with perf script --show-mmap-events -F pid,tid,time,event,ip,sym,dso,brstack",
        )?;
        let in_file = |location: &Location| {
            let kind = profile.binary(location.binary).kind;
            kind == BinaryKind::File && location.has_address()
        };
        let named = |location: &Location| self.binary.is_none() && location.name.is_some();
        let mut locations = profile.locations().iter();
        if !locations.any(|location| in_file(location) || named(location)) {
            let samples = profile.samples.len();
            return match known.filter(|own| own.is_fixed && !perf_script::has_mappings(text)) {
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

    /// Reads pprof. Names are enough, unless the question is about a binary.
    fn pprof(&self, bytes: &[u8]) -> Result<Profile> {
        const NEXT: &str = "name a CPU profile that has addresses and mappings";
        let profile = pprof::read(bytes).next(NEXT)?;
        let mut locations = profile.locations().iter();
        let is_asked = self.binary.is_some() && !profile.samples.is_empty();
        if is_asked && locations.all(|location| !location.has_address()) {
            return Err(anyhow!("its locations have no addresses, only names")).next(NEXT);
        }
        Ok(profile)
    }

    /// Reads the file of a viewer, which has names alone.
    fn viewers(
        &self,
        read: fn(&[u8]) -> Result<Profile, ViewerError>,
        bytes: &[u8],
    ) -> Result<Profile> {
        const NEXT: &str = "name the recording that it was made from";
        if self.binary.is_some() {
            return Err(anyhow!("it has names of functions, and no addresses")).next(NEXT);
        }
        read(bytes).next(NEXT)
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

/// Returns the number of bytes of a recording.
fn bytes_of(path: &Path) -> u64 {
    let len = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    match parts::paths(path) {
        parts if parts.is_empty() => len(path),
        parts => parts.iter().map(|part| len(part)).sum(),
    }
}

/// A file that reports its progress while it is read.
struct Watched<'w, 'p> {
    file: File,
    done: u64,
    progress: &'w RefCell<&'p mut Progress>,
}

impl Read for Watched<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.done += read as u64;
        self.progress.borrow_mut().done(self.done);
        Ok(read)
    }
}

impl Seek for Watched<'_, '_> {
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
    let of_directory = parts::paths(path).into_iter().next();
    let path = of_directory.as_deref().unwrap_or(path);
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

/// Describes the binary that a question is about.
fn known_binary(loaded: &Loaded) -> Result<KnownBinary> {
    let binary = parse(loaded)?;
    let segments = binary.segments().iter();
    let code = segments.filter(|segment| segment.executable);
    Ok(KnownBinary {
        path: loaded.path().to_string_lossy().into_owned(),
        build_id: binary.build_id().cloned(),
        is_fixed: binary.kind() == BinaryType::Fixed,
        segments: code
            .map(|segment| (segment.svma, segment.file_size, segment.offset))
            .collect(),
    })
}

fn parse(loaded: &Loaded) -> Result<Binary<'_>> {
    Binary::parse(loaded.image())
        .with_context(|| loaded.path().display().to_string())
        .next("name an ELF program or shared library for x86-64")
}
