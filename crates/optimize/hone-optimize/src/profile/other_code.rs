//! Reports the share of time that no rebuild of the program reaches, and the library whose rebuild would pay.
//!
//! Levers change the program's own code. Code in libc, in other libraries and in the kernel stays as it is, and bounds
//! every gain; a library whose source is at hand can be rebuilt too, by a `[[dependency]]` table.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hone_build::Toolchain;
use hone_report::note::BuildNote;
use hone_report::number;

use crate::profile::recording::{files_of, files_of_measured};
use crate::run::Run;
use crate::workspace::state::Built;
use hone_files::advice::in_one_sentence;
use hone_inputs::recording;

/// Maximum number of places that are named.
const NAMED: usize = 4;
/// Share of time below which a place is not named.
const SHARE_NAMED: f64 = 0.01;
/// Share of time from which rebuilding a library can be worth a rung: an eighth less of it is more than half a per cent.
const SHARE_WORTH: f64 = 0.05;
/// Libraries of the system that no `[[dependency]]` table can replace, by the start of their file names.
const OF_THE_SYSTEM: &[&str] = &[
    "libc.so",
    "libc-",
    "libm.so",
    "libm-",
    "libmvec",
    "libpthread",
    "libdl",
    "librt",
    "libresolv",
    "ld-",
    "libgcc_s",
    "libstdc++",
    "libc++",
    "libmimalloc",
    "libjemalloc",
    "libtcmalloc",
];

/// Numbers of samples in the program and in other places, the largest first.
#[derive(Debug, Default)]
struct Where {
    own: u64,
    others: Vec<(String, u64)>,
}

/// Reports once per run where the time is spent, from the plain samples of the measured workloads, or of training if there
/// are none. A failure costs the figure, not the run.
pub(crate) fn tell(run: &mut Run, built: &Built) -> Result<()> {
    run.once(
        |state| &mut state.answered,
        "time elsewhere",
        |run| {
            let measured = files_of_measured(run, built);
            let (files, work) = match measured.iter().all(|file| file.exists()) {
                true => (measured, "the measured workloads"),
                false => (files_of(run, built), "the train workloads"),
            };
            let root = run.workspace.path("");
            match seen(&files, &root) {
                Ok(seen) => tell_seen(run, &seen, work),
                Err(error) => {
                    run.check_interrupted()?;
                    run.tell(BuildNote::OutsideUnknown(in_one_sentence(&error)));
                }
            }
            Ok(())
        },
    )
}

fn tell_seen(run: &mut Run, seen: &Where, work: &str) {
    let Some(note) = seen.note(work) else {
        return;
    };
    run.tell_now(note);
    if !matches!(run.toolchain, Toolchain::Clang | Toolchain::Gcc) {
        return;
    }
    let rebuilt = run.project.dependencies.iter().flatten();
    let rebuilt: Vec<_> = rebuilt
        .filter_map(|lever| lever.rebuilds?.of.library())
        .collect();
    for (file, share) in seen.worth_rebuilding(&rebuilt) {
        let Some(library) = library(&file) else {
            continue;
        };
        run.progress.line(&format!(
            "{file} has {} of the time. If its source is at hand, hone.toml can have it rebuilt with what is kept:",
            number::share(share)
        ));
        let lines = stanza(library);
        for line in &lines {
            run.progress.line(&format!("    {line}"));
        }
        run.tell(BuildNote::WorthRebuilding {
            share,
            lines: lines.to_vec(),
            file,
        });
    }
}

/// Returns the lines to write into hone.toml.
fn stanza(library: &str) -> [String; 5] {
    [
        "[[dependency]]".into(),
        format!("name = \"{library}\""),
        format!("source = \"../{library}\""),
        "command = \"./configure --disable-shared --prefix={prefix} && make install\"".into(),
        format!("archive = \"lib/lib{library}.a\""),
    ]
}

/// Returns the name of a library in links: `z` for `libz.so.1.3`.
fn library(file: &str) -> Option<&str> {
    let (name, _) = file.strip_prefix("lib")?.split_once(".so")?;
    (!name.is_empty()).then_some(name)
}

