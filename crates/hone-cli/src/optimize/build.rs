//! Builds a variant: copies the source, runs the user's build command behind the compiler wrapper, checks
//! the result and moves the tree to its place.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use hone_build::calls;
use hone_build::wrapper::{ARCHIVE_NAMES, COMPILER_NAMES, CONFIG_VARIABLE, WrapConfig, plain_name};
use hone_build::{VariantFlags, variant::Purpose};

use super::Run;
use super::shell::{self, Shell};
use super::workspace::{Built, utf8};
use crate::advice::Advise;
use crate::files::write_whole;

/// One build to make: its name under `.hone/variants/` and its flags.
pub(super) struct Order {
    pub(super) name: String,
    pub(super) flags: VariantFlags,
    pub(super) purpose: Purpose,
}

/// Makes a build, unless it is finished already. A failure is remembered, so that a resumed run does not
/// try again.
pub(super) fn build(run: &mut Run, order: &Order) -> Result<Built> {
    finished_or(run, &order.name, |run| {
        let began = Instant::now();
        let tree = run.workspace.clear_build()?;
        run.source.copy_to(&tree)?;
        remove_old_binary(&tree.join(&run.project.binary))?;
        compile(run, order, &tree)?;
        check_binary(run, &tree)?;
        if order.purpose != Purpose::Instrument {
            check(run, &order.name, &tree)?;
        }
        keep(
            run,
            order.name.clone(),
            order.flags.clone(),
            Vec::new(),
            began,
        )
    })
}

/// A binary that came along with the source must not be taken for the build's.
fn remove_old_binary(binary: &Path) -> Result<()> {
    match fs::remove_file(binary) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| binary.display().to_string())
        }
        _ => Ok(()),
    }
}

/// Gives what an earlier run finished, or does the work and remembers how it ended.
pub(super) fn finished_or(
    run: &mut Run,
    name: &str,
    work: impl FnOnce(&mut Run) -> Result<Built>,
) -> Result<Built> {
    if let Some(built) = run.workspace.state.built.get(name) {
        return Ok(built.clone());
    }
    if let Some(reason) = run.workspace.state.failed.get(name) {
        return Err(anyhow!("{reason}"));
    }
    let outcome = work(run);
    if let Err(error) = &outcome {
        run.check_interrupted()?;
        run.workspace
            .state
            .failed
            .insert(name.into(), format!("{error:#}"));
    }
    run.workspace.save()?;
    outcome
}

/// Moves `.hone/build` to its place and notes the facts of its binary.
pub(super) fn keep(
    run: &mut Run,
    name: String,
    flags: VariantFlags,
    post_link: Vec<String>,
    began: Instant,
) -> Result<Built> {
    let tree = run.workspace.keep_build(&name)?;
    let binary = tree.join(&run.project.binary);
    let bytes = fs::read(&binary).with_context(|| binary.display().to_string())?;
    let text_bytes = hone_symbols::Binary::parse(&bytes)
        .map(|elf| elf.text_size())
        .with_context(|| binary.display().to_string())?;
    let built = Built {
        name: name.clone(),
        flags,
        post_link,
        build_s: began.elapsed().as_secs_f64(),
        file_bytes: bytes.len() as u64,
        text_bytes,
    };
    run.workspace.state.built.insert(name, built.clone());
    Ok(built)
}

/// Runs the user's check on the tree in `.hone/build`.
pub(super) fn check(run: &Run, name: &str, tree: &Path) -> Result<()> {
    let Some(command) = &run.project.check_command else {
        return Ok(());
    };
    let command = shell::with_binary(command, &tree.join(&run.project.binary))?;
    let log = run.workspace.path(format!("logs/{name}.check.log"));
    let shell = Shell {
        command: &command,
        cwd: tree,
        env: &run.project.build_env,
        log: &log,
    };
    shell
        .run_beside_server(&run.project)
        .context("the check command failed")
        .next(format!(
            "read {}; a variant that fails the project's own check is never measured",
            log.display()
        ))
}

fn compile(run: &Run, order: &Order, tree: &Path) -> Result<()> {
    let wrapper = run.workspace.path("wrapper");
    let calls = run.workspace.path(format!("logs/{}.calls.log", order.name));
    let config = wrap_config(run, order, &wrapper, &calls)?;
    install_wrapper(&config, &wrapper)?;
    if calls.exists() {
        fs::remove_file(&calls).context("logs")?;
    }
    let log = run.workspace.path(format!("logs/{}.build.log", order.name));
    let environment = build_environment(run, &config, &wrapper)?;
    let command = &run.project.build_command;
    Shell {
        command,
        cwd: tree,
        env: &environment,
        log: &log,
    }
    .run()
    .context("the build command failed")
    .next(format!("read {}", log.display()))?;
    all_came_by(&fs::read_to_string(&calls).unwrap_or_default())
}

