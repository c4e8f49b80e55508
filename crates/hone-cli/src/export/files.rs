//! The texts of the exported files, by what compiles the program.

use hone_build::Toolchain;

use crate::winner::Winner;

/// Names and texts; `root` is the directory that they and the profiles lie in.
pub(super) fn all(winner: &Winner, root: &str) -> Vec<(&'static str, String)> {
    let mut files = match winner.flags.toolchain {
        Some(Toolchain::Rust) => vec![("cargo-config.toml", cargo_config(winner))],
        Some(Toolchain::Go) => vec![("build-env.sh", build_env(winner))],
        _ => vec![
            ("toolchain.cmake", cmake(winner, root)),
            ("flags.mk", makefile(winner, root)),
        ],
    };
    files.push(("ci-job.yml", ci_job(winner)));
    files.push(("README.md", readme(winner)));
    files
}

fn header(winner: &Winner, comment: &str) -> String {
    format!(
        "{comment} {}: {}, measured {}.\n{comment} Written by hone export; write it anew after the next hone optimize.\n",
        winner.program, winner.variant, winner.gain
    )
}

/// Flags of one kind as words, with the directory of the file in place of its path.
fn words(flags: &[&[String]], root: &str, here: &str) -> String {
    let words: Vec<_> = flags
        .iter()
        .flat_map(|list| list.iter())
        .map(|flag| flag.replace(root, here))
        .collect();
    words.join(" ")
}

fn compilers(winner: &Winner) -> [&'static str; 2] {
    match winner.flags.toolchain {
        Some(Toolchain::Gcc) => ["gcc", "g++"],
        _ => ["clang-19", "clang++-19"],
    }
}

fn cmake(winner: &Winner, root: &str) -> String {
    let flags = &winner.flags;
    let here = "${CMAKE_CURRENT_LIST_DIR}";
    let [c, cxx] = compilers(winner);
    let compile = words(&[&flags.compile], root, here);
    let program = words(&[&flags.compile_program], root, here);
    let link = words(&[&flags.link], root, here);
    let link_program = words(&[&flags.link, &flags.link_program], root, here);
    let mut text = header(winner, "#");
    text += &format!("set(CMAKE_C_COMPILER {c})\nset(CMAKE_CXX_COMPILER {cxx})\n");
    if flags.bitcode {
        text += "set(CMAKE_AR /usr/bin/llvm-ar-19)\nset(CMAKE_RANLIB /usr/bin/llvm-ranlib-19)\n";
    }
    for (variable, value) in [
        ("CMAKE_C_FLAGS_INIT", &compile),
        ("CMAKE_CXX_FLAGS_INIT", &compile),
        ("CMAKE_EXE_LINKER_FLAGS_INIT", &link_program),
        ("CMAKE_SHARED_LINKER_FLAGS_INIT", &link),
    ] {
        text += &format!("set({variable} \"{value}\")\n");
    }
    if !program.is_empty() {
        text += &format!("# For programs alone, not for shared libraries: {program}\n");
    }
    text
}

fn makefile(winner: &Winner, root: &str) -> String {
    let flags = &winner.flags;
    let here = "$(HONE_DIR)";
    let [c, cxx] = compilers(winner);
    let compile = words(&[&flags.compile], root, here);
    let program = words(&[&flags.compile_program], root, here);
    let link = words(&[&flags.link, &flags.link_program], root, here);
    let mut text = header(winner, "#");
    text += "HONE_DIR := $(dir $(lastword $(MAKEFILE_LIST)))\n";
    text += &format!("CC = {c}\nCXX = {cxx}\n");
    if flags.bitcode {
        text += "AR = llvm-ar-19\nRANLIB = llvm-ranlib-19\n";
    }
    for variable in ["CFLAGS", "CXXFLAGS"] {
        text += &format!("{variable} += {compile}\n");
    }
    if !program.is_empty() {
        text += &format!("# For programs alone, not for shared libraries: {program}\n");
    }
    text + &format!("LDFLAGS += {link}\n")
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

fn ci_job(winner: &Winner) -> String {
    let mut text = header(winner, "#");
    text += "jobs:\n  build-optimised:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n";
    text += "      - name: build with the flags of the winner\n        run: |\n";
    text += &format!(
        "          hone wrap --from hone -- sh -c {:?}\n",
        winner.build_command
    );
    for line in &winner.post_link {
        text += &format!("          {line}\n");
    }
    text
}

fn readme(winner: &Winner) -> String {
    let mut text = format!(
        "# {}: {}\n\nMeasured: {}. Three ways to build it so:\n\n```sh\nhone wrap --from hone -- {}\n```\n\n",
        winner.program, winner.variant, winner.gain, winner.build_command
    );
    text += match winner.flags.toolchain {
        Some(Toolchain::Rust) => "or copy `cargo-config.toml` to `.cargo/config.toml`,\n",
        Some(Toolchain::Go) => "or `. hone/build-env.sh` before the build,\n",
        _ => {
            "or `cmake -DCMAKE_TOOLCHAIN_FILE=hone/toolchain.cmake`, or `include hone/flags.mk` in a Makefile,\n"
        }
    };
    text += "or the job in `ci-job.yml`.\n\n";
    if !winner.post_link.is_empty() {
        text += &format!(
            "After the link:\n\n```sh\n{}\n```\n\n",
            winner.post_link.join("\n")
        );
    }
    for rebuilt in &winner.flags.dependencies {
        text += &format!(
            "`hone wrap` links the rebuilt `libraries/{name}` in place of `-l{library}`. In the other two ways, do so \
             yourself: name `libraries/{name}/lib/lib{library}.a` in its place.\n\n",
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
