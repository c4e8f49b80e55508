//! ELF files of one question, each opened and read once however many ask for it.
//!
//! A file is opened when the first fact about it is asked for, and stays open until its content is read: the content answers
//! whatever is asked then. So a recording of thousands of binaries needs few open files at a time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hone_profile::BuildId;

/// Opens a file for reading.
type Open = Box<dyn Fn(&Path) -> io::Result<File>>;

/// Files by path, each opened and read at most once.
pub struct ElfFiles {
    open: Open,
    files: RefCell<HashMap<PathBuf, State>>,
}

/// What is known of a file. A clone shares the file.
#[derive(Clone)]
enum State {
    /// The file is open, and nothing of its content is kept.
    Opened(SharedFile),
    /// The needed parts of the content; all other bytes are zero.
    Read(Arc<Vec<u8>>),
}

impl Default for ElfFiles {
    fn default() -> Self {
        Self::opened_by(|path| File::open(path))
    }
}

impl ElfFiles {
    /// Creates an empty collection that opens files by a function.
    pub fn opened_by(open: impl Fn(&Path) -> io::Result<File> + 'static) -> Self {
        Self {
            open: Box::new(open),
            files: RefCell::default(),
        }
    }

    /// Adds a file that has been read already.
    pub(crate) fn add(&self, path: &Path, bytes: &Arc<Vec<u8>>) {
        let state = State::Read(Arc::clone(bytes));
        self.files.borrow_mut().insert(path.to_owned(), state);
    }

    /// Returns the build id; `None` for a file without one, or that is not ELF.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn build_id(&self, path: &Path) -> io::Result<Option<BuildId>> {
        let id = match self.state(path)? {
            State::Opened(file) => hone_symbols::build_id_of(file),
            State::Read(bytes) => hone_symbols::build_id_of(Cursor::new(bytes.as_slice())),
        };
        Ok(id.ok().flatten())
    }

    /// Returns the file if it is a package of split debug information, which is read in parts.
    pub(crate) fn package(&self, path: &Path) -> Option<SharedFile> {
        let State::Opened(file) = self.state(path).ok()? else {
            return None;
        };
        let is_package = hone_symbols::is_package(file.clone()).unwrap_or(false);
        is_package.then_some(file)
    }

    /// Returns the content as far as it is needed: all other bytes are zero and take no memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened or read.
    pub fn bytes(&self, path: &Path) -> io::Result<Arc<Vec<u8>>> {
        let bytes = match self.state(path)? {
            State::Read(bytes) => return Ok(bytes),
            State::Opened(file) => Arc::new(read(file)?),
        };
        self.add(path, &bytes);
        Ok(bytes)
    }

    /// Closes a file that nobody is going to ask for; it would be opened again.
    pub(crate) fn forget(&self, path: &Path) {
        self.files.borrow_mut().remove(path);
    }

    fn state(&self, path: &Path) -> io::Result<State> {
        if let Some(state) = self.files.borrow().get(path) {
            return Ok(state.clone());
        }
        let state = State::Opened(SharedFile {
            file: Arc::new((self.open)(path)?),
            at: 0,
        });
        let mut files = self.files.borrow_mut();
        Ok(files.entry(path.to_owned()).or_insert(state).clone())
    }
}

/// Reads the needed ranges of a file.
fn read(mut file: SharedFile) -> io::Result<Vec<u8>> {
    let len = file.file.metadata()?.len();
    let Ok(needed) = hone_symbols::needed_ranges(file.clone(), len) else {
        // The parser reports what is wrong with the file.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    };
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    for range in needed {
        let part = &mut bytes[range.start as usize..range.end as usize];
        file.file.read_exact_at(part, range.start)?;
    }
    Ok(bytes)
}

/// An open file that several read, each from a place of its own.
#[derive(Clone, Debug)]
pub(crate) struct SharedFile {
    file: Arc<File>,
    at: u64,
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let (base, by) = match position {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::Current(by) => (self.at, by),
            SeekFrom::End(by) => (self.file.metadata()?.len(), by),
        };
        let before_start = || io::Error::from(io::ErrorKind::InvalidInput);
        self.at = base.checked_add_signed(by).ok_or_else(before_start)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_file_is_opened_once_for_its_build_id_and_its_content() {
        let opens = Rc::new(RefCell::new(Vec::new()));
        let counted = Rc::clone(&opens);
        let files = ElfFiles::opened_by(move |path| {
            counted.borrow_mut().push(path.to_owned());
            File::open(path)
        });
        let own = std::env::current_exe().unwrap();
        let before = files.build_id(&own).unwrap();
        assert!(files.package(&own).is_none());
        let bytes = files.bytes(&own).unwrap();
        assert_eq!(files.build_id(&own).unwrap(), before);
        assert!(Arc::ptr_eq(&bytes, &files.bytes(&own).unwrap()));
        assert_eq!(*opens.borrow(), [own]);
    }

    #[test]
    fn the_content_of_a_file_that_is_not_elf_is_whole_and_a_missing_file_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let text = directory.path().join("text");
        std::fs::write(&text, "no program").unwrap();
        let files = ElfFiles::default();
        assert_eq!(files.build_id(&text).unwrap(), None);
        assert_eq!(files.bytes(&text).unwrap().as_slice(), b"no program");
        let missing = files.build_id(&directory.path().join("missing"));
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(files.bytes(directory.path()).is_err());
    }

    #[test]
    fn readers_of_a_shared_file_do_not_move_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("text");
        std::fs::write(&path, "abcdef").unwrap();
        let mut one = SharedFile {
            file: Arc::new(File::open(&path).unwrap()),
            at: 0,
        };
        let mut two = one.clone();
        let (mut first, mut last) = ([0; 2], [0; 2]);
        one.read_exact(&mut first).unwrap();
        two.seek(SeekFrom::End(-2)).unwrap();
        two.read_exact(&mut last).unwrap();
        one.read_exact(&mut first).unwrap();
        assert_eq!((&first, &last), (b"cd", b"ef"));
        assert!(one.seek(SeekFrom::Current(-9)).is_err());
    }
}
