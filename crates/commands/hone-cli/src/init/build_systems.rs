//! Ways to build the program in a directory, found by the files of build systems.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Number of levels below the root that are searched.
const DEPTH_MAX: usize = 3;

/// A way to build the program.
pub(crate) struct Build {
    /// Name of the build system.
    pub(crate) system: &'static str,
    pub(crate) command: String,
    /// Name of the program.
    pub(crate) program: Option<String>,
    /// Guessed path of the program after the build.
    pub(crate) binary: Option<String>,
    /// File on which the guess is based.
    pub(crate) by: String,
}

impl Build {
    /// Returns a build of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            system: "no build system",
            command: "FILL_IN".to_owned(),
            program: None,
            binary: None,
            by: String::new(),
        }
    }

    fn new(system: &'static str, command: impl Into<String>, binary: Option<Target>) -> Self {
        let (program, path, by) = match binary {
            Some(target) => (Some(target.name), Some(target.path), target.by),
            None => (None, None, String::new()),
        };
        Self {
            system,
            command: command.into(),
            program,
            binary: path,
            by,
        }
    }
}

/// A program that a build makes.
struct Target {
    name: String,
    path: String,
    by: String,
}

impl Target {
    fn new(name: &str, path: impl Into<String>, by: &str) -> Self {
        Self {
            name: name.to_owned(),
            path: path.into(),
            by: by.to_owned(),
        }
    }

    /// Returns the program at a path, named by its file.
    fn at(path: &str, by: &str) -> Self {
        Self::new(path.rsplit('/').next().unwrap_or(path), path, by)
    }
}

/// Returns all build systems of a directory, the likeliest first.
pub(crate) fn look(root: &Path) -> Vec<Build> {
    [cargo, go, bazel, cmake, meson, configure, rake, make]
        .iter()
        .filter_map(|system| system(root))
        .collect()
}

fn cargo(root: &Path) -> Option<Build> {
    let text = read(root, "Cargo.toml")?;
    let name = program_of_crate(&text).or_else(|| {
        let members = files(root, &["Cargo.toml"]).into_iter().skip(1);
        let mut programs =
            members.filter(|file| root.join(file).with_file_name("src/main.rs").is_file());
        programs.find_map(|file| program_of_crate(&fs::read_to_string(root.join(file)).ok()?))
    });
    let target =
        name.map(|name| Target::new(&name, format!("target/release/{name}"), "Cargo.toml"));
    Some(Build::new("Cargo", "cargo build --release", target))
}

/// Returns the program of a crate: its first binary, or the crate's own name.
fn program_of_crate(text: &str) -> Option<String> {
    let file: toml::Table = text.parse().ok()?;
    let name = |table: &toml::Value| Some(table.get("name")?.as_str()?.to_owned());
    let first = file
        .get("bin")
        .and_then(|all| name(all.as_array()?.first()?));
    first.or_else(|| name(file.get("package")?))
}

fn go(root: &Path) -> Option<Build> {
    let module = first(&read(root, "go.mod")?, r"(?m)^module\s+(\S+)")?;
    let is_version = |part: &&str| {
        part.strip_prefix('v')
            .is_some_and(|rest| rest.parse::<u32>().is_ok())
    };
    let own = module
        .rsplit('/')
        .find(|part| !is_version(part))
        .unwrap_or("program")
        .to_owned();
    let is_main = |file: &PathBuf| {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        first(&text, r"(?m)^package\s+(main)\b").is_some()
    };
    let mut mains = files(root, &["main.go"]).into_iter().filter(is_main);
    let directory = mains.find_map(|file| file.parent().map(Path::to_owned));
    let (name, package) = match &directory {
        Some(at) if !at.as_os_str().is_empty() => {
            let name = at
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (name, format!("./{}", at.display()))
        }
        _ => (own, ".".to_owned()),
    };
    let target = Target::new(&name, name.clone(), "go.mod");
    Some(Build::new(
        "Go",
        format!("go build -o {name} {package}"),
        Some(target),
    ))
}

