//! Makes profiles of what instrumented builds count.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use hone_build::{ProfileSource, Toolchain};

use crate::build::bolt;
use crate::profile::{Making, training};
use crate::run::Run;
use crate::workspace::{empty_directory, remove, utf8};
use hone_run::process::tool;
use hone_run::tools::bolt_runtime_argument;

/// The lever whose counts a context-sensitive profile adds to.
const FIRST_PROFILE: &str = "pgo";

impl Making<'_> {
    /// Lets llvm-bolt put counters into the build.
    pub(super) fn instrument_by_bolt(&mut self) -> Result<()> {
        let runtime = self.run.tools.bolt_instrumentation_runtime.as_ref();
        let runtime = runtime.context("llvm-bolt's instrumentation runtime is not there")?;
        let runtime = bolt_runtime_argument(runtime);
        let built = self.at_hand()?.clone();
        let name = self.instrumented_name()?;
        let tree = self.run.workspace.tree(&name);
        remove(&tree)?;
        let arguments = [
            "-instrument".into(),
            runtime,
            format!(
                "-instrumentation-file={}",
                utf8(&self.raw().join("profile"))?
            ),
            "-instrumentation-file-append-pid".into(),
        ];
        bolt::rewrite_tree(self.run, &built, &tree, &arguments, &name).map(drop)
    }

    /// Runs the train workloads on the instrumented build.
    pub(super) fn train(&mut self) -> Result<()> {
        let raw = self.raw();
        // Programs that ran during the build, such as a generator of code, wrote counts too.
        empty_directory(&raw)?;
        let name = self.instrumented_name()?;
        if self.lever.profile == ProfileSource::BoltInstrumentation {
            return training::train(self.run, &name, &[]);
        }
        let pattern = raw.join("%p-%m.profraw");
        training::train(self.run, &name, &[("LLVM_PROFILE_FILE", utf8(&pattern)?)])
    }

    /// Merges the counts of all processes of the training. GCC reads them as they are, from their directory.
    pub(super) fn merge(&mut self) -> Result<()> {
        let raw = self.raw();
        let parts = training::files_in(&raw)?;
        let toolchain = self.base.toolchain();
        self.file = Some(match self.lever.profile {
            ProfileSource::BoltInstrumentation => {
                let file = PathBuf::from(format!("profiles/{}.fdata", self.name));
                merge_fdata(self.run, &parts, &self.run.workspace.path(&file))?;
                fs::remove_dir_all(&raw).context("profiles")?;
                file
            }
            _ if toolchain == Toolchain::Gcc => {
                PathBuf::from(format!("profiles/{}.raw", self.name))
            }
            source => {
                let file = PathBuf::from(format!("profiles/{}.profdata", self.name));
                let first = match source {
                    ProfileSource::ContextInstrumentation => self.below.get(FIRST_PROFILE),
                    _ => None,
                };
                let first = first.map(|first| self.run.workspace.path(&first.file));
                let output = self.run.workspace.path(&file);
                merge(self.run, toolchain, parts.into_iter().chain(first), &output)?;
                fs::remove_dir_all(&raw).context("profiles")?;
                file
            }
        });
        Ok(())
    }

    /// Corrects counts by branch records. The counts are exact, but only for what the training ran; branch records of
    /// production are few, but of real work. llvm-profdata raises the counts of functions that are cold by the counts and hot
    /// by the records.
    pub(super) fn supplement(&mut self) -> Result<()> {
        let [counts, samples] = &self.parts[..] else {
            bail!("counts and samples are two profiles");
        };
        let file = PathBuf::from(format!("profiles/{}.profdata", self.name));
        let mut supplement = OsString::from("--supplement-instr-with-sample=");
        supplement.push(samples);
        let parts = [supplement.as_os_str(), counts.as_os_str()];
        let output = self.run.workspace.path(&file);
        merge(self.run, self.base.toolchain(), parts, &output)?;
        self.file = Some(file);
        Ok(())
    }

    /// Name of the tree that the training runs.
    fn instrumented_name(&self) -> Result<String> {
        let built = self.at_hand()?;
        Ok(match self.lever.profile {
            ProfileSource::BoltInstrumentation => format!("{}.bolt-instrumented", built.key),
            _ => built.name(),
        })
    }
}

/// Merges profiles; `parts` may also hold options of llvm-profdata.
fn merge(
    run: &Run,
    toolchain: Toolchain,
    parts: impl IntoIterator<Item = impl AsRef<OsStr>>,
    output: &Path,
) -> Result<()> {
    let tool = match toolchain {
        Toolchain::Rust => &run.tools.rust_profdata,
        _ => &run.tools.llvm_profdata,
    };
    let profdata = tool.as_ref().context("llvm-profdata is not there")?;
    hone_convert::merge_counters(profdata, parts, output)
}

/// Merges profiles with merge-fdata, which lies beside llvm-bolt, under the same version suffix.
fn merge_fdata(run: &Run, parts: &[PathBuf], fdata: &Path) -> Result<()> {
    let bolt = run.tools.llvm_bolt.as_ref();
    let bolt = &bolt.context("llvm-bolt is not there")?.path;
    let name = bolt.file_name().unwrap_or_default().to_string_lossy();
    let merge = bolt.with_file_name(name.replace("llvm-bolt", "merge-fdata"));
    let mut command = Command::new(&merge);
    command.args(parts).arg("-o").arg(fdata);
    tool::run(command, "merge-fdata")?;
    Ok(())
}
