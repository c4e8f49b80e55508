//! Texts of the exported files, by the toolchain that compiles the program.

use hone_build::{Toolchain, VariantFlags};

use crate::winner::Winner;
use hone_run::process::quote::quoted;
use hone_run::tools::ALLOCATORS;

/// Returns names and texts of the files; `root` is the directory of the files and the profiles, and `here` what the repository calls it.
pub(super) fn all(winner: &Winner, root: &str, here: &str) -> Vec<(&'static str, String)> {
    let mut files = match winner.flags.toolchain {
        Some(Toolchain::Rust) => vec![("cargo-config.toml", cargo_config(winner))],
        Some(Toolchain::Go) => vec![("build-env.sh", build_env(winner))],
        _ => vec![
            ("toolchain.cmake", cmake(winner, root)),
            ("flags.mk", makefile(winner, root)),
            ("hone.bazelrc", bazelrc(winner)),
        ],
    };
    files.push(("ci-job.yml", ci_job(winner, root, here)));
    files.push(("README.md", readme(winner, root, here)));
    files
}

fn header(winner: &Winner, comment: &str) -> String {
    format!(
        "{comment} {}: {}, measured {}.\n{comment} Written by hone export; write it anew after the next hone optimize.\n",
        winner.program, winner.variant, winner.gain
    )
}

/// Joins flags of one kind as words, with the directory of the file in place of its path.
fn words(flags: &[&[String]], root: &str, here: &str) -> String {
    let words: Vec<_> = flags
        .iter()
        .flat_map(|list| list.iter())
        .map(|flag| flag.replace(root, here))
        .collect();
    words.join(" ")
}

/// Returns the winner's flags, with the headers and archives of rebuilt libraries before those that are installed.
fn with_libraries(winner: &Winner) -> VariantFlags {
    let mut flags = winner.flags.clone();
    for rebuilt in winner.flags.dependencies.iter().rev() {
        let inside = |name: &str| rebuilt.prefix.join(name).display().to_string();
        flags.compile.insert(0, format!("-I{}", inside("include")));
        flags.link.insert(0, format!("-L{}", inside("lib")));
    }
    flags
}

/// Returns the words that links need beside the archives of rebuilt libraries; these words come last.
fn further_libraries(winner: &Winner) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in winner
        .flags
        .dependencies
        .iter()
        .flat_map(|rebuilt| &rebuilt.link)
    {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    words.join(" ")
}

fn cmake(winner: &Winner, root: &str) -> String {
    let flags = with_libraries(winner);
    let here = "${CMAKE_CURRENT_LIST_DIR}";
    let compile = words(&[&flags.compile], root, here);
    let link = words(&[&flags.link], root, here);
    let link_program = words(&[&flags.link, &flags.link_program], root, here);
    let further = further_libraries(winner);
    let tools = &winner.tools;
    let mut text = header(winner, "#");
    let mut set = |variable: &str, value: &str| {
        text += &format!("set({variable} \"{value}\")\n");
    };
    set("CMAKE_C_COMPILER", &tools.c);
    set("CMAKE_CXX_COMPILER", &tools.cxx);
    if flags.bitcode {
        set("CMAKE_AR", &tools.ar);
        set("CMAKE_RANLIB", &tools.ranlib);
    }
    for (variable, value) in [
        ("CMAKE_C_FLAGS_INIT", &compile),
        ("CMAKE_CXX_FLAGS_INIT", &compile),
        ("CMAKE_EXE_LINKER_FLAGS_INIT", &link_program),
        ("CMAKE_SHARED_LINKER_FLAGS_INIT", &link),
    ] {
        set(variable, value);
    }
    if !further.is_empty() {
        set("CMAKE_C_STANDARD_LIBRARIES_INIT", &further);
        set("CMAKE_CXX_STANDARD_LIBRARIES_INIT", &further);
    }
    for rebuilt in &flags.dependencies {
        let prefix = rebuilt.prefix.display().to_string().replace(root, here);
        text += &format!("list(PREPEND CMAKE_PREFIX_PATH \"{prefix}\")\n");
    }
    text + &for_programs(&flags)
}

