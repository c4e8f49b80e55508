//! Writes a commented hone.toml from the files in a source tree. Values that only the user can know are left blank, and
//! `hone optimize` names the blanks; guesses are marked.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use hone_files::advice::Advise;
use hone_files::files::how_to_write;

use super::build_systems::{Build, look};

/// A hone.toml that was written.
pub(crate) struct Written {
    /// Path of the file.
    pub(crate) path: PathBuf,
    /// Name of the build system for which it is; `None` if nothing says how the program is built.
    pub(crate) system: Option<&'static str>,
}

/// Writes hone.toml for the program in a source tree.
///
/// # Errors
///
/// Returns an error if the file exists already or cannot be written.
pub(crate) fn init(directory: &Path) -> Result<Written> {
    let builds = look(directory);
    let text = hone_toml(&directory_name(directory), &builds);
    let path = directory.join("hone.toml");
    let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(anyhow!("{} is there already", path.display()))
                .next("edit it; hone optimize --dry-run says what it comes to");
        }
        opened => {
            let step = opened.as_ref().err().map(how_to_write).unwrap_or_default();
            opened
                .with_context(|| format!("cannot write {}", path.display()))
                .next(step)?
        }
    };
    file.write_all(text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Written {
        path,
        system: builds.first().map(|build| build.system),
    })
}

