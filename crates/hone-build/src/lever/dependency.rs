//! Levers of a project's own making: a library of the program is rebuilt with what was kept for the program.
//!
//! A lever of the list in `mod.rs` changes the program's own code. Where the time goes in a library that is linked in
//! as it was installed, none of them reaches it. A `[[dependency]]` of hone.toml names the library's source, and
//! becomes two levers: the library rebuilt, and, for comparison only, the same library from the same source without
//! any lever. The second tells what of the first is owed to the other build and to linking an archive.
//!
//! Levers live as long as the process, so those that hone.toml makes are leaked once, when it is read.

use super::{Flags, Lever, Offer, Step, Toolchain};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Stands in a dependency's command for the directory that it is installed to.
pub const PREFIX: &str = "{prefix}";

/// A library whose source is at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// Its name in reports and paths.
    pub name: String,
    /// Its source tree, relative to `hone.toml`.
    pub source: PathBuf,
    /// Paths in that tree that are not copied.
    pub exclude: Vec<PathBuf>,
    /// What builds it, run with `sh -c` in a copy of the source.
    pub command: String,
    /// Variables of its build, beside those of the program's.
    pub env: BTreeMap<String, String>,
    /// The archive that it makes: relative to the prefix where the command installs to one, else to the source.
    pub archive: PathBuf,
    /// What else a link needs that takes the archive, such as `-lm`.
    pub link: Vec<String>,
}

/// What a lever does to a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rebuild {
    /// The library.
    pub of: &'static Dependency,
    /// Whether it gets the flags of the levers below; the comparison does not.
    pub with_levers: bool,
}

impl Dependency {
    /// Whether its command installs it to a prefix.
    pub fn installs(&self) -> bool {
        self.command.contains(PREFIX)
    }

    /// What links call it: `z` for `libz.a`. `None` for a file that is no archive of that form.
    pub fn library(&self) -> Option<&str> {
        let file = self.archive.file_name()?.to_str()?;
        let name = file.strip_prefix("lib")?.strip_suffix(".a")?;
        (!name.is_empty()).then_some(name)
    }

    /// Where the archive stands for the program's links, below `prefix`.
    pub fn archive_in(&self, prefix: &Path) -> PathBuf {
        if self.installs() {
            prefix.join(&self.archive)
        } else {
            let file = self.archive.file_name().unwrap_or_default();
            prefix.join("lib").join(file)
        }
    }

    /// Its two levers, the comparison first.
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

/// What both levers have in common. What rustc and go link of C is not reached: their wrappers leave it alone.
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
