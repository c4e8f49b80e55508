//! Matches the files that the user gave with `--binary` to the recorded files.

use std::fs::File;
use std::path::{Path, PathBuf};

use hone_profile::{Binary, BinaryKind, BuildId, Profile};

/// Finds the given file that matches a recorded file: a file of the same build, or, if a build id is missing, of the same
/// name.
pub fn given_for<'f>(recorded: &Binary, files: &'f [PathBuf]) -> Option<&'f PathBuf> {
    let is_build = |file: &&PathBuf| is_build(recorded, build_of(file).as_ref());
    let may_be = |file: &&PathBuf| {
        is_name(recorded, file) && (recorded.build_id.is_none() || build_of(file).is_none())
    };
    let by_build = files.iter().find(is_build);
    by_build.or_else(|| files.iter().find(may_be))
}

/// A given file that matches no recorded file.
pub struct Unused {
    /// The file.
    pub file: PathBuf,
    /// Sentence that says why the file is not used.
    pub note: String,
}

/// Lists the given files that are not used.
pub fn unused(profile: &Profile, files: &[PathBuf]) -> Vec<Unused> {
    let recorded = profile.binaries.iter();
    let recorded: Vec<&Binary> = recorded
        .filter(|binary| binary.kind == BinaryKind::File)
        .collect();
    let is_used = |file: &PathBuf| {
        let mut recorded = recorded.iter();
        recorded.any(|recorded| given_for(recorded, files) == Some(file))
    };
    let left = files.iter().filter(|file| !is_used(file));
    let unused = left.map(|file| Unused {
        note: format!(
            "{}, given with --binary, is not used: {}",
            file.display(),
            why(&recorded, file)
        ),
        file: file.clone(),
    });
    unused.collect()
}

fn why(recorded: &[&Binary], file: &Path) -> String {
    let build = match File::open(file) {
        Ok(_) => build_of(file),
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

fn is_build(recorded: &Binary, build: Option<&BuildId>) -> bool {
    build.is_some() && build == recorded.build_id.as_ref()
}

fn is_name(recorded: &Binary, file: &Path) -> bool {
    file.file_name() == Path::new(&recorded.path).file_name()
}

fn build_of(file: &Path) -> Option<BuildId> {
    hone_symbols::build_id_of(File::open(file).ok()?).ok()?
}
