//! Traces as the perf.data files that perf would have written.

use super::Trace;
use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, WalkSample, WalkedBranch,
    Writer, branch_type, sample_type,
};
use hone_profile::{Avma, BuildId, FileOffset};
use std::io::Cursor;

const PERIOD: u64 = 1_000_003;

/// A file with one sample of the event for each of these stacks, newest branch first.
pub(crate) fn perf_data(
    trace: &Trace,
    event: &str,
    stacks: &[Vec<(u64, u64)>],
    build_id: Option<&BuildId>,
) -> Vec<u8> {
    let path = trace.path.to_str().expect("text");
    let mut writer = Writer::new(Cursor::new(Vec::new()), vec![branch_event(event)]).unwrap();
    writer.comm(7, 7, "prog", true, 0).unwrap();
    for mapping in trace.mappings.iter().filter(|mapping| mapping.executable) {
        let mapping = Mmap2 {
            pid: 7,
            tid: 7,
            start: Avma(mapping.start),
            len: mapping.end - mapping.start,
            file_offset: FileOffset(mapping.offset),
            protection: 5,
            flags: 2,
            device: (8, 1, 1234),
            path: path.into(),
            time_ns: 0,
        };
        writer.mmap2(&mapping).unwrap();
    }
    for (index, stack) in stacks.iter().enumerate() {
        let branches: Vec<WalkedBranch> = stack
            .iter()
            .map(|&(f, t)| (Avma(f), Avma(t)).into())
            .collect();
        let sample = WalkSample {
            event: 0,
            pid: 7,
            tid: 7,
            cpu: 0,
            ip: branches[0].to,
            time_ns: 1_000_000 + index as u64,
            period: PERIOD,
            call_chain: &[],
            branches: &branches,
        };
        writer.walk_sample(&sample).unwrap();
    }
    let build_ids = build_id.map(|id| (path.into(), id.clone(), false));
    let features = Features {
        arch: "x86_64".into(),
        build_ids: build_ids.into_iter().collect(),
        ..Features::default()
    };
    writer.finish(&features).unwrap().into_inner()
}

fn branch_event(name: &str) -> EventDescription {
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: PERIOD,
        is_frequency: false,
        sample_type: sample_type::IP
            | sample_type::TID
            | sample_type::TIME
            | sample_type::CPU
            | sample_type::PERIOD
            | sample_type::IDENTIFIER
            | sample_type::BRANCH_STACK,
        branch_sample_type: branch_type::USER | branch_type::ANY,
    };
    EventDescription {
        name: name.into(),
        attr: event.attr(),
        ids: vec![],
    }
}
