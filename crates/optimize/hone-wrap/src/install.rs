//! Puts compiler wrappers into a directory, and returns the environment in which a build finds them.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::wrapper::{
    COMPILER_NAMES, CONFIG_VARIABLE, RUSTC_NAME, WrapConfig, bazel, is_tool, plain_name,
};
use hone_build::{Toolchain, VariantFlags};

use hone_files::files::{utf8, write_whole};
use hone_run::tools::{Tool, Tools};

/// Programs that stand in PATH under names of compilers, keep what these make or send it elsewhere, and call them by PATH.
const LAUNCHERS: [&str; 5] = ["ccache", "distcc", "icecc", "sccache", "colorgcc"];

/// Name of the wrappers' configuration, in their directory.
pub(crate) const CONFIG_NAME: &str = "config.json";

/// A build that is to be wrapped.
pub struct Wrapped<'a> {
    /// Compilers and archivers that may replace the build's own.
    pub tools: &'a Tools,
    /// Flags that are added.
    pub flags: &'a VariantFlags,
    /// Variables that the build gets beside the variables of this process.
    pub env: &'a BTreeMap<String, String>,
    /// Seed of another layout.
    pub layout_seed: Option<u64>,
    /// Directory for the wrappers; its old content is removed.
    pub directory: &'a Path,
    /// True if symbols and debug information stay, whatever the build does.
    pub keeps_symbols: bool,
    /// Directory where objects are kept for later builds, and the name of this build.
    pub objects: Option<(PathBuf, String)>,
    /// Directory for the IR of the sources that clang compiles, if the IR is kept.
    pub ir: Option<PathBuf>,
    /// Bazel's output base, if not the usual one.
    pub bazel_output_base: Option<PathBuf>,
    /// Log file, which gets a line for every call.
    pub log: &'a Path,
}

impl Wrapped<'_> {
    /// Installs the wrappers; returns the environment of the build.
    pub fn install(&self) -> Result<BTreeMap<String, String>> {
        let config = self.config()?;
        if self.directory.exists() {
            fs::remove_dir_all(self.directory).context("wrapper")?;
        }
        fs::create_dir_all(self.directory).context("wrapper")?;
        let hone = env::current_exe().context("the path of hone itself")?;
        for name in config.real.keys() {
            symlink(&hone, self.directory.join(name)).with_context(|| format!("wrapper/{name}"))?;
        }
        let json = serde_json::to_vec_pretty(&config)?;
        write_whole(&self.directory.join(CONFIG_NAME), &json)?;
        self.environment()
    }

    fn config(&self) -> Result<WrapConfig> {
        let path = |tool: &Option<Tool>| tool.as_ref().map(|tool| tool.path.clone());
        let tools = self.tools;
        let archive_tools = [
            ("ar", &tools.llvm_ar),
            ("ranlib", &tools.llvm_ranlib),
            ("nm", &tools.llvm_nm),
        ];
        let archive_tools = archive_tools
            .into_iter()
            .filter_map(|(name, tool)| Some((name.to_string(), path(tool)?)));
        let layout = match self.layout_seed {
            Some(seed) => {
                let gap = self.directory.with_extension("gap.s");
                write_whole(&gap, hone_build::layout::gap_source(seed).as_bytes())?;
                Some((seed, gap))
            }
            None => None,
        };
        let search_path = self.variable("PATH").unwrap_or_default();
        let mut real = wrapped_tools(&search_path, self.directory);
        for value in ["CC", "CXX"].iter().filter_map(|name| self.variable(name)) {
            real.extend(compilers_by_path(&value));
        }
        Ok(WrapConfig {
            real,
            takes_over: match self.flags.toolchain {
                Some(Toolchain::Gcc) => path(&tools.gcc).zip(path(&tools.gxx)),
                _ => path(&tools.clang).zip(path(&tools.clangxx)),
            },
            archive_tools: archive_tools.collect(),
            flags: self.flags.clone(),
            layout,
            keeps_symbols: self.keeps_symbols,
            objects: self.objects.clone(),
            ir: self.ir.clone(),
            bazel_output_base: self.bazel_output_base.clone(),
            log: self.log.into(),
        })
    }

    fn environment(&self) -> Result<BTreeMap<String, String>> {
        let mut environment = self.env.clone();
        let mut set = |name: &str, value: String| environment.insert(name.into(), value);
        let path = self.variable("PATH").unwrap_or_default();
        set("PATH", format!("{}:{path}", utf8(self.directory)?));
        let config_file = self.directory.join(CONFIG_NAME);
        set(CONFIG_VARIABLE, utf8(&config_file)?.into());
        set("CCACHE_DISABLE", "1".into());
        if self.flags.toolchain == Some(Toolchain::Rust) {
            let rustc = self.directory.join(RUSTC_NAME);
            set("RUSTC_WRAPPER", utf8(&rustc)?.into());
        }
        for (name, value) in &self.flags.build_env {
            let own = self.variable(name).filter(|_| name.ends_with("FLAGS"));
            let value = own.map_or(value.clone(), |own| format!("{own} {value}"));
            set(name, value);
        }
        // Builds do something else where these are set, so what is not set stays so: names lead to the wrappers by PATH.
        for name in ["CC", "CXX"] {
            if let Some(value) = self.variable(name) {
                // A compiler that is called by its path would bypass its wrapper.
                set(name, by_name(&value));
            }
        }
        Ok(environment)
    }

    /// A variable as the build sees it.
    fn variable(&self, name: &str) -> Option<String> {
        let own = self.env.get(name).cloned();
        own.or_else(|| env::var(name).ok())
    }
}

