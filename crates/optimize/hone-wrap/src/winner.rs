//! The winner of a finished `hone optimize`, in a form that other builds can use.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::{Toolchain, VariantFlags};
use serde::{Deserialize, Serialize};

use hone_files::advice::Advise;
use hone_files::files::in_path;
use hone_files::files::{utf8, write_whole};
use hone_run::tools::{Tool, Tools};

/// Name of the file, in `.hone/report/` and in the directory that `hone export` writes.
pub const FILE: &str = "winner.json";
/// Placeholder for the directory that the profiles' paths begin with.
pub const DIRECTORY: &str = "{dir}";

/// All that another build needs to become the winner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Winner {
    /// The program's name.
    pub program: String,
    /// The levers, such as `mimalloc+thinlto+autofdo`.
    pub variant: String,
    /// Gain in the fresh measurement, such as `1.32x [1.28, 1.36]`.
    pub gain: String,
    /// The program's own build command.
    pub build_command: String,
    /// The build's own environment.
    pub build_env: BTreeMap<String, String>,
    /// Path of the program's binary, relative to the source.
    pub binary: PathBuf,
    /// Flags that the levers add.
    pub flags: VariantFlags,
    /// Commands run on the linked binary.
    pub post_link: Vec<String>,
    /// The profiles that the flags name.
    pub profiles: Vec<PathBuf>,
    /// Consequences for deployment, as full sentences.
    pub deploy: Vec<String>,
    /// Tools of the build.
    pub tools: ToolNames,
}

/// Names of the tools of a build in C or C++ on a command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolNames {
    /// The compiler of C.
    pub c: String,
    /// The compiler of C++.
    pub cxx: String,
    /// The archiver that understands bitcode.
    pub ar: String,
    /// The archive indexer that understands bitcode.
    pub ranlib: String,
}

impl ToolNames {
    /// Returns the tools that Hone builds with if the flags are of this toolchain.
    pub fn of(tools: &Tools, toolchain: Option<Toolchain>) -> Self {
        let (c, cxx) = match toolchain {
            Some(Toolchain::Gcc) => (name(&tools.gcc, "gcc"), name(&tools.gxx, "g++")),
            _ => (name(&tools.clang, "clang"), name(&tools.clangxx, "clang++")),
        };
        Self {
            c,
            cxx,
            ar: name(&tools.llvm_ar, "llvm-ar"),
            ranlib: name(&tools.llvm_ranlib, "llvm-ranlib"),
        }
    }
}

/// Returns the name of a tool here, such as `clang-19`; its path if PATH leads to another file.
pub fn name(tool: &Option<Tool>, plain: &str) -> String {
    let Some(tool) = tool else {
        return plain.into();
    };
    let name = tool.path.file_name().unwrap_or_default().to_string_lossy();
    match in_path(&name) {
        Some(path) if path == tool.path => name.into_owned(),
        _ => tool.path.display().to_string(),
    }
}

impl Winner {
    /// Reads the winner of a project directory, or of a directory that `hone export` wrote.
    pub fn load(directory: &Path) -> Result<Self> {
        let exported = directory.join(FILE);
        let (file, root) = if exported.is_file() {
            (exported, directory.to_owned())
        } else {
            let hone = directory.join(".hone");
            (hone.join("report").join(FILE), hone)
        };
        let text = fs::read_to_string(&file)
            .with_context(|| file.display().to_string())
            .next("let hone optimize find a winner first, or name the directory that has one with --from")?;
        let root = root
            .canonicalize()
            .with_context(|| root.display().to_string())?;
        serde_json::from_str(&text.replace(DIRECTORY, utf8(&root)?))
            .with_context(|| file.display().to_string())
            .next("the file is damaged: run hone optimize or hone export again")
    }

    /// Writes the winner; `root` is the directory that holds the profiles.
    pub fn save(&self, file: &Path, root: &Path) -> Result<()> {
        let root = utf8(root)?.trim_end_matches('/');
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(file, text.replace(root, DIRECTORY).as_bytes())
    }
}