/// A build, or a part of it, whose compiler was not wrapped would be measured without the variant's flags.
fn all_came_by(log: &str) -> Result<()> {
    let seen = calls::seen(log);
    let fact = match (seen.compilation, seen.program) {
        (true, true) => return Ok(()),
        (false, false) => "the build called no compiler that Hone could see",
        (false, true) => "the build linked its program, but Hone saw no source being compiled",
        (true, false) => "the build compiled its source, but Hone saw no program being linked",
    };
    Err(anyhow!(fact)).next(
        "call compilers by name (cc, clang++-19) or through $CC and $CXX, in every Makefile and toolchain \
         file: one that is called by its absolute path gets none of a lever's flags",
    )
}

fn check_binary(run: &Run, tree: &Path) -> Result<()> {
    let binary = tree.join(&run.project.binary);
    let is_program = binary
        .metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0);
    if !is_program {
        return Err(anyhow!(
            "the build ended well, but {} is no program",
            run.project.binary.display()
        ))
        .next("set program.binary in hone.toml to what the build command makes");
    }
    Ok(())
}

fn wrap_config(run: &Run, order: &Order, wrapper: &Path, log: &Path) -> Result<WrapConfig> {
    let tools = &run.tools;
    let path =
        |tool: &Option<crate::doctor::tools::Tool>| tool.as_ref().map(|tool| tool.path.clone());
    let archive_tools = [
        ("ar", &tools.llvm_ar),
        ("ranlib", &tools.llvm_ranlib),
        ("nm", &tools.llvm_nm),
    ]
    .into_iter()
    .filter_map(|(name, tool)| Some((name.to_string(), path(tool)?)))
    .collect();
    let layout = match run.layout_seed {
        Some(seed) => {
            let gap = wrapper.with_extension("gap.s");
            write_whole(&gap, hone_build::layout::gap_source(seed).as_bytes())?;
            Some((seed, gap))
        }
        None => None,
    };
    let mut real = wrapped_tools(&search_path(run), wrapper);
    for value in ["CC", "CXX"].iter().filter_map(|name| variable(run, name)) {
        real.extend(compilers_by_path(&value));
    }
    Ok(WrapConfig {
        real,
        clang: path(&tools.clang),
        clangxx: path(&tools.clangxx),
        archive_tools,
        flags: order.flags.clone(),
        layout,
        log: log.into(),
    })
}

/// Every tool in PATH whose plain name is one that is wrapped: `g++`, `clang-19`, `llvm-ar-19`...
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
            if COMPILER_NAMES.contains(&plain) || ARCHIVE_NAMES.contains(&plain) {
                real.entry(name).or_insert_with(|| entry.path());
            }
        }
    }
    real
}

/// The compilers that a value of CC or CXX, such as `ccache /opt/llvm/bin/clang -m64`, holds by their path.
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

/// The same value with names for paths.
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

/// A variable as the build sees it.
fn variable(run: &Run, name: &str) -> Option<String> {
    let own = run.project.build_env.get(name).cloned();
    own.or_else(|| env::var(name).ok())
}

/// PATH as the build sees it.
fn search_path(run: &Run) -> String {
    variable(run, "PATH").unwrap_or_default()
}

fn install_wrapper(config: &WrapConfig, wrapper: &Path) -> Result<()> {
    if wrapper.exists() {
        fs::remove_dir_all(wrapper).context("wrapper")?;
    }
    fs::create_dir_all(wrapper).context("wrapper")?;
    let hone = env::current_exe().context("the path of hone itself")?;
    for name in config.real.keys() {
        symlink(&hone, wrapper.join(name)).with_context(|| format!("wrapper/{name}"))?;
    }
    write_whole(
        &wrapper.join("config.json"),
        &serde_json::to_vec_pretty(config)?,
    )
}

fn build_environment(
    run: &Run,
    config: &WrapConfig,
    wrapper: &Path,
) -> Result<BTreeMap<String, String>> {
    let mut environment = run.project.build_env.clone();
    let path = search_path(run);
    environment.insert("PATH".into(), format!("{}:{path}", utf8(wrapper)?));
    environment.insert(
        CONFIG_VARIABLE.into(),
        utf8(&wrapper.join("config.json"))?.into(),
    );
    environment.insert("CCACHE_DISABLE".into(), "1".into());
    // `make` knows CC and CXX by default; meson and cmake look for names in PATH, which are ours by now.
    for (name, usual) in [("CC", "cc"), ("CXX", "c++")] {
        match variable(run, name) {
            // By its path a compiler would pass by its wrapper.
            Some(value) => {
                environment.insert(name.into(), by_name(&value));
            }
            None if config.real.contains_key(usual) => {
                environment.insert(name.into(), usual.into());
            }
            None => {}
        }
    }
    Ok(environment)
}
