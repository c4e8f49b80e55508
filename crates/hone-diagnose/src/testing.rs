//! Recordings made by hand.

use crate::inspected::{Inspected, Machine};
use hone_profile::{
    Binary, BinaryKind, Event, EventId, FileOffset, Losses, Profile, Sample, Thread, ThreadId,
};
use hone_views::{NamedFrame, Names, Place, StackTally, Stacks};

/// Returns the source file of a function: the header named in brackets, as in `operator= [bits/stl_bvector.h]`, else `p.c`.
fn file_of(name: &str) -> String {
    match name.rsplit_once(" [") {
        Some((_, place)) => format!("/usr/include/c++/12/{}", place.trim_end_matches(']')),
        None => "p.c".to_owned(),
    }
}

/// Makes a recording from stacks such as `main;f;g`, outermost first, each with its number of samples of weight 1. A
/// name with a leading `~` is inlined into the name before it; kernel functions start with `k:`.
pub(crate) fn inspected(folded: &[(&str, u64)]) -> Inspected {
    let mut profile = Profile::default();
    profile.events.push(Event {
        name: "cpu-clock".into(),
        branches: hone_profile::BranchStacks::None,
    });
    let thread: ThreadId = profile.intern_thread(Thread {
        pid: 1,
        tid: 1,
        name: "test".into(),
    });
    let mut names = Names::default();
    let mut tally = StackTally::default();
    let mut next = 0x1000;
    for &(text, samples) in folded {
        let mut stack = None;
        let mut ip = None;
        let mut levels = text.split(';').peekable();
        while let Some(level) = levels.next() {
            let mut inlined = vec![level];
            while let Some(name) = levels.peek().and_then(|name| name.strip_prefix('~')) {
                inlined.push(name);
                levels.next();
            }
            inlined.reverse();
            let is_kernel = level.starts_with("k:");
            let kind = if is_kernel {
                BinaryKind::Kernel
            } else {
                BinaryKind::File
            };
            let path = if is_kernel { "[kernel.kallsyms]" } else { "/p" };
            let binary = profile.intern_binary(Binary {
                path: path.into(),
                build_id: None,
                kind,
            });
            next += 16;
            let location = profile.intern_location(binary, FileOffset(next));
            let last = inlined.len() - 1;
            let frames = inlined.iter().enumerate().map(|(depth, name)| NamedFrame {
                function: name.trim_start_matches("k:").to_owned(),
                file: file_of(name),
                line: 1,
                is_inlined: depth < last,
            });
            let frames: Vec<NamedFrame> = frames.collect();
            for is_return in [false, true] {
                names.insert(
                    Place {
                        location,
                        is_return,
                    },
                    frames.clone(),
                );
            }
            stack = Some(profile.intern_frame(location, stack));
            ip = Some(location);
        }
        let Some(ip) = ip else { continue };
        for _ in 0..samples {
            tally.add(&Sample {
                event: EventId(0),
                thread,
                time_ns: 0,
                weight: 1,
                times: 1,
                ip,
                stack,
                branches: 0..0,
            });
        }
    }
    let stacks = Stacks::new(&profile, &tally, EventId(0), &names);
    Inspected::new(stacks, Vec::new(), Machine::default(), Losses::default())
}
