//! scratch
use hone_record::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let out = args.next().unwrap();
    let mode = args.next().unwrap();
    let rest: Vec<String> = args.collect();
    let mut o = Options::command(rest.clone(), out);
    match mode.as_str() {
        "none" => o.branches = BranchSource::None,
        "walk" => o.branches = BranchSource::Walk,
        "ptrace" => { o.sampler = Sampler::Ptrace; o.branches = BranchSource::None }
        "both" => { o.sampler = Sampler::Ptrace; o.branches = BranchSource::Walk }
        "pid" => { o.target = Target::Process { pid: rest[0].parse().unwrap() }; o.duration_s = Some(2.0) }
        "caps" => { println!("{:#?}", capabilities()); return }
        _ => panic!(),
    }
    if let Ok(v) = std::env::var("STEPS") { o.walk_instructions_max = v.parse().unwrap() }
    if let Ok(v) = std::env::var("WALKS") { o.walks_per_s = v.parse().unwrap() }
    if let Ok(v) = std::env::var("DUR") { o.duration_s = Some(v.parse().unwrap()) }
    let stop = std::sync::atomic::AtomicBool::new(false);
    match record(&o, &stop, &mut |_| {}) {
        Ok(s) => eprintln!("{s:#?}"),
        Err(e) => { eprintln!("ERROR {e}"); std::process::exit(1) }
    }
}
