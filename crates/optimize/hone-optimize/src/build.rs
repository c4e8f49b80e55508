//! Builds a variant: copies the source, runs the user's build command behind the compiler wrapper, checks
//! the result and moves the tree to its place.

pub(crate) mod bolt;
pub(crate) mod bypass;
pub(crate) mod dependency;
pub(crate) mod layouts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use hone_build::calls::{self, Seen};
use hone_build::{BuildKey, Lever, Purpose, Toolchain, Variant, VariantFlags};

use crate::command::shell::{self, Shell};
use crate::command::{limit, output};
use crate::progress;
use crate::run::Run;
use crate::workspace::state::{Built, Profiles};
use crate::workspace::{OBJECTS, empty_directory, remove};
use hone_files::advice::Advise;
use hone_files::files::{copy_tree, is_program};
use hone_wrap::bazel;
use hone_wrap::install::Wrapped;

/// One build to make.
pub(crate) struct Order {
    pub(crate) key: BuildKey,
    pub(crate) flags: VariantFlags,
}

impl Order {
    /// Order of a variant's build for a purpose, with the profiles of its levers.
    pub(crate) fn new(run: &Run, variant: &Variant, purpose: Purpose, profiles: &Profiles) -> Self {
        Self {
            key: BuildKey::new(variant, purpose),
            flags: variant.flags(purpose, &run.inputs(profiles)),
        }
    }

    /// Order of the variant below a lever of the post-link step, linked as llvm-bolt needs it: by flags of that lever.
    pub(crate) fn to_rewrite(
        run: &Run,
        below: &Variant,
        lever: &'static Lever,
        profiles: &Profiles,
    ) -> Self {
        Self {
            key: BuildKey::new(below, Purpose::Relink),
            ..Self::new(run, &below.with(lever), Purpose::Relink, profiles)
        }
    }

    /// Directory for the IR of the build's sources and of the dependencies that are built for it, if the IR is kept.
    pub(crate) fn ir(&self, run: &Run) -> Option<PathBuf> {
        (self.key.purpose() == Purpose::KeepIr).then(|| run.workspace.ir(&self.key.to_string()))
    }

    /// True if objects may be shared with other builds: objects with counters or probes fit no other build.
    pub(crate) fn keeps_objects(&self) -> bool {
        match self.key.purpose() {
            Purpose::Baseline | Purpose::Use | Purpose::Record => true,
            Purpose::Relink | Purpose::MapBlocks | Purpose::KeepIr => true,
            Purpose::Probe | Purpose::Instrument | Purpose::InstrumentContext => false,
        }
    }
}

/// Makes a build, unless it is finished already. A failure is remembered, so that a resumed run does not
/// try again.
pub(crate) fn build(run: &mut Run, order: &Order) -> Result<Built> {
    finished_or(run, &order.key, |run| {
        let began = run.elapsed();
        let tree = compile_source(run, order)?;
        if order.key.purpose() != Purpose::Instrument {
            check(run, &order.key, &tree)?;
        }
        keep(run, Made::by(order), began)
    })
}

/// Builds a fresh copy of the source in `.hone/build`.
pub(crate) fn compile_source(run: &mut Run, order: &Order) -> Result<PathBuf> {
    let (tree, mut seen) = compile_copy(run, order)?;
    // Go gets its levers through the environment; its compiler is not called by name.
    if run.toolchain != Toolchain::Go
        && let Err(bypassed) = all_came_by(&seen)
    {
        seen = bypass::with_named_compilers(run, order, &tree, bypassed)?;
    }
    dependency::all_linked(run, order)?;
    tell_kept(run, order, &seen);
    Ok(tree)
}

/// Copies the source to `.hone/build` and compiles it; returns its place and the calls that the wrappers saw.
fn compile_copy(run: &mut Run, order: &Order) -> Result<(PathBuf, Seen)> {
    let tree = run.workspace.clear_build()?;
    if let Some(ir) = order.ir(run) {
        // Files of an interrupted build may be of other sources.
        empty_directory(&ir)?;
    }
    run.source.copy_to(&tree)?;
    // A binary that came along with the source must not be taken for the build's.
    remove(&tree.join(&run.project.binary))?;
    dependency::build_all(run, order)?;
    let seen = compile(run, order, &tree)?;
    Ok((tree, seen))
}