fn makefile(winner: &Winner, root: &str) -> String {
    let flags = with_libraries(winner);
    let here = "$(HONE_DIR)";
    let compile = words(&[&flags.compile], root, here);
    let link = words(&[&flags.link, &flags.link_program], root, here);
    let further = further_libraries(winner);
    let tools = &winner.tools;
    let mut text = header(winner, "#");
    text += "HONE_DIR := $(dir $(lastword $(MAKEFILE_LIST)))\n";
    text += &format!("CC = {}\nCXX = {}\n", tools.c, tools.cxx);
    if flags.bitcode {
        text += &format!("AR = {}\nRANLIB = {}\n", tools.ar, tools.ranlib);
    }
    for variable in ["CFLAGS", "CXXFLAGS"] {
        text += &format!("{variable} += {compile}\n");
    }
    text += &for_programs(&flags);
    text += &format!("LDFLAGS += {link}\n");
    if !further.is_empty() {
        text += &format!("LDLIBS += {further}\n");
    }
    text
}

/// Returns options for builds without a wrapper; `hone wrap -- bazel build` does all of this and more. Bazel offers no
/// variable for the directory of the file, and links archives of others only where a rule names them.
fn bazelrc(winner: &Winner) -> String {
    let flags = &winner.flags;
    let mut text = header(winner, "#");
    text += "# In the .bazelrc of the workspace: import %workspace%/hone/hone.bazelrc; then bazel build --config=hone.\n";
    text += &format!("build:hone --repo_env=CC={}\n", winner.tools.c);
    let linked = flags.link.iter().chain(&flags.link_program);
    let options = flags.compile.iter().map(|flag| ("copt", flag));
    for (option, flag) in options.chain(linked.map(|flag| ("linkopt", flag))) {
        let quote = if flag.contains(char::is_whitespace) {
            "\""
        } else {
            ""
        };
        text += &format!("build:hone {quote}--{option}={flag}{quote}\n");
    }
    text + &for_programs(flags)
}

/// Returns a line on flags that are not for shared libraries.
fn for_programs(flags: &VariantFlags) -> String {
    if flags.compile_program.is_empty() {
        return String::new();
    }
    let flags = flags.compile_program.join(" ");
    format!("# For programs alone, not for shared libraries: {flags}\n")
}

fn cargo_config(winner: &Winner) -> String {
    let flags = &winner.flags;
    let all = [&flags.compile, &flags.link, &flags.link_program];
    let all: Vec<_> = all
        .into_iter()
        .flatten()
        .map(|flag| format!("{flag:?}"))
        .collect();
    let mut text = header(winner, "#");
    text += "# Copy it to .cargo/config.toml of the project.\n";
    text += &format!("[build]\nrustflags = [{}]\n", all.join(", "));
    // Cargo takes settings of the profile from its own table and not from [env].
    let of_profile = |name: &str| {
        name.strip_prefix("CARGO_PROFILE_RELEASE_")
            .map(str::to_owned)
    };
    let (profile, env): (Vec<_>, Vec<_>) = flags
        .build_env
        .iter()
        .partition(|(name, _)| of_profile(name).is_some());
    if !profile.is_empty() {
        text += "\n[profile.release]\n";
    }
    for (name, value) in profile {
        let key = of_profile(name).unwrap_or_default();
        let key = key.to_lowercase().replace('_', "-");
        let is_number = value.parse::<u32>().is_ok();
        let value = if is_number {
            value.clone()
        } else {
            format!("{value:?}")
        };
        text += &format!("{key} = {value}\n");
    }
    if !env.is_empty() {
        text += "\n[env]\n";
    }
    for (name, value) in env {
        text += &format!("{name} = {value:?}\n");
    }
    text
}