fn bazel(root: &Path) -> Option<Build> {
    ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"]
        .iter()
        .find(|name| root.join(name).is_file())?;
    let target = files(root, &["BUILD", "BUILD.bazel"])
        .into_iter()
        .find_map(|file| {
            let text = fs::read_to_string(root.join(&file)).ok()?;
            let name = first(
                &text,
                r#"(?s)\b(?:cc|rust|go)_binary\([^)]*?\bname\s*=\s*"([^"]+)""#,
            )?;
            let package = file.parent()?.display().to_string();
            Some((package, name, file.display().to_string()))
        });
    Some(match target {
        Some((package, name, by)) => {
            let target = Target::new(&name, joined("bazel-bin", &package, &name), &by);
            Build::new(
                "Bazel",
                format!("bazel build -c opt //{package}:{name}"),
                Some(target),
            )
        }
        None => Build::new("Bazel", "bazel build -c opt //FILL_IN", None),
    })
}

fn cmake(root: &Path) -> Option<Build> {
    let top = read(root, "CMakeLists.txt")?;
    let project = first(&top, r"(?i)\bproject\s*\(\s*([\w.+-]+)");
    let target = files(root, &["CMakeLists.txt"])
        .into_iter()
        .find_map(|file| {
            let text = fs::read_to_string(root.join(&file)).ok()?;
            let name = first(&text, r"(?i)\badd_executable\s*\(\s*([\w.+${}-]+)")?;
            let name = match name.as_str() {
                "${PROJECT_NAME}" | "${CMAKE_PROJECT_NAME}" => project.clone()?,
                variable if variable.contains('$') => return None,
                plain => plain.to_owned(),
            };
            let directory = file.parent()?.display().to_string();
            Some(Target::new(
                &name,
                joined("build", &directory, &name),
                &file.display().to_string(),
            ))
        });
    let command =
        "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j$(nproc)";
    Some(Build::new("CMake", command, target))
}

fn meson(root: &Path) -> Option<Build> {
    read(root, "meson.build")?;
    let target = files(root, &["meson.build"]).into_iter().find_map(|file| {
        let text = fs::read_to_string(root.join(&file)).ok()?;
        let name = first(&text, r"\bexecutable\s*\(\s*'([^']+)'")?;
        let directory = file.parent()?.display().to_string();
        Some(Target::new(
            &name,
            joined("build", &directory, &name),
            &file.display().to_string(),
        ))
    });
    let command = "meson setup build --buildtype=release && meson compile -C build";
    Some(Build::new("Meson", command, target))
}

fn configure(root: &Path) -> Option<Build> {
    let is_ready = root.join("configure").is_file();
    let is_source = ["configure.ac", "configure.in"]
        .iter()
        .any(|name| root.join(name).is_file());
    let command = match (is_ready, is_source) {
        (true, _) => "./configure && make -j$(nproc)",
        (false, true) => "autoreconf -i && ./configure && make -j$(nproc)",
        (false, false) => return None,
    };
    let target = files(root, &["Makefile.am"]).into_iter().find_map(|file| {
        let text = fs::read_to_string(root.join(&file)).ok()?;
        let name = first(&text, r"(?m)^s?bin_PROGRAMS\s*\+?=\s*([\w.+-]+)")?;
        let directory = file.parent()?.display().to_string();
        Some(Target::new(
            &name,
            joined("", &directory, &name),
            &file.display().to_string(),
        ))
    });
    let by_hand = || {
        let path = linked_by(&read(root, "Makefile.in")?)?;
        Some(Target::at(&path, "Makefile.in"))
    };
    Some(Build::new("configure", command, target.or_else(by_hand)))
}

fn make(root: &Path) -> Option<Build> {
    let names = ["GNUmakefile", "Makefile", "makefile"];
    let (file, text) = names
        .iter()
        .find_map(|name| Some((name, read(root, name)?)))?;
    let target = linked_by(&text).map(|path| Target::at(&path, file));
    Some(Build::new("make", "make -j$(nproc)", target))
}

