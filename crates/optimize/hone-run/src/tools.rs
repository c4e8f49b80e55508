//! Finds the compiler's tools, all of one LLVM release.
//!
//! A profile that one release writes another may refuse, so tools of different majors are never mixed:
//! LLVM 19 if its core (clang, clang++, lld, llvm-profdata) is complete, else the newest release with a
//! complete core, else the release with most of the core. Distributions install the tools under names with the major
//! (`clang-19`), under plain names, and in a directory per release (`/usr/lib/llvm-19/bin`); all three are
//! searched. Only chosen tools and tools with plain names are asked for their version line.

mod tool;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hone_files::files::{in_path, is_program};
use hone_files::libraries;

pub use tool::Tool;

/// The release that Hone is tried with most.
const PREFERRED_MAJOR: u32 = 19;

/// Tools that a complete release must have.
const CORE: [&str; 4] = ["clang", "clang++", "ld.lld", "llvm-profdata"];

/// Names of all binaries that are looked for.
const NAMES: [&str; 11] = [
    "clang",
    "clang++",
    "ld.lld",
    "llvm-profdata",
    "opt",
    "llvm-profgen",
    "llvm-ar",
    "llvm-ranlib",
    "llvm-nm",
    "llvm-bolt",
    "perf2bolt",
];

/// The runtime that instrumented binaries of BOLT are linked with.
const BOLT_RUNTIME: &str = "libbolt_rt_instr.a";

/// The tools of one LLVM release, and the libraries that levers need.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Tools {
    /// The C compiler.
    pub clang: Option<Tool>,
    /// The C++ compiler.
    pub clangxx: Option<Tool>,
    /// The linker.
    pub lld: Option<Tool>,
    /// Tool that merges and shows profiles.
    pub llvm_profdata: Option<Tool>,
    /// The optimiser as a program.
    pub opt: Option<Tool>,
    /// Tool that makes sample profiles from recordings; Hone does without it.
    pub llvm_profgen: Option<Tool>,
    /// Archiver that understands bitcode.
    pub llvm_ar: Option<Tool>,
    /// Archive indexer that understands bitcode.
    pub llvm_ranlib: Option<Tool>,
    /// Symbol lister that understands bitcode.
    pub llvm_nm: Option<Tool>,
    /// The post-link optimiser.
    pub llvm_bolt: Option<Tool>,
    /// BOLT's profile converter.
    pub perf2bolt: Option<Tool>,
    /// Library for `--runtime-instrumentation-lib`: llvm-bolt does not always find the library by itself.
    pub bolt_instrumentation_runtime: Option<Tool>,
    /// The GNU C compiler.
    pub gcc: Option<Tool>,
    /// The GNU C++ compiler.
    pub gxx: Option<Tool>,
    /// llvm-profdata of the LLVM in rustc (rustup's component llvm-tools).
    pub rust_profdata: Option<Tool>,
    /// musl's static library.
    pub musl: Option<Tool>,
    /// Allocators whose library is installed under its linker name, by the name that levers use.
    pub allocators: BTreeMap<&'static str, Tool>,
}

/// Allocators: the name that levers use, the name of the library, and Debian's package.
pub const ALLOCATORS: [(&str, &str, &str); 3] = [
    ("mimalloc", "mimalloc", "libmimalloc-dev"),
    ("jemalloc", "jemalloc", "libjemalloc-dev"),
    ("tcmalloc", "tcmalloc_minimal", "libgoogle-perftools-dev"),
];

