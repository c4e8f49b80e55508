//! Levers that a project defines: a library of the program is rebuilt with the levers that were kept for the program.
//!
//! A lever of the list in `lever.rs` changes the program's own code. No such lever reaches the time that is spent in an
//! installed library. A `[[dependency]]` of hone.toml names the library's source, and becomes two levers: the library
//! rebuilt, and, for comparison only, the same library from the same source without any lever. The comparison shows
//! how much of the gain comes from building the library anew and from linking an archive.
//!
//! Levers live as long as the process, so the levers from hone.toml are leaked once, when the file is read.

use super::{Flags, Lever, Offer, Step, Toolchain};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Placeholder in a dependency's command for the directory that the library is installed to.
pub const PREFIX: &str = "{prefix}";

/// A library whose source is available.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// Name of the library in reports and paths.
    pub name: String,
    /// Path of the library's source tree, relative to `hone.toml`.
    pub source: PathBuf,
    /// Paths in the source tree that are not copied.
    pub exclude: Vec<PathBuf>,
    /// Command that builds the library, run with `sh -c` in a copy of the source.
    pub command: String,
    /// Environment variables of the library's build, in addition to those of the program's build.
    pub env: BTreeMap<String, String>,
    /// Path of the built archive: relative to the prefix if the command installs to one, else to the source.
    pub archive: PathBuf,
    /// Further arguments of links that take the archive, such as `-lm`.
    pub link: Vec<String>,
}

/// Rebuild of a dependency by a lever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rebuild {
    /// The library.
    pub of: &'static Dependency,
    /// True if the library gets the flags of the levers below; the comparison does not.
    pub with_levers: bool,
}

impl Dependency {
    /// Returns true if the command installs the library to a prefix.
    pub fn installs(&self) -> bool {
        self.command.contains(PREFIX)
    }

    /// Returns the library's name in links: `z` for `libz.a`. `None` for a file that is not an archive of that form.
    pub fn library(&self) -> Option<&str> {
        let file = self.archive.file_name()?.to_str()?;
        let name = file.strip_prefix("lib")?.strip_suffix(".a")?;
        (!name.is_empty()).then_some(name)
    }

    /// Returns the path of the archive for the program's links, below `prefix`.
    pub fn archive_in(&self, prefix: &Path) -> PathBuf {
        if self.installs() {
            prefix.join(&self.archive)
        } else {
            let file = self.archive.file_name().unwrap_or_default();
            prefix.join("lib").join(file)
        }
    }

    /// Returns the two levers of the dependency, the comparison first.
    pub fn levers(self) -> [&'static Lever; 2] {
        let of: &'static Self = Box::leak(Box::new(self));
        let name = &of.name;
        let plain = Lever {
            id: leaked(format!("{name}-from-source")),
            title: leaked(format!("{name} from its source, without levers")),
            what: "Links the library as an archive of its given source, built as its own build does.",
            reference_only: true,
            rebuilds: Some(Rebuild {
                of,
                with_levers: false,
            }),
            deploy: "Not meant for it.",
            undo: "Nothing to undo.",
            ..BASE
        };
        let rebuilt = Lever {
            id: leaked(format!("{name}-rebuilt")),
            title: leaked(format!("{name} rebuilt")),
            what: "Builds the library from its source with what was kept for the program, and links it as an archive.",
            rebuilds: Some(Rebuild {
                of,
                with_levers: true,
            }),
            deploy: "Updates of the installed library no longer reach the program: rebuild it for each.",
            undo: "Link the installed library.",
            ..BASE
        };
        [Box::leak(Box::new(plain)), Box::leak(Box::new(rebuilt))]
    }
}

/// Common part of both levers. C libraries that rustc and go link are not replaced: their wrappers leave these links alone.
const BASE: Lever = Lever {
    step: Step::Dependency,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, Flags::NONE),
        (Toolchain::Gcc, Flags::NONE),
    ],
    ..Lever::BASE
};

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(command: &str, archive: &str) -> Dependency {
        Dependency {
            name: "zlib".into(),
            source: "../zlib".into(),
            exclude: Vec::new(),
            command: command.into(),
            env: BTreeMap::new(),
            archive: archive.into(),
            link: Vec::new(),
        }
    }

    #[test]
    fn the_archive_is_found_where_the_command_puts_it() {
        let prefix = Path::new("/p");
        let installed = dependency("make install prefix={prefix}", "lib64/libz.a");
        assert_eq!(installed.archive_in(prefix), Path::new("/p/lib64/libz.a"));
        let left = dependency("make", "out/libz.a");
        assert_eq!(left.archive_in(prefix), Path::new("/p/lib/libz.a"));
        assert_eq!(left.library(), Some("z"));
        assert_eq!(dependency("make", "out/libz.so").library(), None);
        assert_eq!(dependency("make", "lib.a").library(), None);
    }

    #[test]
    fn only_the_rebuilt_one_can_win() {
        let [plain, rebuilt] = dependency("make", "libz.a").levers();
        assert!(plain.reference_only && !rebuilt.reference_only);
        assert_eq!((plain.id, rebuilt.id), ("zlib-from-source", "zlib-rebuilt"));
        for lever in [plain, rebuilt] {
            for text in [lever.what, lever.deploy, lever.undo] {
                assert!(text.ends_with('.'), "{text}");
            }
        }
    }
}
