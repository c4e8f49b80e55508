//! Facts about installed software: compilers, linkers, BOLT, allocators.

use std::path::PathBuf;

use hone_files::files::in_path;
use hone_files::{companions, libraries};
use hone_run::tools::{self, Tool, Tools};

use super::facts::Fact;

/// Release of LLVM that is advised if none is installed.
const ADVISED_MAJOR: u32 = 19;

/// Oldest release of LLVM whose sample-profile flags Hone's levers rely on.
const MAJOR_MIN: u32 = 15;

/// Returns the facts about installed software. `debian` decides how mends are worded.
pub(crate) fn facts(found: &Tools, debian: bool) -> Vec<Fact> {
    let install = Install {
        debian,
        major: found.major().unwrap_or(ADVISED_MAJOR),
    };
    let mut facts = vec![
        perf(install),
        compiler("clang", "clang", &found.clang, "clang", install),
        compiler("clangxx", "clang++", &found.clangxx, "clang", install),
        compiler("lld", "lld", &found.lld, "lld", install),
        compiler(
            "llvm_profdata",
            "llvm-profdata",
            &found.llvm_profdata,
            "llvm",
            install,
        ),
        compiler("llvm_ar", "llvm-ar", &found.llvm_ar, "llvm", install),
        compiler("llvm_bolt", "llvm-bolt", &found.llvm_bolt, "bolt", install),
        bolt_runtime(found, install),
    ];
    facts.extend(tools::ALLOCATORS.map(|one| allocator(one, install)));
    facts.push(musl(found, install));
    let urls = std::env::var("DEBUGINFOD_URLS").ok();
    facts.push(debuginfod(urls.as_deref()));
    facts.push(companion("hone_agent", "hone-agent (optional)", "agent"));
    facts.push(companion("hone_thrift", "hone-thrift (optional)", "thrift"));
    facts
}

/// Way to install software on this machine.
#[derive(Clone, Copy)]
struct Install {
    debian: bool,
    major: u32,
}

impl Install {
    fn package(self, name: &str) -> String {
        if self.debian {
            format!("apt-get install {name}")
        } else {
            format!("install it with your package manager (Debian's package: {name})")
        }
    }

    /// Returns the command for a package that exists once per LLVM release.
    fn release(self, stem: &str) -> String {
        self.package(&format!("{stem}-{}", self.major))
    }
}

/// Returns the fact about a binary of Hone's own, which `hone NAME` runs.
fn companion(id: &'static str, title: &'static str, name: &str) -> Fact {
    match companions::find(format!("hone-{name}").as_ref()) {
        Some(path) => Fact::ok(id, title, path.display().to_string()),
        None => Fact::missing(
            id,
            title,
            format!("not beside hone and not in PATH, so hone {name} does not run"),
            companions::how_to_build(name).unwrap_or_default(),
        ),
    }
}

fn perf(install: Install) -> Fact {
    const ID: &str = "perf";
    const TITLE: &str = "perf (optional)";
    match in_path("perf") {
        Some(path) => {
            let version = tools::version_line(&path);
            Fact::ok(
                ID,
                TITLE,
                version.unwrap_or_else(|| path.display().to_string()),
            )
        }
        None => {
            let mend = format!(
                "Hone does without; to read recordings with it: {}",
                install.package("linux-perf")
            );
            Fact::missing(ID, TITLE, "not in PATH", mend)
        }
    }
}

fn compiler(
    id: &'static str,
    title: &'static str,
    tool: &Option<Tool>,
    stem: &str,
    install: Install,
) -> Fact {
    match tool {
        Some(tool) if tool.major < MAJOR_MIN => Fact::limited(
            id,
            title,
            shown(tool),
            format!(
                "older than LLVM {MAJOR_MIN}: {}",
                Install {
                    major: ADVISED_MAJOR,
                    ..install
                }
                .release(stem)
            ),
        ),
        Some(tool) => Fact::ok(id, title, shown(tool)),
        None => {
            let fact = format!(
                "none of LLVM {} in PATH or /usr/lib/llvm-*/bin",
                install.major
            );
            Fact::missing(id, title, fact, install.release(stem))
        }
    }
}

fn bolt_runtime(found: &Tools, install: Install) -> Fact {
    const ID: &str = "bolt_runtime";
    const TITLE: &str = "BOLT's instrumentation runtime";
    match (&found.bolt_instrumentation_runtime, &found.llvm_bolt) {
        (Some(runtime), _) => Fact::ok(ID, TITLE, tools::bolt_runtime_argument(runtime)),
        (None, bolt) => {
            let stem = format!("libbolt-{}-dev", install.major);
            let fact = if bolt.is_some() {
                "llvm-bolt is there, libbolt_rt_instr.a is not"
            } else {
                "not found"
            };
            Fact::missing(ID, TITLE, fact, install.package(&stem))
        }
    }
}