impl Tools {
    /// Looks for tools in PATH and in the usual directories.
    pub fn find() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut tools = Self::find_in(&path, Path::new("/usr/lib"));
        let allocators = ALLOCATORS.iter();
        tools.allocators = allocators
            .filter_map(|(name, library, _)| {
                let library = libraries::for_linking(library)?;
                Some((*name, Tool::of_library(library)))
            })
            .collect();
        tools.gcc = in_path("gcc").and_then(plain_tool);
        tools.gxx = in_path("g++").and_then(plain_tool);
        tools.rust_profdata = rust_profdata();
        tools.musl = libraries::musl().map(Tool::of_library);
        tools
    }

    /// Looks for tools in the directories of `path`, and in `releases` for directories such as `llvm-19`.
    fn find_in(path: &OsStr, releases: &Path) -> Self {
        let found = candidates(path, releases);
        let Some(major) = choose(&found) else {
            return Self::default();
        };
        let tool = |name: &str| {
            let path = found.get(&major)?.get(name)?;
            let version = version_line(path)?;
            Some(Tool {
                path: path.clone(),
                version,
                major,
            })
        };
        let llvm_bolt = tool("llvm-bolt");
        let bolt_instrumentation_runtime = llvm_bolt
            .as_ref()
            .and_then(|bolt| bolt_runtime(bolt, releases));
        Self {
            clang: tool("clang"),
            clangxx: tool("clang++"),
            lld: tool("ld.lld"),
            llvm_profdata: tool("llvm-profdata"),
            opt: tool("opt"),
            llvm_profgen: tool("llvm-profgen"),
            llvm_ar: tool("llvm-ar"),
            llvm_ranlib: tool("llvm-ranlib"),
            llvm_nm: tool("llvm-nm"),
            perf2bolt: tool("perf2bolt"),
            llvm_bolt,
            bolt_instrumentation_runtime,
            ..Self::default()
        }
    }

    /// Major version of the chosen LLVM release, if any was found.
    pub fn major(&self) -> Option<u32> {
        self.of_llvm().map(|(_, tool)| tool.major).next()
    }

    /// Lists the tools that were found, under the names that people use.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Tool)> {
        let others = [
            ("gcc", &self.gcc),
            ("g++", &self.gxx),
            ("rustc's llvm-profdata", &self.rust_profdata),
            ("musl", &self.musl),
        ];
        let others = others.into_iter();
        let others = others.filter_map(|(name, tool)| Some((name, tool.as_ref()?)));
        let allocators = self.allocators.iter().map(|(name, tool)| (*name, tool));
        self.of_llvm().chain(others).chain(allocators)
    }

    fn of_llvm(&self) -> impl Iterator<Item = (&'static str, &Tool)> {
        [
            ("clang", &self.clang),
            ("clang++", &self.clangxx),
            ("lld", &self.lld),
            ("llvm-profdata", &self.llvm_profdata),
            ("opt", &self.opt),
            ("llvm-profgen", &self.llvm_profgen),
            ("llvm-ar", &self.llvm_ar),
            ("llvm-ranlib", &self.llvm_ranlib),
            ("llvm-nm", &self.llvm_nm),
            ("llvm-bolt", &self.llvm_bolt),
            ("perf2bolt", &self.perf2bolt),
            (
                "BOLT's instrumentation runtime",
                &self.bolt_instrumentation_runtime,
            ),
        ]
        .into_iter()
        .filter_map(|(name, tool)| Some((name, tool.as_ref()?)))
    }
}

/// Returns the argument that makes llvm-bolt find its instrumentation runtime.
pub fn bolt_runtime_argument(runtime: &Tool) -> String {
    let path = for_bolt(&runtime.path);
    format!("--runtime-instrumentation-lib={}", path.display())
}

/// Returns the path of a library as llvm-bolt wants it. llvm-bolt takes every path as relative to a directory of its own,
/// even if the path begins with a slash; enough steps up lead to the root from anywhere.
pub fn for_bolt(library: &Path) -> PathBuf {
    let to_root = "../".repeat(8);
    format!("{to_root}..{}", library.display()).into()
}

/// Describes a tool that is known by its path alone.
fn plain_tool(path: PathBuf) -> Option<Tool> {
    let version = version_line(&path)?;
    let major = major_in(&version).unwrap_or(0);
    Some(Tool {
        path,
        version,
        major,
    })
}

/// Finds the llvm-profdata in rustc's sysroot, which reads the profiles of rustc's LLVM.
fn rust_profdata() -> Option<Tool> {
    let rustc = in_path("rustc")?;
    let output = Command::new(rustc).args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8(output.ok()?.stdout).ok()?;
    let targets = Path::new(sysroot.trim()).join("lib/rustlib");
    let mut files = std::fs::read_dir(targets)
        .ok()?
        .flatten()
        .map(|target| target.path().join("bin/llvm-profdata"));
    files.find(|file| is_program(file)).and_then(plain_tool)
}