/// Lists every tool in PATH whose plain name is wrapped: `g++`, `clang-19`, `llvm-ar-19`...
fn wrapped_tools(path: &str, wrapper: &Path) -> BTreeMap<String, PathBuf> {
    let mut real = BTreeMap::new();
    for directory in env::split_paths(path) {
        if directory == wrapper {
            continue;
        }
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let plain = plain_name(&name);
            let is_by_name = name == RUSTC_NAME || bazel::NAMES.contains(&name.as_str());
            let is_wrapped = is_by_name || is_tool(plain) || COMPILER_NAMES.contains(&plain);
            if is_wrapped && !is_launcher(&entry.path()) {
                real.entry(name).or_insert_with(|| entry.path());
            }
        }
    }
    real
}

/// Returns true if a compiler's name in PATH leads to a program that looks for the compiler further on in PATH: it would find the wrapper.
fn is_launcher(path: &Path) -> bool {
    let target = fs::canonicalize(path).ok();
    let name = target.as_deref().and_then(Path::file_name);
    name.and_then(OsStr::to_str)
        .is_some_and(|name| LAUNCHERS.contains(&name))
}

/// Lists the compilers that a value of CC or CXX, such as `ccache /opt/llvm/bin/clang -m64`, names by their path.
fn compilers_by_path(value: &str) -> Vec<(String, PathBuf)> {
    let compiler = |word: &str| {
        let path = Path::new(word);
        let name = path.file_name()?.to_str()?;
        let is_one = path.is_absolute() && COMPILER_NAMES.contains(&plain_name(name));
        (is_one && path.is_file()).then(|| (name.to_string(), path.to_owned()))
    };
    value
        .split_ascii_whitespace()
        .filter_map(compiler)
        .collect()
}

/// Replaces the paths of compilers in a value of CC or CXX by their names.
fn by_name(value: &str) -> String {
    let by_path = compilers_by_path(value);
    let name = |word| {
        let mut known = by_path.iter();
        known
            .find(|(_, path)| path == Path::new(word))
            .map_or(word, |(name, _)| name.as_str())
    };
    value.split(' ').map(name).collect::<Vec<_>>().join(" ")
}
