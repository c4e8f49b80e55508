//! Warnings to the user about a finished recording.

use crate::options::{BranchSource, Options};
use crate::summary::Summary;

pub(super) fn warn(options: &Options, summary: &mut Summary) {
    if summary.samples == 0 {
        summary.warn(format!(
            "Not one sample was taken in {:.2} s, in which the target used {:.2} s of CPU time.",
            summary.wall_s, summary.target_cpu_s
        ));
    }
    if summary.lost > 0 {
        summary.warn(format!("The kernel lost {} records.", summary.lost));
    }
    if summary.samples > 0 {
        warn_of_no_branches(options.branches, summary);
    }
}

/// Warns if branch records were looked for and are missing.
fn warn_of_no_branches(asked: BranchSource, summary: &mut Summary) {
    let is_looked_for = match asked {
        BranchSource::Lbr | BranchSource::Walk => true,
        BranchSource::Auto => summary.branch_source != "none",
        BranchSource::None => false,
    };
    if !is_looked_for || summary.branch_records > 0 {
        return;
    }
    let begun: u64 = summary.walks;
    let not_begun: u64 = summary.walks_not_begun.values().sum();
    let why = match summary.branch_source.as_str() {
        "walk" if begun > 0 => format!("{begun} walks ended before their first branch"),
        "walk" if not_begun > 0 => format!("none of {not_begun} walks could begin"),
        "walk" => format!(
            "no walk was due in {:.2} s of CPU time at {:.2} % of overhead",
            summary.target_cpu_s,
            100.0 * summary.overhead
        ),
        source => format!("no sample of {source} held any"),
    };
    summary.warn(format!("No branch records: {why}."));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warned(asked: BranchSource, source: &str, records: u64) -> Vec<String> {
        let mut summary = Summary {
            branch_source: source.to_owned(),
            branch_records: records,
            target_cpu_s: 2.0,
            overhead: 0.01,
            ..Summary::default()
        };
        warn_of_no_branches(asked, &mut summary);
        summary.warnings
    }

    #[test]
    fn missing_branch_records_are_told_wherever_they_were_looked_for() {
        let said =
            "No branch records: no walk was due in 2.00 s of CPU time at 1.00 % of overhead.";
        assert_eq!(warned(BranchSource::Walk, "walk", 0), [said]);
        assert_eq!(warned(BranchSource::Auto, "walk", 0), [said]);
        assert_eq!(warned(BranchSource::Lbr, "lbr", 0).len(), 1);
        assert!(warned(BranchSource::Walk, "walk", 1).is_empty());
        assert!(warned(BranchSource::None, "none", 0).is_empty());
        // The reason why there is no walker was reported before.
        assert!(warned(BranchSource::Auto, "none", 0).is_empty());
    }
}
