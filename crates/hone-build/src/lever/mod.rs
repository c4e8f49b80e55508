//! Levers: one way each to make a binary faster, as data, one small file each.
//!
//! A lever says what it needs, which flags it adds, where its profile comes from, how to deploy it and
//! how to undo it. It holds no code: `variant.rs` turns a set of levers into flags, the command carries
//! the plan out. To add a lever, add a file here and its line in [`ALL`].

mod autofdo;
mod autofdo_ip;
mod bolt;
mod bolt_instrumented;
mod mimalloc;
mod pgo;
mod thinlto;

/// Something that must be on the machine for a lever to work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Need {
    /// clang and clang++; the build is moved to them if it uses another compiler.
    Clang,
    /// LLVM's linker.
    Lld,
    /// LLVM's archiver, which understands bitcode objects.
    LlvmAr,
    /// llvm-profdata, to merge raw instrumentation profiles.
    LlvmProfdata,
    /// llvm-bolt.
    Bolt,
    /// llvm-bolt's instrumentation runtime library.
    BoltRuntime,
    /// The mimalloc shared library and its linker name.
    Mimalloc,
}

/// The steps of the ladder, lowest first. Levers of one step are alternatives to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Which malloc.
    Allocator,
    /// Link-time optimisation.
    WholeProgram,
    /// What the compiler knows of the program's behaviour.
    Profile,
    /// Changes to the linked binary.
    PostLink,
}

/// Where the profile of a lever comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileSource {
    /// It needs none.
    None,
    /// A recording of the rung below, whose branch records become an AutoFDO profile.
    BranchRecords,
    /// The same recording, but only its IP samples.
    IpSamples,
    /// A special build with `-fprofile-generate`, run on the train workloads.
    CompilerInstrumentation,
    /// A recording of the relinked rung below, whose branch records go to BOLT.
    BoltBranchRecords,
    /// A binary that BOLT instrumented, run on the train workloads.
    BoltInstrumentation,
}

impl ProfileSource {
    /// Whether it runs a slow special build, which production cannot.
    pub fn is_instrumented(self) -> bool {
        matches!(
            self,
            Self::CompilerInstrumentation | Self::BoltInstrumentation
        )
    }
}

/// One lever. In flags, `{profile}` stands for the profile's path and `{mimalloc}` for the directory
/// of the library.
#[derive(Debug, PartialEq, Eq)]
pub struct Lever {
    /// Short unique name, used in hone.toml.
    pub id: &'static str,
    /// Title in reports.
    pub title: &'static str,
    /// What it does, one sentence.
    pub what: &'static str,
    /// Where it stands on the ladder.
    pub step: Step,
    /// Whether a hone.toml without a list of levers gets it.
    pub by_default: bool,
    /// Built and measured only for comparison; never part of the winner.
    pub reference_only: bool,
    /// What must be installed.
    pub needs: &'static [Need],
    /// Flags for every compilation.
    pub compile: &'static [&'static str],
    /// Flags for every link of a program or a shared library.
    pub link: &'static [&'static str],
    /// Further flags for the link of a program only.
    pub link_program: &'static [&'static str],
    /// Where its profile comes from.
    pub profile: ProfileSource,
    /// Arguments of llvm-bolt, for levers of [`Step::PostLink`].
    pub bolt: &'static [&'static str],
    /// What deploying it means, as a full sentence.
    pub deploy: &'static str,
    /// How to undo it, as a full sentence.
    pub undo: &'static str,
}

/// All levers, in ladder order.
pub const ALL: &[&Lever] = &[
    &mimalloc::LEVER,
    &thinlto::LEVER,
    &autofdo_ip::LEVER,
    &autofdo::LEVER,
    &pgo::LEVER,
    &bolt::LEVER,
    &bolt_instrumented::LEVER,
];

/// The lever with this id.
pub fn by_id(id: &str) -> Option<&'static Lever> {
    ALL.iter().find(|lever| lever.id == id).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_stand_in_ladder_order_and_have_unique_ids() {
        assert!(ALL.windows(2).all(|pair| pair[0].step <= pair[1].step));
        for (index, lever) in ALL.iter().enumerate() {
            assert!(
                ALL[..index].iter().all(|other| other.id != lever.id),
                "{}",
                lever.id
            );
        }
    }

    #[test]
    fn a_lever_that_uses_a_profile_says_where_the_profile_goes() {
        for lever in ALL {
            let flags = lever.compile.iter().chain(lever.link).chain(lever.bolt);
            let places = flags.filter(|flag| flag.contains("{profile}")).count();
            assert_eq!(
                places > 0,
                lever.profile != ProfileSource::None,
                "{}",
                lever.id
            );
        }
    }

    #[test]
    fn texts_are_sentences() {
        for lever in ALL {
            for text in [lever.what, lever.deploy, lever.undo] {
                assert!(text.ends_with('.'), "{}: {text}", lever.id);
            }
        }
    }
}
