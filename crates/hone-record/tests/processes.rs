//! Several running processes in one recording. Apart from other tests, since it keeps CPUs busy.

mod common;

use common::{compile, share};
use hone_record::{BranchSource, Options, Target};
use std::process::Command;

#[test]
fn several_running_processes_are_recorded_until_the_last_has_ended() {
    if !hone_record::capabilities().cpu_clock.works {
        println!("skipped: perf events are refused here");
        return;
    }
    let Some(program) = compile("loops.c", &[]) else {
        return;
    };
    for branches in [BranchSource::None, BranchSource::Auto] {
        let mut children = ["15000000", "60000000"].map(|turns| {
            let mut command = Command::new(&program.binary);
            let command = command.arg(turns).stdout(std::process::Stdio::null());
            command.spawn().expect("the program starts")
        });
        let pids = children.each_ref().map(|child| child.id() as i32);
        let target = Target::Processes {
            pids: [pids.as_slice(), &[pids[0], i32::MAX]].concat(),
        };
        let mut options = Options::new(target, program.directory.path().join("recording.data"));
        options.branches = branches;
        options.overhead = 0.2;
        let recorded = program.record(&options).unwrap();
        for child in &mut children {
            assert_eq!(child.wait().unwrap().code(), Some(7));
        }
        let warnings = &recorded.summary.warnings;
        let gone = format!(
            "There is no process {}; the others were recorded.",
            i32::MAX
        );
        assert!(warnings.contains(&gone), "{warnings:?}");
        let samples = pids.map(|pid| {
            let all = recorded.profile.samples.iter();
            let threads = all.map(|sample| &recorded.profile.threads[sample.thread.index()]);
            threads.filter(|thread| thread.pid == pid).count()
        });
        // The second does four times as much, most of it when the first has ended.
        assert!(samples[0] > 5, "{branches:?}: {samples:?}");
        assert!(samples[1] > 2 * samples[0], "{branches:?}: {samples:?}");
        let in_program = recorded.weight_by_function(&program);
        assert!(
            share(&in_program, "alpha") > 0.5,
            "{branches:?}: {in_program:?}"
        );
    }
}
