//! Shared libraries of allocators, and musl.

use std::path::{Path, PathBuf};

/// Directories where linkers and loaders look on the usual distributions, before those of ld.so.conf.
const DIRECTORIES: [&str; 8] = [
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/lib64",
];

/// Finds musl's static library, if its headers and the files that `musl-gcc` needs are beside it as Debian and musl's own
/// `make install` put them.
pub fn musl() -> Option<PathBuf> {
    let places = ["/usr/lib/x86_64-linux-musl", "/usr/local/musl/lib"];
    let mut places = places.iter().map(Path::new);
    let found = places.find(|place| {
        let files = ["libc.a", "crt1.o", "musl-gcc.specs"].map(|file| place.join(file));
        let headers = headers_of_musl(place);
        files.iter().all(|file| file.is_file()) && headers.join("stdio.h").is_file()
    });
    found.map(|place| place.join("libc.a"))
}

/// Directory of musl's headers, by the directory of its libraries.
pub fn headers_of_musl(library: &Path) -> PathBuf {
    let name = library.file_name().unwrap_or_default();
    match library.parent() {
        Some(lib) if name != "lib" => lib.with_file_name("include").join(name),
        _ => library.with_file_name("include"),
    }
}

/// Finds a library under its linker name, `libNAME.so`.
pub fn for_linking(name: &str) -> Option<PathBuf> {
    for_linking_in(name, &directories())
}

/// Finds a library under the name that running programs ask for, `libNAME.so.N`.
pub fn for_running(name: &str) -> Option<PathBuf> {
    for_running_in(name, &directories())
}

fn for_linking_in(name: &str, directories: &[PathBuf]) -> Option<PathBuf> {
    let file_name = format!("lib{name}.so");
    let file = directories
        .iter()
        .map(|directory| directory.join(&file_name))
        .find(|file| file.is_file())?;
    Some(file)
}

fn for_running_in(name: &str, directories: &[PathBuf]) -> Option<PathBuf> {
    let prefix = format!("lib{name}.so.");
    directories.iter().find_map(|directory| {
        let entries = std::fs::read_dir(directory).ok()?.flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let shortest = names
            .filter(|found| found.strip_prefix(&prefix).is_some_and(is_version))
            .min_by_key(|found| (found.len(), found.clone()))?;
        Some(directory.join(shortest))
    })
}

fn is_version(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|one| one.is_ascii_digit() || one == '.')
}

fn directories() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = DIRECTORIES.iter().map(PathBuf::from).collect();
    let entries = std::fs::read_dir("/etc/ld.so.conf.d")
        .into_iter()
        .flatten()
        .flatten();
    for entry in entries {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('/'));
        for directory in lines.map(Path::new) {
            if !all.iter().any(|known| known == directory) {
                all.push(directory.to_path_buf());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn linker_name_and_runtime_name_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let search = [directory.path().to_path_buf()];
        std::fs::write(at("libmimalloc.so.2.1"), "").unwrap();
        std::fs::write(at("libmimalloc.so.old"), "").unwrap();
        symlink("libmimalloc.so.2.1", at("libmimalloc.so.2")).unwrap();
        assert_eq!(for_linking_in("mimalloc", &search), None);
        let running = for_running_in("mimalloc", &search).unwrap();
        assert_eq!(running, at("libmimalloc.so.2"));

        symlink("libmimalloc.so.2", at("libmimalloc.so")).unwrap();
        let linking = for_linking_in("mimalloc", &search).unwrap();
        assert_eq!(linking, at("libmimalloc.so"));
    }

    #[test]
    fn headers_of_musl_stand_beside_its_libraries() {
        for (library, headers) in [
            (
                "/usr/lib/x86_64-linux-musl",
                "/usr/include/x86_64-linux-musl",
            ),
            ("/usr/local/musl/lib", "/usr/local/musl/include"),
        ] {
            assert_eq!(headers_of_musl(Path::new(library)), Path::new(headers));
        }
    }

    #[test]
    fn nothing_there() {
        let search = [PathBuf::from("/nonexistent")];
        assert_eq!(for_linking_in("mimalloc", &search), None);
        assert_eq!(for_running_in("mimalloc", &search), None);
    }
}
