//! Files of recorded binaries: the files that the user gave with `--binary`, the recorded paths, debuginfod's copies. One
//! collection serves all recordings of a question.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hone_profile::{Binary, BinaryKind, BuildId, Profile};

use crate::debug_file::Loaded;
use crate::elf_files::ElfFiles;
use hone_fetch::debuginfod::{self, Artifact};

/// Files of recorded binaries.
#[derive(Default)]
pub struct RecordedFiles {
    /// Files that stand in for recorded files of the same build, or of the same name.
    given: Vec<PathBuf>,
    /// Debug file of the given files.
    debug_file: Option<PathBuf>,
    elf: ElfFiles,
    /// Files found so far, by recorded path and build id.
    found: RefCell<HashMap<(String, Option<BuildId>), Place>>,
}

/// Place of a recorded file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Path of the file.
    pub file: PathBuf,
    /// Path of the debug file that the user gave for the file.
    pub debug_file: Option<PathBuf>,
}

/// A given file that matches no recorded file.
pub struct Unused {
    /// The file.
    pub file: PathBuf,
    /// Sentence that says why the file is not used.
    pub note: String,
}

impl RecordedFiles {
    /// Creates a collection that uses the given files, whatever the recorded directory, with their debug file.
    pub fn given(files: &[PathBuf], debug_file: Option<&Path>, elf: ElfFiles) -> Self {
        Self {
            given: files.to_vec(),
            debug_file: debug_file.map(Path::to_owned),
            elf,
            found: RefCell::default(),
        }
    }

    /// Creates a collection that uses a binary that has been read, if there is one.
    pub(crate) fn of_loaded(binary: Option<&Loaded>) -> Self {
        let elf = ElfFiles::default();
        if let Some(binary) = binary {
            binary.add_to(&elf);
        }
        let given: Vec<PathBuf> = binary
            .map(|binary| binary.path().to_owned())
            .into_iter()
            .collect();
        Self::given(&given, None, elf)
    }

    /// The opened files.
    pub fn elf(&self) -> &ElfFiles {
        &self.elf
    }

    /// Finds the file that was recorded: the file given for it; else the file at the recorded path; if that is gone or of
    /// another build, debuginfod's copy if there is one.
    pub fn find(&self, recorded: &Binary) -> Place {
        let key = (recorded.path.clone(), recorded.build_id.clone());
        if let Some(place) = self.found.borrow().get(&key) {
            return place.clone();
        }
        let place = match self.given_for(recorded) {
            Some(file) => Place {
                file: file.clone(),
                debug_file: self.debug_file.clone(),
            },
            None => Place {
                file: self.at_recorded_path(recorded),
                debug_file: None,
            },
        };
        self.found.borrow_mut().insert(key, place.clone());
        place
    }

    fn at_recorded_path(&self, recorded: &Binary) -> PathBuf {
        let path = Path::new(&recorded.path);
        let other = recorded
            .build_id
            .as_ref()
            .filter(|was| match self.elf.build_id(path) {
                Ok(is) => is.is_some_and(|is| is != **was),
                Err(_) => true,
            });
        match other.and_then(|id| debuginfod::find(id, Artifact::Executable, path)) {
            Some(fetched) => {
                self.elf.forget(path);
                fetched
            }
            None => path.to_owned(),
        }
    }

    /// Finds the given file that matches a recorded file: a file of the same build, or, if a build id is missing, of the
    /// same name.
    fn given_for(&self, recorded: &Binary) -> Option<&PathBuf> {
        let is_build = |file: &&PathBuf| is_build(recorded, self.build_of(file).as_ref());
        let may_be = |file: &&PathBuf| {
            is_name(recorded, file)
                && (recorded.build_id.is_none() || self.build_of(file).is_none())
        };
        let by_build = self.given.iter().find(is_build);
        by_build.or_else(|| self.given.iter().find(may_be))
    }

    /// Lists the given files that are not used.
    pub fn unused(&self, profile: &Profile) -> Vec<Unused> {
        let recorded = profile.binaries.iter();
        let recorded: Vec<&Binary> = recorded
            .filter(|binary| binary.kind == BinaryKind::File)
            .collect();
        let is_used = |file: &PathBuf| {
            let mut recorded = recorded.iter();
            recorded.any(|recorded| self.given_for(recorded) == Some(file))
        };
        let left = self.given.iter().filter(|file| !is_used(file));
        let unused = left.map(|file| Unused {
            note: format!(
                "{}, given with --binary, is not used: {}",
                file.display(),
                self.why_unused(&recorded, file)
            ),
            file: file.clone(),
        });
        unused.collect()
    }

    fn why_unused(&self, recorded: &[&Binary], file: &Path) -> String {
        let build = match self.elf.build_id(file) {
            Ok(build) => build,
            Err(error) => return error.to_string(),
        };
        if recorded
            .iter()
            .any(|recorded| is_build(recorded, build.as_ref()))
        {
            return "another file of its build was given too".to_owned();
        }
        let mut of_name = recorded.iter().filter(|recorded| is_name(recorded, file));
        let of_name = of_name.find_map(|recorded| recorded.build_id.as_ref().zip(build.as_ref()));
        match of_name {
            Some((was, is)) => {
                format!("it is another build ({is}) than the recorded one ({was}); give a copy of that")
            }
            None => "no file of its name or build was recorded; hone top --by binary lists the recorded ones".to_owned(),
        }
    }

    fn build_of(&self, file: &Path) -> Option<BuildId> {
        self.elf.build_id(file).ok()?
    }
}

fn is_build(recorded: &Binary, build: Option<&BuildId>) -> bool {
    build.is_some() && build == recorded.build_id.as_ref()
}

fn is_name(recorded: &Binary, file: &Path) -> bool {
    file.file_name() == Path::new(&recorded.path).file_name()
}