fn build_env(winner: &Winner) -> String {
    let mut text = header(winner, "#");
    for (name, value) in &winner.flags.build_env {
        let own = if name.ends_with("FLAGS") {
            format!("${{{name}:+${name} }}")
        } else {
            String::new()
        };
        text += &format!("export {name}=\"{own}{value}\"\n");
    }
    text
}

/// Returns a job for GitHub's runners, which installs what the build needs of Hone's; `here` is the directory of the files in the
/// repository.
fn ci_job(winner: &Winner, root: &str, here: &str) -> String {
    let mut text = header(winner, "#");
    text += "# Hone's package is where you keep it: make package in Hone's source writes it. Install what else the program needs in the first step.\n";
    text += "jobs:\n  build-optimised:\n    runs-on: ubuntu-latest\n    env:\n";
    text += "      HONE_PACKAGE: https://example.com/hone_amd64.deb\n";
    for (name, value) in &winner.build_env {
        text += &format!("      {name}: {value:?}\n");
    }
    text += "    steps:\n      - uses: actions/checkout@v4\n      - name: install hone and the tools of the winner\n        run: |\n";
    let packages = packages(winner).join(" ");
    let install = format!("sudo apt-get install -y ./hone.deb {packages}");
    let fetch = "curl -fsSL -o hone.deb \"$HONE_PACKAGE\"";
    text += &script(&["sudo apt-get update", fetch, install.trim_end()]);
    text += "      - name: build with the flags of the winner\n        run: |\n";
    let build = quoted(&winner.build_command);
    let build = format!("hone wrap --from {} -- sh -c {build}", quoted(here));
    let lines = winner.post_link.iter().map(|line| line.replace(root, here));
    let lines: Vec<String> = [build].into_iter().chain(lines).collect();
    text += &script(&lines);
    text
}

/// Formats lines as a block in a step of a job.
fn script(lines: &[impl AsRef<str>]) -> String {
    let lines = lines.iter().flat_map(|line| line.as_ref().lines());
    lines.map(|line| format!("          {line}\n")).collect()
}

/// Returns the packages of Debian and Ubuntu with the tools and libraries of the winner. Rust and Go come with the runner.
fn packages(winner: &Winner) -> Vec<String> {
    let flags = &winner.flags;
    let mut packages = Vec::new();
    let is_in_c = !matches!(flags.toolchain, Some(Toolchain::Rust | Toolchain::Go));
    let release = winner.tools.c.rsplit('/').next().unwrap_or_default();
    let release = release.strip_prefix("clang").unwrap_or_default();
    if is_in_c && flags.toolchain == Some(Toolchain::Gcc) {
        packages.extend(["gcc".into(), "g++".into()]);
    } else if is_in_c {
        packages.extend(["clang", "lld", "llvm"].map(|name| format!("{name}{release}")));
    }
    if !winner.post_link.is_empty() {
        packages.push(format!("bolt{release}"));
    }
    let mut words = flags.of_compilers().into_iter().flatten();
    let has = |part: &str| words.clone().any(|word| word.contains(part));
    let of_allocators = ALLOCATORS.iter().filter(|(_, library, _)| has(library));
    packages.extend(of_allocators.map(|(.., package)| (*package).to_owned()));
    if words.any(|word| word.contains("musl")) {
        packages.push("musl-tools".into());
    }
    packages
}

