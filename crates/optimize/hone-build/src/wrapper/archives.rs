//! Replacement of the libraries that a link names: by archives that Hone built, or, where the program is linked
//! statically, by the archives that are installed beside shared libraries.

use super::mode;
use crate::variant::Rebuilt;
use std::path::Path;

/// Replaces each argument that names one of the libraries by its archive, in place, and adds what the archive needs.
pub(super) fn take(arguments: &mut Vec<String>, dependencies: &[Rebuilt]) {
    let mut further: Vec<String> = Vec::new();
    let mut taken = Vec::with_capacity(arguments.len());
    let mut rest = std::mem::take(arguments).into_iter();
    while let Some(argument) = rest.next() {
        if argument == "-o" {
            taken.push(argument);
            taken.extend(rest.next());
            continue;
        }
        let word = if argument == "-l" {
            format!("-l{}", rest.next().unwrap_or_default())
        } else {
            argument
        };
        match dependencies.iter().find(|known| is_named(known, &word)) {
            Some(known) => {
                let new = known.link.iter().filter(|flag| !further.contains(flag));
                let new: Vec<_> = new.cloned().collect();
                further.extend(new);
                taken.push(known.archive.to_string_lossy().into_owned());
            }
            None => taken.push(word),
        }
    }
    taken.extend(further);
    *arguments = taken;
}

/// Returns true if an argument of a link names the library: `-lz`, `-l:libz.a`, `/usr/lib/libz.so.1`.
fn is_named(library: &Rebuilt, argument: &str) -> bool {
    let name = &library.library;
    let is_file = |file: &str| {
        let kind = file
            .strip_prefix("lib")
            .and_then(|file| file.strip_prefix(name.as_str()));
        kind.is_some_and(|kind| kind == ".a" || kind == ".so" || kind.starts_with(".so."))
    };
    match argument.strip_prefix("-l") {
        Some(file) if file.starts_with(':') => is_file(&file[1..]),
        Some(plain) => plain == name,
        None if argument.starts_with('-') => false,
        None => is_file(argument.rsplit('/').next().unwrap_or(argument)),
    }
}

/// Replaces each shared library that is named by its path, as CMake does (`/usr/lib/libz.so`), by the archive beside it
/// (`/usr/lib/libz.a`). A library without an archive stays: the linker then refuses it by name. `-lz` needs no change,
/// since the linker itself prefers the archive.
pub(super) fn prefer(arguments: &mut [String]) {
    let of_libraries: Vec<_> = mode::words(arguments)
        .filter_map(|(place, word)| Some((place, beside(word)?)))
        .collect();
    for (place, archive) in of_libraries {
        arguments[place] = archive;
    }
}

/// Returns the archive beside a shared library, where there is one.
fn beside(library: &str) -> Option<String> {
    if library.starts_with('-') {
        return None;
    }
    let (stem, version) = library.rsplit_once(".so")?;
    let archive = format!("{stem}.a");
    ((version.is_empty() || version.starts_with('.')) && Path::new(&archive).is_file())
        .then_some(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_link_takes_the_archives_beside_shared_libraries() {
        let directory = tempfile::tempdir().unwrap();
        let path = |file: &str| directory.path().join(file).to_string_lossy().into_owned();
        std::fs::write(path("libz.a"), "").unwrap();
        let after = |words: &[&str]| {
            let mut words: Vec<_> = words.iter().map(|word| word.to_string()).collect();
            prefer(&mut words);
            words
        };
        for shared in ["libz.so", "libz.so.1", "libz.so.1.2"] {
            assert_eq!(after(&["a.o", &path(shared)]), ["a.o", &path("libz.a")]);
        }
        for other in ["libz.sorted", "libzstd.so", "z.so", "libz.a"] {
            assert_eq!(after(&[&path(other)]), [path(other)]);
        }
        let output = ["-o", &path("libz.so"), "-lz"];
        assert_eq!(after(&output), output);
    }

    fn after(arguments: &str) -> String {
        let library = Rebuilt {
            name: "zlib".into(),
            library: "z".into(),
            archive: "/own/libz.a".into(),
            link: vec!["-lm".into()],
            ..Rebuilt::default()
        };
        let mut arguments: Vec<_> = arguments.split(' ').map(String::from).collect();
        take(&mut arguments, &[library]);
        arguments.join(" ")
    }

    #[test]
    fn whatever_names_the_library_becomes_the_archive() {
        for name in [
            "-lz",
            "-l z",
            "-l:libz.a",
            "-l:libz.so.1",
            "/usr/lib/libz.so",
            "/usr/lib/libz.so.1.2",
            "../zlib/libz.a",
        ] {
            let after = after(&format!("a.o {name} -lc"));
            assert_eq!(after, "a.o /own/libz.a -lc -lm", "{name}");
        }
    }

    #[test]
    fn other_words_stay() {
        for words in [
            "a.o -lzstd -lzip -L/usr/libz.a.d libzip.a -Wl,-lz",
            "-shared a.o -o libz.so",
            "a.o -lm -l",
        ] {
            assert_eq!(after(words), words);
        }
    }
}
