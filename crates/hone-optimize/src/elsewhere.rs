//! Reports the share of time that no rebuild of the program reaches, and the library whose rebuild would pay.
//!
//! Levers change the program's own code. Code in libc, in other libraries and in the kernel stays as it is, and bounds
//! every gain; a library whose source is at hand can be rebuilt too, by a `[[dependency]]` table.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hone_build::Toolchain;
use hone_report::number;

use super::Run;
use super::workspace::Built;
use hone_inputs::recording;
use hone_run::advice::in_one_sentence;

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
pub(super) fn tell(run: &mut Run, built: &Built, trained: &[PathBuf]) -> Result<()> {
    if run.workspace.state.is_elsewhere_told {
        return Ok(());
    }
    let measured: Vec<_> = (0..run.project.measure.len())
        .map(|index| format!("recordings/{}.measured-{index}.data", built.name))
        .map(|file| run.workspace.path(file))
        .collect();
    let is_measured = measured.iter().all(|file| file.exists());
    let (files, work) = match is_measured {
        true => (measured.as_slice(), "the measured workloads"),
        false => (trained, "the train workloads"),
    };
    let root = run.workspace.path("");
    match seen(files, &root) {
        Ok(seen) => say(run, &seen, work),
        Err(error) => {
            run.check_interrupted()?;
            run.remark(format!(
                "How much of the time lies outside of the program was not found out: {}",
                in_one_sentence(&error)
            ));
        }
    }
    run.workspace.state.is_elsewhere_told = true;
    run.workspace.save()
}

fn say(run: &mut Run, seen: &Where, work: &str) {
    let Some(sentence) = seen.sentence(work) else {
        return;
    };
    run.progress.line(&sentence);
    run.remark(sentence);
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
        let share = number::share(share);
        run.progress.line(&format!(
            "{file} has {share} of the time. If its source is at hand, hone.toml can have it rebuilt with what is kept:"
        ));
        for line in stanza(library) {
            run.progress.line(&format!("    {line}"));
        }
        run.remark(format!(
            "{file} has {share} of the time, and no lever reaches it. If its source is at hand, add to hone.toml: {} \
             (docs/guide/levers.md).",
            stanza(library).join(" ")
        ));
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

    /// Formats the sentence for the report; `None` if there are no samples.
    fn sentence(&self, work: &str) -> Option<String> {
        let outside: u64 = self.others.iter().map(|(_, samples)| samples).sum();
        if self.own + outside == 0 {
            return None;
        }
        let named = self.others.iter().take(NAMED);
        let named: Vec<_> = named
            .map(|(name, samples)| (name, self.share(*samples)))
            .filter(|(_, share)| *share >= SHARE_NAMED)
            .map(|(name, share)| format!("{name} {}", number::share(share)))
            .collect();
        let named = match named.is_empty() {
            true => String::new(),
            false => format!(": {}", named.join(", ")),
        };
        let share = number::share(self.share(outside));
        Some(format!(
            "Of the time of {work}, {share} lies where no rebuild of the program reaches{named}."
        ))
    }

    /// Lists libraries with a share that makes a rung worth while, except those that are rebuilt already.
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
        let sentence = seen().sentence("the measured workloads").unwrap();
        assert_eq!(
            sentence,
            "Of the time of the measured workloads, 33.0 % lies where no rebuild of the program reaches: libc.so.6 21.0 %, \
             libz.so.1.3 8.0 %, the kernel 3.9 %."
        );
        assert_eq!(Where::default().sentence("x"), None);
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
