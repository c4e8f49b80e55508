mod common;
use common::*;
use hone_profile::*;
use hone_profile::perf_data::*;

fn ev(counter: SoftwareCounter, name: &str, st: u64, br: u64) -> EventDescription {
    let event = SoftwareEvent { counter, period: 1_000_000, is_frequency: false, sample_type: st, branch_sample_type: br };
    EventDescription { name: name.into(), attr: event.attr(), ids: vec![] }
}

#[test]
fn explore() {
    let base = sample_type::IP | sample_type::TID | sample_type::TIME | sample_type::CPU | sample_type::PERIOD | sample_type::IDENTIFIER;
    let p = LoopProgram::build("explore2");
    let br = branch_type::USER | branch_type::ANY;
    let dir = p.scratch.path();
    let variants = [
        ("plain", vec![ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::BRANCH_STACK, br)]),
        ("hwidx", vec![ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::BRANCH_STACK, br | branch_type::HW_INDEX)]),
        ("addr", vec![ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::ADDR| sample_type::BRANCH_STACK, br)]),
        ("two", vec![
            ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::BRANCH_STACK, br),
            ev(SoftwareCounter::CpuClock, "cpu-clock:u", base | sample_type::CALLCHAIN, 0)]),
        ("same", vec![
            ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::BRANCH_STACK, br),
            ev(SoftwareCounter::CpuClock, "cpu-clock:u", base | sample_type::BRANCH_STACK, br)]),
        ("chain", vec![ev(SoftwareCounter::CpuClock, "hone-walk", base | sample_type::CALLCHAIN | sample_type::BRANCH_STACK, br)]),
    ];
    for (name, events) in variants {
        std::fs::write(dir.join(format!("{name}.data")), loop_recording(&p, events)).unwrap();
    }
    println!("{}", dir.display());
    std::mem::forget(p);
}