/// Returns the path of the program that a makefile links: by the variable that names it, or by the first rule that links one.
fn linked_by(makefile: &str) -> Option<String> {
    let named = first(
        makefile,
        r"(?m)^(?:TARGET|PROGRAM|PROG|BINARY|BIN|EXE|EXECUTABLE|NAME)\s*[:?]?=\s*([\w./+-]+)[ \t]*$",
    );
    named.or_else(|| {
        let output = Regex::new(r"\s-o\s+(\$@|[\w./+-]+)").ok()?;
        let mut rule = "";
        makefile.lines().find_map(|line| {
            let Some(recipe) = line.strip_prefix('\t') else {
                rule = line.split([':', '=']).next().unwrap_or_default();
                return None;
            };
            let compiles = recipe.split_whitespace().any(|word| word == "-c");
            let path = output.captures(recipe)?.get(1)?.as_str();
            let path = if path == "$@" { rule } else { path };
            // Names of programs end in a variable where some system wants .exe.
            let path = path.trim().split("$(").next().unwrap_or_default();
            let is_program = !path.is_empty()
                && !path.contains(['%', '$', ' '])
                && ![".o", ".so", ".a", ".obj"]
                    .iter()
                    .any(|end| path.ends_with(end));
            (is_program && !compiles).then(|| path.trim_start_matches("./").to_owned())
        })
    })
}

fn rake(root: &Path) -> Option<Build> {
    let rakefile = read(root, "Rakefile")?;
    let by_file = first(
        &rakefile,
        r#"(?m)^\s*file\s+['"]([\w./+-]*[\w+-])['"]\s*=>"#,
    )
    .filter(|path| !path.ends_with(".o"))
    .map(|path| Target::at(&path, "Rakefile"));
    // Extensions of mruby name the programs that they make.
    let by_gem = || {
        files(root, &["mrbgem.rake"]).into_iter().find_map(|file| {
            let text = fs::read_to_string(root.join(&file)).ok()?;
            let name = first(&text, r"\bbins\s*=\s*%w\(\s*([\w.+-]+)")?;
            Some(Target::at(
                &format!("bin/{name}"),
                &file.display().to_string(),
            ))
        })
    };
    Some(Build::new("Rake", "rake", by_file.or_else(by_gem)))
}

/// Reads a file at the root as text.
fn read(root: &Path, name: &str) -> Option<String> {
    fs::read_to_string(root.join(name)).ok()
}

/// Returns the first group of the first match.
fn first(text: &str, pattern: &str) -> Option<String> {
    let found = Regex::new(pattern).ok()?.captures(text)?;
    Some(found.get(1)?.as_str().to_owned())
}

fn joined(before: &str, directory: &str, name: &str) -> String {
    let parts = [before, directory, name];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

/// Returns files of these names, relative to the root: first those at the root, then those below, in the order of their names.
fn files(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(root, Path::new(""), names, DEPTH_MAX, &mut found);
    found
}

fn walk(root: &Path, at: &Path, names: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    found.extend(
        names
            .iter()
            .map(|name| at.join(name))
            .filter(|file| root.join(file).is_file()),
    );
    if depth == 0 {
        return;
    }
    let entries = fs::read_dir(root.join(at)).into_iter().flatten().flatten();
    let mut below: Vec<_> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.') && !is_no_source(name))
        .collect();
    below.sort_unstable();
    for name in below {
        walk(root, &at.join(name), names, depth - 1, found);
    }
}

/// True for directories of builds, tests, examples and code of others, whose programs are not the wanted one.
fn is_no_source(directory: &str) -> bool {
    let others = [
        "build",
        "target",
        "test",
        "tests",
        "testing",
        "example",
        "examples",
        "bench",
        "benchmark",
        "benchmarks",
        "third_party",
        "vendor",
        "external",
        "deps",
        "node_modules",
        "doc",
        "docs",
        "fuzz",
    ];
    others.contains(&directory)
}