/// Returns the fact about an allocator, under the name of the library that levers link, or under its own name.
fn allocator((name, library, package): (&'static str, &str, &str), install: Install) -> Fact {
    let any = |find: fn(&str) -> Option<PathBuf>| {
        let found = find(library).or_else(|| find(name));
        found.map(Tool::of_library)
    };
    from_libraries(
        name,
        name,
        any(libraries::for_linking),
        any(libraries::for_running),
        &install.package(package),
    )
}

fn from_libraries(
    id: &'static str,
    title: &'static str,
    linking: Option<Tool>,
    running: Option<Tool>,
    install: &str,
) -> Fact {
    match (linking, running) {
        (Some(library), _) => Fact::ok(id, title, library.path.display().to_string()),
        (None, Some(library)) => Fact::limited(
            id,
            title,
            format!("{}, but nothing to link with", library.path.display()),
            install,
        ),
        (None, None) => Fact::missing(id, title, "not found", install),
    }
}

fn musl(found: &Tools, install: Install) -> Fact {
    const ID: &str = "musl";
    const TITLE: &str = "musl (optional)";
    match &found.musl {
        Some(library) => Fact::ok(ID, TITLE, library.path.display().to_string()),
        None => Fact::missing(ID, TITLE, "not found", install.package("musl-tools")),
    }
}

fn debuginfod(urls: Option<&str>) -> Fact {
    const ID: &str = "debuginfod";
    const TITLE: &str = "debuginfod (optional)";
    match urls.map(str::trim) {
        Some(urls) if !urls.is_empty() => Fact::ok(ID, TITLE, urls),
        _ => Fact::missing(
            ID,
            TITLE,
            "DEBUGINFOD_URLS is not set",
            "to give hone and debuggers the debug information of system libraries: \
             export DEBUGINFOD_URLS=https://debuginfod.elfutils.org/",
        ),
    }
}

fn shown(tool: &Tool) -> String {
    format!("{}, {}", tool.version, tool.path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::facts::Status;

    const DEBIAN: Install = Install {
        debian: true,
        major: 19,
    };

    fn tool(major: u32) -> Option<Tool> {
        Some(Tool {
            path: "/usr/bin/x".into(),
            version: format!("version {major}.1.0"),
            major,
        })
    }

    #[test]
    fn mends_are_apt_lines_on_debian_and_words_elsewhere() {
        let fact = compiler("lld", "lld", &None, "lld", DEBIAN);
        assert_eq!(fact.mend.as_deref(), Some("apt-get install lld-19"));
        let elsewhere = compiler(
            "lld",
            "lld",
            &None,
            "lld",
            Install {
                debian: false,
                ..DEBIAN
            },
        );
        let mend = elsewhere.mend.unwrap();
        assert!(
            mend.contains("lld-19") && !mend.contains("apt-get"),
            "{mend}"
        );
    }

    #[test]
    fn what_is_missing_is_advised_in_the_release_that_is_there() {
        let found = Tools {
            clang: tool(17),
            ..Tools::default()
        };
        let facts = facts(&found, true);
        let lld = facts.iter().find(|fact| fact.id == "lld").unwrap();
        assert_eq!(lld.mend.as_deref(), Some("apt-get install lld-17"));
    }

    #[test]
    fn an_old_compiler_is_limited() {
        let fact = compiler(
            "clang",
            "clang",
            &tool(14),
            "clang",
            Install {
                major: 14,
                ..DEBIAN
            },
        );
        assert_eq!(fact.status, Status::Limited);
        assert!(fact.mend.unwrap().ends_with("apt-get install clang-19"));
    }

    #[test]
    fn bolt_without_its_runtime_names_the_package() {
        let found = Tools {
            llvm_bolt: tool(19),
            ..Tools::default()
        };
        let fact = bolt_runtime(&found, DEBIAN);
        assert_eq!(fact.fact, "llvm-bolt is there, libbolt_rt_instr.a is not");
        assert_eq!(fact.mend.as_deref(), Some("apt-get install libbolt-19-dev"));
    }

    #[test]
    fn a_library_without_its_linker_name_is_limited() {
        let fact = from_libraries("mimalloc", "mimalloc", None, tool(2), "apt-get install it");
        assert_eq!(fact.status, Status::Limited);
        assert_eq!(fact.mend.as_deref(), Some("apt-get install it"));
    }

    #[test]
    fn an_empty_list_of_servers_is_none() {
        assert_eq!(debuginfod(Some(" ")).status, Status::Missing);
        assert_eq!(debuginfod(None).status, Status::Missing);
        let fact = debuginfod(Some("https://a https://b"));
        assert_eq!(
            (fact.status, fact.fact.as_str()),
            (Status::Ok, "https://a https://b")
        );
    }
}