/// Returns the first line of a tool's `--version` that names a version.
pub fn version_line(program: &Path) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| major_in(line).is_some())?;
    Some(line.trim().to_owned())
}

/// Binaries by release and name.
type Candidates = BTreeMap<u32, BTreeMap<&'static str, PathBuf>>;

fn candidates(path: &OsStr, releases: &Path) -> Candidates {
    let mut found = Candidates::new();
    let mut add = |major: u32, name: &'static str, path: PathBuf| {
        found.entry(major).or_default().entry(name).or_insert(path);
    };
    let mut plain = BTreeMap::new();
    for directory in directories(path) {
        for file_name in file_names(&directory) {
            let file = directory.join(&file_name);
            match name_and_major(&file_name) {
                Some((name, Some(major))) if is_program(&file) => add(major, name, file),
                Some((name, None)) if is_program(&file) => {
                    plain.entry(name).or_insert(file);
                }
                _ => {}
            }
        }
    }
    // Names with a major tell the release by themselves and are preferred: they survive an upgrade.
    for (name, file) in plain {
        if let Some(major) = version_line(&file).as_deref().and_then(major_in) {
            add(major, name, file);
        }
    }
    for file_name in file_names(releases) {
        let major = file_name
            .strip_prefix("llvm-")
            .and_then(|major| major.parse().ok());
        let Some(major) = major else { continue };
        for name in NAMES {
            let file = releases.join(&file_name).join("bin").join(name);
            if is_program(&file) {
                add(major, name, file);
            }
        }
    }
    found
}

fn choose(found: &Candidates) -> Option<u32> {
    let core = |major: u32| {
        let tools = &found[&major];
        CORE.iter()
            .filter(|&&name| tools.contains_key(name))
            .count()
    };
    found
        .keys()
        .copied()
        .max_by_key(|&major| (core(major), major == PREFERRED_MAJOR, major))
}

/// Splits a file name: `clang++-19` is clang++ of release 19, `ld.lld` is ld.lld of any release.
fn name_and_major(file_name: &str) -> Option<(&'static str, Option<u32>)> {
    NAMES.iter().find_map(|&name| {
        let rest = file_name.strip_prefix(name)?;
        if rest.is_empty() {
            return Some((name, None));
        }
        let major = rest.strip_prefix('-')?.parse().ok()?;
        Some((name, Some(major)))
    })
}

/// Returns the number before the first point of the first word that looks like a version.
pub(super) fn major_in(line: &str) -> Option<u32> {
    line.split_ascii_whitespace().find_map(|word| {
        let (major, rest) = word.split_once('.')?;
        rest.starts_with(|next: char| next.is_ascii_digit())
            .then_some(())?;
        major.parse().ok()
    })
}

fn bolt_runtime(bolt: &Tool, releases: &Path) -> Option<Tool> {
    // Debian's /usr/bin/llvm-bolt-19 is a link into the directory of the release.
    let real = std::fs::canonicalize(&bolt.path).unwrap_or_else(|_| bolt.path.clone());
    let beside = real.parent().map(|bin| bin.join("../lib"));
    let usual = [
        releases.join(format!("llvm-{}", bolt.major)).join("lib"),
        "/usr/local/lib".into(),
        releases.to_path_buf(),
        "/usr/lib64".into(),
    ];
    let file = beside
        .into_iter()
        .chain(usual)
        .map(|directory| directory.join(BOLT_RUNTIME))
        .find(|file| file.is_file())?;
    let path = std::fs::canonicalize(&file).unwrap_or(file);
    let version = format!("with {}", bolt.version);
    Some(Tool {
        path,
        version,
        major: bolt.major,
    })
}

/// Lists the directories of PATH; an empty entry would mean the current directory, which nobody wants here.
fn directories(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(path).filter(|directory| directory.is_absolute())
}

