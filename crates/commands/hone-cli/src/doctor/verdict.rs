//! The sentence below the facts: what Hone can do on this machine, and how many of the other facts can be mended.

use super::facts::{Fact, Status};

pub(crate) fn verdict(facts: &[Fact]) -> String {
    let is_well = |id: &str| {
        let fact = facts.iter().find(|fact| fact.id == id);
        fact.is_some_and(|fact| fact.status == Status::Ok)
    };
    let records = if is_well("cpu_clock") {
        "hone can record here"
    } else if is_well("ptrace") {
        "hone can record commands that it starts, and no running processes"
    } else {
        "hone cannot record here"
    };
    let needed = [
        ("clang", "clang"),
        ("lld", "lld"),
        ("llvm_profdata", "llvm-profdata"),
    ];
    let lacking = needed.iter().filter(|(id, _)| !is_well(id));
    let lacking: Vec<_> = lacking.map(|(_, name)| *name).collect();
    let rebuilds = match lacking.is_empty() {
        true => "and rebuild C and C++ programs".to_owned(),
        false => format!(
            "but not rebuild C and C++ programs: {} wanted",
            lacking.join(", ")
        ),
    };
    let count = |mendable: bool| {
        let lacks = facts.iter().filter(|fact| fact.status != Status::Ok);
        lacks.filter(|fact| fact.mendable == mendable).count()
    };
    let rest = match (count(true), count(false)) {
        (0, 0) => "nothing is missing".to_owned(),
        (0, absent) => format!("nothing to mend, {absent} not to be had here"),
        (mendable, 0) => format!("{mendable} to mend"),
        (mendable, absent) => format!("{mendable} to mend, {absent} not to be had here"),
    };
    format!("{records}, {rebuilds}; {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDED: [&str; 4] = ["cpu_clock", "clang", "lld", "llvm_profdata"];

    fn well() -> Vec<Fact> {
        NEEDED.map(|id| Fact::ok(id, id, "there")).into()
    }

    #[test]
    fn a_machine_with_everything_lacks_nothing() {
        assert_eq!(
            verdict(&well()),
            "hone can record here, and rebuild C and C++ programs; nothing is missing"
        );
    }

    #[test]
    fn lacking_tools_are_named_and_what_can_be_mended_is_counted() {
        let mut facts = well();
        facts[2] = Fact::missing("lld", "lld", "none", "apt-get install lld-19");
        assert_eq!(
            verdict(&facts),
            "hone can record here, but not rebuild C and C++ programs: lld wanted; 1 to mend"
        );
        facts.push(Fact::absent("x", "x", "none", "nothing to do"));
        assert!(verdict(&facts).ends_with("; 1 to mend, 1 not to be had here"));
    }

    #[test]
    fn without_perf_events_ptrace_decides() {
        let mut facts = well();
        facts[0] = Fact::absent("cpu_clock", "clock", "none", "nothing to do");
        assert!(verdict(&facts).starts_with("hone cannot record here, and rebuild"));
        assert!(verdict(&facts).ends_with("; nothing to mend, 1 not to be had here"));
        facts.push(Fact::ok("ptrace", "ptrace", "works"));
        assert!(verdict(&facts).starts_with("hone can record commands that it starts, "));
    }
}
