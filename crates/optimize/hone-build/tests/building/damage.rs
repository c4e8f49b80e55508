//! Damaged hone.toml: an error with a reason or a project, never a panic.

use hone_build::Project;
use testkit::by_chance;

/// Files of projects, and words that stand for something in them.
const SEEDS: [&str; 2] = [
    include_str!("../../../../../examples/meshfilter/hone.toml"),
    include_str!("../../../../../examples/planted/search.toml"),
];
const WORDS: [&str; 16] = [
    "[[measure]]\n",
    "[[dependency]]\n",
    "[ladder]\n",
    "\n",
    "\"",
    "{binary}",
    "{",
    "}",
    " = ",
    "[",
    "]",
    "-1",
    "1e400",
    "99999999999999999999",
    "é",
    "pgo+",
];

#[test]
fn damaged_projects() {
    SEEDS.iter().for_each(|seed| {
        Project::parse(seed).unwrap();
    });
    by_chance(|u| {
        let mut bytes = u.choose(&SEEDS)?.as_bytes().to_vec();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            let end = (at + u.int_in_range(0..=40)?).min(bytes.len());
            match u.int_in_range(0..=3)? {
                0 => bytes[at] = u.arbitrary()?,
                1 => drop(bytes.drain(at..end)),
                2 => drop(bytes.splice(at..at, u.choose(&WORDS)?.bytes())),
                _ => bytes.extend_from_within(at..end),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Err(error) = Project::parse(&String::from_utf8_lossy(&bytes)) {
            assert!(!error.to_string().is_empty());
        }
        Ok(())
    });
}