/// Returns the name of the directory, for a program without another name.
fn directory_name(directory: &Path) -> String {
    let whole = directory.canonicalize().ok();
    let name = whole.as_deref().and_then(Path::file_name);
    name.map_or_else(
        || "program".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Returns the text of hone.toml for the first of these builds.
fn hone_toml(directory: &str, builds: &[Build]) -> String {
    let unknown = Build::unknown();
    let (build, others) = match builds.split_first() {
        Some((build, others)) => (build, others),
        None => (&unknown, &[][..]),
    };
    let name = build.program.as_deref().unwrap_or(directory);
    let binary = match &build.binary {
        Some(binary) => format!(
            "binary = {}    # a guess from {}: what the build makes, relative to the source tree",
            quoted(binary),
            build.by
        ),
        None => {
            "binary = \"FILL_IN\"    # what the build makes, relative to the source tree".to_owned()
        }
    };
    let others: String = others
        .iter()
        .map(|other| {
            format!(
                "# {} is here too:\n# command = {}\n",
                other.system,
                quoted(&other.command)
            )
        })
        .collect();
    format!(
        r#"# For `hone optimize`, which builds copies of this source with one compiler lever more each, and keeps what is proven
# to help. docs/optimize/optimize.md has every key. Fill in what is marked FILL_IN; `hone optimize --dry-run` says what is left.

[program]
name = {name}
{binary}
# exclude = ["results"]              # what need not be copied

[build]
# Found: {system}. Run by sh in a copy of the source. Compilers must be called by name or through CC and CXX.
command = {command}
{others}# env = {{ CC = "clang-19", CXX = "clang++-19" }}

# [check]                            # must exit with 0, or a variant is not measured
# command = "{{binary}} --self-test"

# A program that runs to its end is run as it is. For a server, say how it is started, and let the workloads below be load
# generators (docs/optimize/services.md):
# [server]
# start = "{{binary}} --port {{port}}"

[[train]]                            # profiles come from this run; a second or more, as in production
name = "train"
command = "{{binary}} FILL_IN"

[[measure]]                          # verdicts rest on this; it must be another run than the training
name = "measure"
command = "{{binary}} FILL_IN another"

[ladder]
# seconds_per_rung = "60s"           # of measuring, at most, roughly
# levers = ["thinlto", "pgo"]        # these alone; `hone optimize --dry-run` lists those that are tried without this line
"#,
        name = quoted(name),
        system = build.system,
        command = quoted(&build.command),
    )
}

/// Formats a text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hone_build::Project;

    use super::*;

    /// Returns the project that `hone init` writes for a tree of these files.
    fn of(files: &[(&str, &str)]) -> Project {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        init(directory.path()).unwrap();
        let text = fs::read_to_string(directory.path().join("hone.toml")).unwrap();
        let project = Project::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        // The file is never written over.
        let error = init(directory.path()).err().unwrap();
        assert!(hone_files::advice::render(&error).contains("is there already\nnext: edit it"));
        project
    }

    /// Returns build command and binary of a tree in which only the workloads are left blank.
    #[track_caller]
    fn found(files: &[(&str, &str)]) -> (String, String) {
        let project = of(files);
        assert_eq!(
            project.left_to_fill_in(),
            ["train.train.command", "measure.measure.command"]
        );
        (project.build_command, project.binary.display().to_string())
    }

    #[test]
    fn each_build_system_is_found_with_its_binary() {
        let cmake =
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j$(nproc)";
        for (files, command, binary) in [
            (
                &[(
                    "CMakeLists.txt",
                    "project(x CXX)\nadd_executable(serve main.cc)",
                )][..],
                cmake,
                "build/serve",
            ),
            (
                &[
                    ("CMakeLists.txt", "project(x)\nadd_subdirectory(src)"),
                    ("src/CMakeLists.txt", "add_executable(\n  serve a.cc)"),
                ],
                cmake,
                "build/src/serve",
            ),
            (
                &[(
                    "CMakeLists.txt",
                    "project(solo)\nadd_executable(${PROJECT_NAME} a.c)",
                )],
                cmake,
                "build/solo",
            ),
            (
                &[(
                    "meson.build",
                    "project('x', 'c')\nexecutable('serve', 'a.c')",
                )],
                "meson setup build --buildtype=release && meson compile -C build",
                "build/serve",
            ),
            (
                &[("Cargo.toml", "[package]\nname = \"serve\"\n")],
                "cargo build --release",
                "target/release/serve",
            ),
            (
                &[(
                    "Cargo.toml",
                    "[package]\nname = \"x\"\n[[bin]]\nname = \"serve\"\n",
                )],
                "cargo build --release",
                "target/release/serve",
            ),
            (
                &[
                    ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]"),
                    ("a/Cargo.toml", "[package]\nname = \"a\""),
                    ("b/Cargo.toml", "[package]\nname = \"serve\""),
                    ("b/src/main.rs", ""),
                ],
                "cargo build --release",
                "target/release/serve",
            ),
            (
                &[
                    ("go.mod", "module example.org/serve/v2\n"),
                    ("main.go", "package main"),
                ],
                "go build -o serve .",
                "serve",
            ),
            (
                &[
                    ("go.mod", "module example.org/x\n"),
                    ("cmd/serve/main.go", "package main"),
                ],
                "go build -o serve ./cmd/serve",
                "serve",
            ),
            (
                &[
                    ("configure.ac", "AC_INIT([serve], [1.0])"),
                    ("Makefile.am", "SUBDIRS = src"),
                    ("src/Makefile.am", "bin_PROGRAMS = serve other"),
                ],
                "autoreconf -i && ./configure && make -j$(nproc)",
                "src/serve",
            ),
            (
                &[("configure", "#!/bin/sh"), ("Makefile.in", "")],
                "./configure && make -j$(nproc)",
                "FILL",
            ),
            (
                &[
                    ("configure", "#!/bin/sh"),
                    (
                        "Makefile.in",
                        "all: serve$(X)\n.c.$(O):\n\t$(CC) -c -o $@ $<\nlib.a: a.o\n\tar rc $@ a.o\n\
                         serve$(X): a.o lib.a\n\t$(CC) $(LDFLAGS) -o serve$(X) a.o lib.a $(LIBS)\n",
                    ),
                ],
                "./configure && make -j$(nproc)",
                "serve",
            ),
            (
                &[
                    ("Rakefile", "task :default\n"),
                    ("Makefile", "all:\n\trake\n"),
                    ("gems/bin-serve/mrbgem.rake", "  spec.bins = %w(serve)\n"),
                ],
                "rake",
                "bin/serve",
            ),
            (
                &[("Rakefile", "file 'out/serve' => OBJECTS do |t|\nend\n")],
                "rake",
                "out/serve",
            ),
            (
                &[(
                    "Makefile",
                    "all: serve\n%.o: %.c\n\t$(CC) -c -o $@ $<\nserve: $(OBJECTS)\n\t$(CC) -o $@ $^ -lm\n",
                )],
                "make -j$(nproc)",
                "serve",
            ),
            (
                &[("Makefile", "PROG = serve\nall: $(PROG)\n")],
                "make -j$(nproc)",
                "serve",
            ),
            (
                &[("Makefile", "serve: a.o\n\t$(CC) -o bin/serve a.o\n")],
                "make -j$(nproc)",
                "bin/serve",
            ),
            (
                &[
                    ("MODULE.bazel", ""),
                    (
                        "src/BUILD",
                        "cc_library(name = \"l\")\ncc_binary(\n    name = \"serve\",\n)",
                    ),
                ],
                "bazel build -c opt //src:serve",
                "bazel-bin/src/serve",
            ),
        ] {
            if binary == "FILL" {
                let project = of(files);
                assert_eq!(project.build_command, command);
                assert_eq!(project.left_to_fill_in()[0], "program.binary");
                continue;
            }
            assert_eq!(
                found(files),
                (command.to_owned(), binary.to_owned()),
                "{files:?}"
            );
        }
    }

    #[test]
    fn a_tree_that_says_nothing_leaves_blanks_and_several_systems_are_named() {
        let left = of(&[("a.c", "")]).left_to_fill_in();
        assert_eq!(left[..2], ["program.binary", "build.command"]);
        let directory = tempfile::tempdir().unwrap();
        fs::write(
            directory.path().join("Cargo.toml"),
            "[package]\nname = \"p\"",
        )
        .unwrap();
        fs::write(directory.path().join("Makefile"), "all:\n").unwrap();
        let text = hone_toml("d", &look(directory.path()));
        assert!(
            text.contains("# make is here too:\n# command = \"make -j$(nproc)\"\n"),
            "{text}"
        );
    }
}