fn seen(files: &[PathBuf], root: &Path) -> Result<Where> {
    let mut seen = Where::default();
    for file in files {
        for (place, samples) in recording::read(file)?.places_by_samples() {
            seen.add(&place, samples, root);
        }
    }
    seen.others.sort_by_key(|other| std::cmp::Reverse(other.1));
    Ok(seen)
}

impl Where {
    fn add(&mut self, place: &str, samples: u64, root: &Path) {
        if Path::new(place).starts_with(root) {
            self.own += samples;
            return;
        }
        let name = match place {
            "[kernel]" => "the kernel",
            "[vdso]" => "the kernel's vdso",
            "[memory without a file]" => "code made at run time",
            "[nowhere known]" => "addresses of no known file",
            path => path.rsplit('/').next().unwrap_or(path),
        };
        match self.others.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += samples,
            None => self.others.push((name.into(), samples)),
        }
    }

    fn share(&self, samples: u64) -> f64 {
        let others: u64 = self.others.iter().map(|(_, samples)| samples).sum();
        samples as f64 / (self.own + others).max(1) as f64
    }

    /// Makes the report's note; `None` if there are no samples.
    fn note(&self, work: &str) -> Option<BuildNote> {
        let outside: u64 = self.others.iter().map(|(_, samples)| samples).sum();
        if self.own + outside == 0 {
            return None;
        }
        let places = self.others.iter().take(NAMED);
        let places = places.map(|(name, samples)| (name.clone(), self.share(*samples)));
        Some(BuildNote::Outside {
            work: work.into(),
            share: self.share(outside),
            places: places.filter(|(_, share)| *share >= SHARE_NAMED).collect(),
        })
    }

    /// Lists the libraries that have enough of the time to be rebuilt, each with its share.
    fn worth_rebuilding(&self, rebuilt: &[&str]) -> Vec<(String, f64)> {
        let is_of_the_system =
            |name: &str| OF_THE_SYSTEM.iter().any(|start| name.starts_with(start));
        let others = self.others.iter();
        let others = others.map(|(name, samples)| (name.clone(), self.share(*samples)));
        others
            .filter(|(name, share)| *share >= SHARE_WORTH && !is_of_the_system(name))
            .filter(|(name, _)| library(name).is_some_and(|library| !rebuilt.contains(&library)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Where {
        let mut seen = Where::default();
        for (place, samples) in [
            ("/p/.hone/variants/profiling/prog", 600),
            ("/p/.hone/variants/profiling/libown.so", 70),
            ("/lib/x86_64-linux-gnu/libc.so.6", 210),
            ("/lib/x86_64-linux-gnu/libz.so.1.3", 80),
            ("[kernel]", 39),
            ("/usr/lib/libtiny.so.2", 1),
        ] {
            seen.add(place, samples, Path::new("/p/.hone/"));
        }
        seen
    }

    #[test]
    fn what_no_rebuild_reaches_is_told_with_its_places() {
        let note = seen().note("the measured workloads").unwrap();
        assert_eq!(
            note.to_string(),
            "Of the time of the measured workloads, 33.0 % lies where no rebuild of the program reaches: libc.so.6 21.0 %, \
             libz.so.1.3 8.0 %, the kernel 3.9 %."
        );
        assert_eq!(Where::default().note("x"), None);
    }

    #[test]
    fn a_library_that_would_pay_is_named_unless_it_is_rebuilt_already() {
        let worth = seen().worth_rebuilding(&[]);
        assert_eq!(worth, [("libz.so.1.3".to_owned(), 0.08)]);
        assert_eq!(seen().worth_rebuilding(&["z"]), []);
    }

    #[test]
    fn the_example_is_a_table_that_hone_takes() {
        let project = "[program]\nname = \"p\"\nbinary = \"p\"\n[build]\ncommand = \"make\"\n[[train]]\nname = \"t\"\n\
             command = \"a\"\n[[measure]]\nname = \"m\"\ncommand = \"b\"\n";
        let text = format!("{project}{}\n", stanza("z").join("\n"));
        let project = hone_build::Project::parse(&text).unwrap();
        let lever = project.dependencies[0][0];
        assert_eq!(lever.rebuilds.unwrap().of.library(), Some("z"));
    }
}
