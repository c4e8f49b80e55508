//! Places of the files of split debug information: the package beside the binary, and each `.dwo` where the compiler put it,
//! or beside the binary after a move.

use std::fs::File;
use std::path::{Path, PathBuf};

use hone_symbols::{ReadSeek, SplitFiles, SplitName};

use crate::elf_files::SharedFile;

/// Places of the split debug information of one binary.
#[derive(Debug)]
pub(crate) struct SplitDwarf {
    /// The package that the user named.
    given: Option<SharedFile>,
    /// Places of the package, if the user named none.
    packages: Vec<PathBuf>,
    directory: PathBuf,
}

impl SplitDwarf {
    /// Collects the places for a binary; `package` is a package that the user named, `debug` the binary's debug file.
    pub(crate) fn new(binary: &Path, debug: Option<&Path>, package: Option<SharedFile>) -> Self {
        let beside = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(".dwp");
            PathBuf::from(name)
        };
        let real = binary.canonicalize().unwrap_or_else(|_| binary.to_owned());
        let candidates = [Some(binary), Some(real.as_path()), debug];
        Self {
            given: package,
            packages: candidates.into_iter().flatten().map(beside).collect(),
            directory: real.parent().map(Path::to_owned).unwrap_or_default(),
        }
    }
}

impl SplitFiles for SplitDwarf {
    fn package(&self) -> Option<Box<dyn ReadSeek>> {
        match &self.given {
            Some(package) => Some(Box::new(package.clone())),
            None => self.packages.iter().find_map(|path| open(path)),
        }
    }

    fn objects<'s>(&'s self, name: &SplitName) -> Box<dyn Iterator<Item = Box<dyn ReadSeek>> + 's> {
        let file = PathBuf::from(&name.file);
        let mut places = vec![PathBuf::from(name.path())];
        if file.is_relative() {
            places.push(self.directory.join(&file));
        }
        if let Some(name) = file.file_name() {
            places.push(self.directory.join(name));
        }
        Box::new(places.into_iter().filter_map(|path| open(&path)))
    }
}

/// Opens a regular file. The names come from the binary and may be those of devices and pipes, which could block for ever.
fn open(path: &Path) -> Option<Box<dyn ReadSeek>> {
    if !path.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    Some(Box::new(file))
}