fn file_names(directory: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A directory with `bin` for PATH and `lib` for releases.
    struct Root(tempfile::TempDir);

    impl Root {
        fn new() -> Self {
            let root = Self(tempfile::tempdir().unwrap());
            for directory in ["bin", "lib"] {
                std::fs::create_dir(root.0.path().join(directory)).unwrap();
            }
            root
        }

        fn program(&self, file: &str, version: &str) -> &Self {
            let path = self.0.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(
                &path,
                format!("#!/bin/sh\necho 'Debian LLVM version {version}'\n"),
            )
            .unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            self
        }

        fn release(&self, major: u32, names: &[&str]) -> &Self {
            for name in names {
                self.program(&format!("bin/{name}-{major}"), &format!("{major}.1.0"));
            }
            self
        }

        fn find(&self) -> Tools {
            Tools::find_in(
                self.0.path().join("bin").as_os_str(),
                &self.0.path().join("lib"),
            )
        }
    }

    #[test]
    fn nineteen_is_preferred_to_newer_ones() {
        let root = Root::new();
        let tools = root
            .release(16, &CORE)
            .release(19, &CORE)
            .release(20, &CORE)
            .find();
        assert_eq!(tools.major(), Some(19));
        let clang = tools.clang.unwrap();
        assert_eq!(clang.version, "Debian LLVM version 19.1.0");
        assert!(clang.path.ends_with("bin/clang-19"));
    }

    #[test]
    fn the_newest_complete_release_comes_next_and_releases_are_not_mixed() {
        let root = Root::new();
        root.release(16, &CORE)
            .release(18, &CORE)
            .release(20, &["clang", "clang++", "llvm-bolt"]);
        let tools = root.release(19, &["clang"]).find();
        assert_eq!(tools.major(), Some(18));
        assert_eq!(tools.llvm_bolt, None);
        assert!(tools.named().all(|(_, tool)| tool.major == 18));
    }

    #[test]
    fn plain_names_are_asked_for_their_version_and_directories_of_releases_are_searched() {
        let root = Root::new();
        root.program("bin/clang", "17.0.6")
            .program("bin/clang++", "17.0.6");
        let tools = root.program("lib/llvm-17/bin/ld.lld", "17.0.6").find();
        assert_eq!(tools.major(), Some(17));
        assert!(tools.clang.unwrap().path.ends_with("bin/clang"));
        assert!(tools.lld.unwrap().path.ends_with("lib/llvm-17/bin/ld.lld"));
        assert_eq!(tools.llvm_profdata, None);
    }

    #[test]
    fn nothing_at_all_is_no_error() {
        assert_eq!(Root::new().find(), Tools::default());
        assert_eq!(
            Tools::find_in(OsStr::new(""), Path::new("/nonexistent")),
            Tools::default()
        );
    }

    #[test]
    fn the_runtime_of_bolt_stands_beside_what_the_link_points_to() {
        let root = Root::new();
        root.release(19, &CORE)
            .program("elsewhere/bin/llvm-bolt", "19.1.7");
        let at = |file: &str| root.0.path().join(file);
        symlink(at("elsewhere/bin/llvm-bolt"), at("bin/llvm-bolt-19")).unwrap();
        assert_eq!(root.find().bolt_instrumentation_runtime, None);
        std::fs::create_dir(at("elsewhere/lib")).unwrap();
        std::fs::write(at("elsewhere/lib/libbolt_rt_instr.a"), "").unwrap();
        let runtime = root.find().bolt_instrumentation_runtime.unwrap();
        assert!(runtime.path.ends_with("elsewhere/lib/libbolt_rt_instr.a"));
    }

    #[test]
    fn names_and_versions() {
        assert_eq!(name_and_major("clang++-19"), Some(("clang++", Some(19))));
        assert_eq!(name_and_major("clang"), Some(("clang", None)));
        assert_eq!(name_and_major("clang-format-19"), None);
        assert_eq!(name_and_major("llvm-bolt-heatmap-19"), None);
        assert_eq!(
            major_in("Debian clang version 19.1.7 (3~deb12u1)"),
            Some(19)
        );
        assert_eq!(
            major_in("Debian LLD 16.0.6 (compatible with GNU linkers)"),
            Some(16)
        );
        assert_eq!(major_in("  Optimized build."), None);
    }
}