fn readme(winner: &Winner, root: &str, here: &str) -> String {
    let mut text = format!(
        "# {}: {}\n\nMeasured: {}. Ways to build it so:\n\n```sh\nhone wrap --from {} -- sh -c {}\n```\n\n",
        winner.program,
        winner.variant,
        winner.gain,
        quoted(here),
        quoted(&winner.build_command)
    );
    text += &match winner.flags.toolchain {
        Some(Toolchain::Rust) => {
            "or copy `cargo-config.toml` to `.cargo/config.toml`,\n".to_owned()
        }
        Some(Toolchain::Go) => format!("or `. {here}/build-env.sh` before the build,\n"),
        _ => format!(
            "or `cmake -DCMAKE_TOOLCHAIN_FILE={here}/toolchain.cmake`, or `include {here}/flags.mk` in a Makefile, or \
             `import %workspace%/{here}/hone.bazelrc` in `.bazelrc` and `bazel build --config=hone`,\n"
        ),
    };
    text += "or the job in `ci-job.yml`.\n\n";
    text += "Where the build sets its compiler or its flags itself (`make CC=...`), only `hone wrap` brings all of them in: \
        look at what the build prints.\n\n";
    if !winner.post_link.is_empty() {
        text += &format!(
            "After the link:\n\n```sh\n{}\n```\n\n",
            winner.post_link.join("\n").replace(root, here)
        );
    }
    for rebuilt in &winner.flags.dependencies {
        text += &format!(
            "The rebuilt `libraries/{name}` takes the place of the installed library: by `hone wrap` always, by \
             `toolchain.cmake` and `flags.mk` where the build looks for it by its name (`-l{library}`, \
             `find_library`). Where it names the installed one by its path, and with Bazel, name \
             `libraries/{name}/lib/lib{library}.a` in its place.\n\n",
            name = rebuilt.name,
            library = rebuilt.library
        );
    }
    for (name, value) in &winner.flags.run_env {
        text += &format!("The program runs with `{name}={value}`.\n\n");
    }
    text += "What deploying it means:\n\n";
    for sentence in &winner.deploy {
        text += &format!("- {sentence}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::winner::ToolNames;
    use hone_build::Rebuilt;

    fn winner() -> Winner {
        let list = |text: &str| text.split(' ').map(String::from).collect();
        Winner {
            program: "prog".into(),
            variant: "thinlto+autofdo+zlib-rebuilt".into(),
            gain: "1.2x [1.1, 1.3]".into(),
            build_command: "make".into(),
            build_env: Default::default(),
            binary: "prog".into(),
            flags: VariantFlags {
                toolchain: Some(Toolchain::Clang),
                compile: list("-flto=thin -fprofile-sample-use=/out/profiles/a.prof"),
                compile_program: list("-fno-pic"),
                link: list("-fuse-ld=lld -Wl,-z,now"),
                link_program: list("-no-pie"),
                bitcode: true,
                dependencies: vec![Rebuilt {
                    name: "zlib".into(),
                    library: "z".into(),
                    prefix: "/out/libraries/zlib".into(),
                    archive: "/out/libraries/zlib/lib/libz.a".into(),
                    link: list("-lm"),
                    with_levers: true,
                }],
                ..VariantFlags::default()
            },
            post_link: Vec::new(),
            profiles: Vec::new(),
            deploy: Vec::new(),
            tools: ToolNames {
                c: "clang-17".into(),
                cxx: "/opt/llvm/bin/clang++".into(),
                ar: "llvm-ar-17".into(),
                ranlib: "llvm-ranlib-17".into(),
            },
        }
    }

    fn text(name: &str) -> String {
        text_of(&winner(), name)
    }

    fn text_of(winner: &Winner, name: &str) -> String {
        let files = all(winner, "/out", "ci/hone");
        let (_, text) = files.iter().find(|(file, _)| *file == name).unwrap();
        let lines: Vec<_> = text.lines().skip(2).collect();
        lines.join("\n") + "\n"
    }

    #[test]
    fn cmake_gets_the_tools_that_were_used_and_the_rebuilt_libraries() {
        assert_eq!(
            text("toolchain.cmake"),
            r#"set(CMAKE_C_COMPILER "clang-17")
set(CMAKE_CXX_COMPILER "/opt/llvm/bin/clang++")
set(CMAKE_AR "llvm-ar-17")
set(CMAKE_RANLIB "llvm-ranlib-17")
set(CMAKE_C_FLAGS_INIT "-I${CMAKE_CURRENT_LIST_DIR}/libraries/zlib/include -flto=thin -fprofile-sample-use=${CMAKE_CURRENT_LIST_DIR}/profiles/a.prof")
set(CMAKE_CXX_FLAGS_INIT "-I${CMAKE_CURRENT_LIST_DIR}/libraries/zlib/include -flto=thin -fprofile-sample-use=${CMAKE_CURRENT_LIST_DIR}/profiles/a.prof")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L${CMAKE_CURRENT_LIST_DIR}/libraries/zlib/lib -fuse-ld=lld -Wl,-z,now -no-pie")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-L${CMAKE_CURRENT_LIST_DIR}/libraries/zlib/lib -fuse-ld=lld -Wl,-z,now")
set(CMAKE_C_STANDARD_LIBRARIES_INIT "-lm")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-lm")
list(PREPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}/libraries/zlib")
# For programs alone, not for shared libraries: -fno-pic
"#
        );
    }

    #[test]
    fn make_gets_them_too() {
        assert_eq!(
            text("flags.mk"),
            r"HONE_DIR := $(dir $(lastword $(MAKEFILE_LIST)))
CC = clang-17
CXX = /opt/llvm/bin/clang++
AR = llvm-ar-17
RANLIB = llvm-ranlib-17
CFLAGS += -I$(HONE_DIR)/libraries/zlib/include -flto=thin -fprofile-sample-use=$(HONE_DIR)/profiles/a.prof
CXXFLAGS += -I$(HONE_DIR)/libraries/zlib/include -flto=thin -fprofile-sample-use=$(HONE_DIR)/profiles/a.prof
# For programs alone, not for shared libraries: -fno-pic
LDFLAGS += -L$(HONE_DIR)/libraries/zlib/lib -fuse-ld=lld -Wl,-z,now -no-pie
LDLIBS += -lm
"
        );
    }

    #[test]
    fn bazel_gets_an_option_for_each_flag() {
        assert_eq!(
            text("hone.bazelrc"),
            r#"# In the .bazelrc of the workspace: import %workspace%/hone/hone.bazelrc; then bazel build --config=hone.
build:hone --repo_env=CC=clang-17
build:hone --copt=-flto=thin
build:hone --copt=-fprofile-sample-use=/out/profiles/a.prof
build:hone --linkopt=-fuse-ld=lld
build:hone --linkopt=-Wl,-z,now
build:hone --linkopt=-no-pie
# For programs alone, not for shared libraries: -fno-pic
"#
        );
    }

    #[test]
    fn a_job_installs_what_it_runs_and_names_no_path_of_this_machine() {
        let mut winner = winner();
        winner.build_command = "make 'A=b c' -j2 &&\nmake check".into();
        winner.build_env = [("CFLAGS".to_owned(), "-O2 -g".to_owned())].into();
        winner.flags.link_program.push("-lmimalloc".into());
        let bolt = "llvm-bolt-17 prog -o prog.bolt -data=/out/profiles/a.fdata";
        winner.post_link = vec![bolt.into()];
        let text = text_of(&winner, "ci-job.yml");
        assert!(!text.contains("/out"), "{text}");
        let expected = r#"jobs:
  build-optimised:
    runs-on: ubuntu-latest
    env:
      HONE_PACKAGE: https://example.com/hone_amd64.deb
      CFLAGS: "-O2 -g"
    steps:
      - uses: actions/checkout@v4
      - name: install hone and the tools of the winner
        run: |
          sudo apt-get update
          curl -fsSL -o hone.deb "$HONE_PACKAGE"
          sudo apt-get install -y ./hone.deb clang-17 lld-17 llvm-17 bolt-17 libmimalloc-dev
      - name: build with the flags of the winner
        run: |
          hone wrap --from ci/hone -- sh -c 'make '\''A=b c'\'' -j2 &&
          make check'
          llvm-bolt-17 prog -o prog.bolt -data=ci/hone/profiles/a.fdata
"#;
        assert!(text.ends_with(expected), "{text}");
        let readme = text_of(&winner, "README.md");
        assert!(
            readme.contains("hone wrap --from ci/hone -- sh -c "),
            "{readme}"
        );
        assert!(!readme.contains("/out"), "{readme}");
    }
}
