//! Things that take tools a while to make, such as compiled programs and traces of their runs. Each is made once and lies in
//! `target/test-programs` from then on, for the other tests, their processes and later runs.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Everything that decides what a thing becomes: another tool, flag or source makes another thing.
#[derive(Debug)]
pub struct Made {
    name: String,
    recipe: DefaultHasher,
}

/// Where made things lie.
fn directory() -> PathBuf {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let directory = target.join("test-programs");
    fs::create_dir_all(&directory).expect("a directory below target");
    directory.canonicalize().expect("it was made just now")
}

impl Made {
    /// A thing of this name, which is for people alone: things of one name that are made in other ways lie beside each other.
    pub fn new(name: &str) -> Self {
        let name = name.to_owned();
        let recipe = DefaultHasher::new();
        Self { name, recipe }
    }

    /// Made by these programs of PATH: of other versions of them it is another thing.
    pub fn with_tools(mut self, tools: &[&str]) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        for tool in tools {
            let mut places = std::env::split_paths(&path).map(|directory| directory.join(tool));
            let file = places.find(|place| place.is_file());
            // Where it is not there, the caller will say so.
            let Some(file) = file.and_then(|file| file.canonicalize().ok()) else {
                continue;
            };
            let facts = file.metadata().expect("a file that was there just now");
            let changed = facts.modified().expect("the time of a change");
            let changed = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
            (file, facts.len(), changed).hash(&mut self.recipe);
        }
        self
    }

    /// Made with these flags, or whatever else in words decides about it.
    pub fn with_words(mut self, words: &[&str]) -> Self {
        words.hash(&mut self.recipe);
        self
    }

    /// Made of this file.
    pub fn with_file(mut self, file: &Path) -> Self {
        let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        bytes.hash(&mut self.recipe);
        self
    }

    /// A directory that has been filled by `make`, now or before. One process makes it while the others wait, and it gets its name when it is
    /// whole.
    pub fn by(self, make: impl FnOnce(&Path)) -> PathBuf {
        let made = self.if_by(|directory| {
            make(directory);
            true
        });
        made.expect("what is always made")
    }

    /// The same for what may fail here: `make` tells whether it is made.
    pub fn if_by(self, make: impl FnOnce(&Path) -> bool) -> Option<PathBuf> {
        let name = format!("{}-{:016x}", self.name, self.recipe.finish());
        let place = directory().join(&name);
        if place.exists() {
            return Some(place);
        }
        let _only = Alone::at(&format!("{name}.lock"));
        if !place.exists() {
            let unfinished = directory().join(format!("{name}.unfinished"));
            // What a test left that was killed.
            let _ = fs::remove_dir_all(&unfinished);
            fs::create_dir(&unfinished).expect("a directory");
            if !make(&unfinished) {
                return None;
            }
            fs::rename(&unfinished, &place).expect("a new name");
        }
        Some(place)
    }
}

/// Held by one test at a time, of whatever process: for tests that fill the machine by themselves, or share what is there once.
#[derive(Debug)]
pub struct Alone {
    // Its lock ends with it, and with the process.
    _lock: File,
}

impl Alone {
    /// Waits until nobody else holds what goes by this name.
    pub fn of(name: &str) -> Self {
        Self::at(&format!("{name}.alone"))
    }

    fn at(file: &str) -> Self {
        let path = directory().join(file);
        let opened = File::options().create(true).append(true).open(&path);
        let lock = opened.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        lock.lock().expect("a lock on a file of target");
        Self { _lock: lock }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    /// Of this process and this test alone.
    fn recipe(test: &str, word: &str) -> Made {
        let process = std::process::id().to_string();
        Made::new("testkit").with_words(&[&process, test, word])
    }

    #[test]
    fn a_thing_is_made_once_however_many_ask_for_it() {
        let times = AtomicU32::new(0);
        let made = |word: &str| {
            recipe("once", word).by(|directory| {
                times.fetch_add(1, Ordering::Relaxed);
                fs::write(directory.join("it"), word).unwrap();
            })
        };
        let places = thread::scope(|scope| {
            let asking = [(); 4].map(|()| scope.spawn(|| made("one")));
            asking.map(|asking| asking.join().unwrap())
        });
        assert!(places.iter().all(|place| *place == places[0]));
        assert_eq!(fs::read_to_string(places[0].join("it")).unwrap(), "one");
        assert_eq!(times.load(Ordering::Relaxed), 1);
        let other = made("other");
        assert_ne!(other, places[0]);
        assert_eq!(times.load(Ordering::Relaxed), 2);
        for place in [&other, &places[0]] {
            fs::remove_dir_all(place).unwrap();
        }
    }

    #[test]
    fn what_could_not_be_made_is_tried_again() {
        let tried = |works: bool| {
            recipe("again", "").if_by(|directory| {
                fs::write(directory.join(works.to_string()), "").unwrap();
                works
            })
        };
        assert_eq!(tried(false), None);
        let place = tried(true).unwrap();
        assert!(place.join("true").exists() && !place.join("false").exists());
        fs::remove_dir_all(place).unwrap();
    }
}