/// Reports whose objects a build took instead of compiling, and remembers a build that compiled nothing.
fn tell_kept(run: &mut Run, order: &Order, seen: &Seen) {
    let kept: usize = seen.kept.values().sum();
    let most = seen.kept.iter().max_by_key(|(_, count)| **count);
    let Some((from, _)) = most else {
        return;
    };
    if kept < seen.compilations {
        let of = seen.compilations;
        run.progress.line(&format!(
            "{kept} of {of} objects are those of earlier builds"
        ));
        return;
    }
    run.progress
        .line(&format!("linked again from {from}: its {kept} objects fit"));
    let known = &mut run.workspace.state.linked_again;
    known.insert(order.key.to_string(), from.clone());
}

/// Returns the build that an earlier run finished, or does the work and remembers its outcome.
pub(crate) fn finished_or(
    run: &mut Run,
    key: &BuildKey,
    work: impl FnOnce(&mut Run) -> Result<Built>,
) -> Result<Built> {
    let name = key.to_string();
    if let Some(reason) = run.workspace.state.failed.get(&name) {
        return Err(anyhow!("{reason}"));
    }
    let outcome = run.once(|state| &mut state.built, &name, work);
    if let Err(error) = &outcome {
        run.check_own(error)?;
        let known = &mut run.workspace.state.failed;
        known.insert(name, format!("{error:#}"));
        run.workspace.save()?;
    }
    outcome
}

/// Facts of a build before its binary is read.
pub(crate) struct Made {
    pub(crate) key: BuildKey,
    pub(crate) flags: VariantFlags,
    pub(crate) post_link: Vec<String>,
    pub(crate) bolted_from: Option<BuildKey>,
}

impl Made {
    /// Facts of a build that the user's build command alone made.
    pub(crate) fn by(order: &Order) -> Self {
        Self {
            key: order.key.clone(),
            flags: order.flags.clone(),
            post_link: Vec::new(),
            bolted_from: None,
        }
    }
}

/// Moves `.hone/build` to its place and records the facts of its binary.
pub(crate) fn keep(run: &Run, made: Made, began: Duration) -> Result<Built> {
    let tree = run.workspace.keep_build(&made.key.to_string())?;
    let binary = tree.join(&run.project.binary);
    let bytes = fs::read(&binary).with_context(|| binary.display().to_string())?;
    let elf = hone_symbols::Binary::parse(&bytes).with_context(|| binary.display().to_string())?;
    Ok(Built {
        key: made.key,
        flags: made.flags,
        post_link: made.post_link,
        build_s: (run.elapsed() - began).as_secs_f64(),
        file_bytes: bytes.len() as u64,
        loaded_bytes: Some(elf.loaded_size()),
        text_bytes: elf.text_size(),
        bolted_from: made.bolted_from,
    })
}

/// Makes a version's build anew under a key whose levers change nothing but the settings that the program is started with: a
/// copy of the tree, since runs of both at the same time write files.
pub(crate) fn with_settings(run: &mut Run, below: &Built, order: Order) -> Result<Built> {
    let key = order.key.clone();
    finished_or(run, &key, |run| {
        let began = run.elapsed();
        let tree = run.workspace.clear_build()?;
        copy_tree(&run.workspace.tree(&below.name()), &tree)?;
        let made = Made {
            key: order.key,
            flags: VariantFlags {
                run_env: order.flags.run_env,
                ..below.flags.clone()
            },
            post_link: below.post_link.clone(),
            bolted_from: below.bolted_from.clone(),
        };
        keep(run, made, began)
    })
}

/// Runs the user's check on the tree in `.hone/build`.
pub(crate) fn check(run: &mut Run, key: &BuildKey, tree: &Path) -> Result<()> {
    let Some(check) = &run.project.check else {
        return Ok(());
    };
    let command = shell::with_binary(&check.command, &tree.join(&run.project.binary))?;
    let began = run.elapsed();
    let log = run.workspace.path(format!("logs/{key}.check.log"));
    let shell = Shell {
        command: &command,
        cwd: tree,
        env: &run.project.build_env,
        log: &log,
        limit: Some(limit::of(check.limit_s, run.workspace.state.check_s)),
    };
    shell
        .run_beside_server(run)
        .context("the check command failed")
        .next(format!(
            "read {}; a variant that fails the project's own check is never measured",
            log.display()
        ))?;
    output::of_check(run, &key.to_string())?;
    if *key == BuildKey::baseline() {
        run.workspace.state.check_s = Some((run.elapsed() - began).as_secs_f64());
    }
    Ok(())
}

/// Runs the user's build command behind the wrappers; returns the calls that the wrappers saw.
fn compile(run: &Run, order: &Order, tree: &Path) -> Result<Seen> {
    let env = environment(run);
    let wrapped = WrappedBuild {
        name: &order.key.to_string(),
        command: &run.project.build_command,
        tree,
        flags: &order.flags,
        env: &env,
        layout_seed: order.key.layout().or(run.layout_seed),
        keeps_objects: order.keeps_objects(),
        ir: order.ir(run),
        limit: None,
    };
    let seen = wrapped.run(run)?;
    bazel::bring_in(tree, &run.project.binary)?;
    check_binary(run, tree)?;
    Ok(seen)
}

/// Environment variables of the user's build.
pub(crate) fn environment(run: &Run) -> BTreeMap<String, String> {
    let mut env = run.project.build_env.clone();
    if run.toolchain == Toolchain::Rust {
        // A target directory that all projects share would keep the binary, and the variants would no longer be apart.
        env.entry("CARGO_TARGET_DIR".into())
            .or_insert("target".into());
    }
    env
}

/// A build command that is to be run behind the wrappers.
pub(crate) struct WrappedBuild<'a> {
    /// Name of the build's logs.
    pub(crate) name: &'a str,
    pub(crate) command: &'a str,
    pub(crate) tree: &'a Path,
    pub(crate) flags: &'a VariantFlags,
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) layout_seed: Option<u64>,
    /// True if objects are kept for later builds, and taken from earlier builds.
    pub(crate) keeps_objects: bool,
    /// Directory for the IR of the build's sources.
    pub(crate) ir: Option<PathBuf>,
    /// Time after which the build is ended.
    pub(crate) limit: Option<Duration>,
}

impl WrappedBuild<'_> {
    /// Runs the build command; returns the calls that the wrappers saw.
    pub(crate) fn run(&self, run: &Run) -> Result<Seen> {
        let log = |kind: &str| {
            let name = format!("logs/{}.{kind}.log", self.name);
            run.workspace.path(name)
        };
        let calls = log("calls");
        remove(&calls)?;
        let wrapped = Wrapped {
            tools: &run.tools,
            flags: self.flags,
            env: self.env,
            layout_seed: self.layout_seed,
            directory: &run.workspace.path("wrapper"),
            // The baseline is the user's own, and no profile is made of it.
            keeps_symbols: self.flags.toolchain.is_some(),
            objects: self
                .keeps_objects
                .then(|| (run.workspace.path(OBJECTS), self.name.into())),
            ir: self.ir.clone(),
            bazel_output_base: Some(run.workspace.clear_bazel()?),
            log: &calls,
        };
        let environment = wrapped.install()?;
        let log = log("build");
        let ongoing = progress::of_build(&*run.progress, self.name, &calls);
        let ended = Shell {
            command: self.command,
            cwd: self.tree,
            env: &environment,
            log: &log,
            limit: self.limit,
        }
        .run(run);
        ongoing.finish();
        ended
            .context("the build command failed")
            .next(format!("read {}", log.display()))?;
        Ok(calls::seen(&fs::read_to_string(&calls).unwrap_or_default()))
    }
}

/// Returns an error if the wrappers saw no compilation or no link: such a build would be measured without the variant's
/// flags.
fn all_came_by(seen: &Seen) -> Result<()> {
    let fact = match (seen.compilations > 0, seen.program) {
        (true, true) => return Ok(()),
        (false, false) => "the build called no compiler that Hone could see",
        (false, true) => "the build linked its program, but Hone saw no source being compiled",
        (true, false) => "the build compiled its source, but Hone saw no program being linked",
    };
    Err(anyhow!(fact)).next(
        "call compilers by name (cc, clang++-19) or through $CC and $CXX, in every Makefile and toolchain \
         file, and leave PATH as it is (no env -i, no PATH of its own): a compiler that is called by its absolute path gets none of a \
         lever's flags",
    )
}

fn check_binary(run: &Run, tree: &Path) -> Result<()> {
    if !is_program(&tree.join(&run.project.binary)) {
        return Err(anyhow!(
            "the build ended well, but {} is not a program",
            run.project.binary.display()
        ))
        .next("set program.binary in hone.toml to what the build command makes");
    }
    Ok(())
}
