//! Recordings made by hand.

use crate::subject::{Inspected, Machine};
use crate::{BinaryFacts, CodeInstruction, HotFunction, Mark, Optimisation, Role};
use hone_profile::{
    Binary, BinaryKind, BranchStacks, Event, EventId, FileOffset, Losses, Profile, Sample, Svma,
    Thread,
};
use hone_views::{KERNEL, NamedFrame, Names, Place, StackTally, Stacks};
use iced_x86::{Decoder, DecoderOptions};

/// A function with the functions that are inlined into it, innermost first, and the path of the file that holds them.
pub(crate) struct Level {
    pub(crate) binary: String,
    pub(crate) frames: Vec<NamedFrame>,
}

/// A recording, made stack by stack.
#[derive(Default)]
pub(crate) struct Making {
    profile: Profile,
    names: Names,
    tally: StackTally,
    next: u64,
}

impl Making {
    /// Adds samples of a stack, outermost level first, and of a thread.
    pub(crate) fn add(
        &mut self,
        levels: Vec<Level>,
        (pid, tid): (i32, i32),
        samples: u64,
        weight: u64,
    ) {
        let thread = self.profile.intern_thread(Thread {
            pid,
            tid,
            name: "test".into(),
            ..Thread::default()
        });
        let mut stack = None;
        let mut ip = None;
        for Level { binary, frames } in levels {
            let kind = match binary.as_str() {
                KERNEL => BinaryKind::Kernel,
                _ => BinaryKind::File,
            };
            let binary = self.profile.intern_binary(Binary {
                path: binary,
                build_id: None,
                kind,
            });
            self.next += 16;
            let location = self.profile.intern_location(binary, FileOffset(self.next));
            for is_return in [false, true] {
                let place = Place {
                    location,
                    is_return,
                };
                self.names.insert(place, frames.clone());
            }
            stack = Some(self.profile.intern_frame(location, stack));
            ip = Some(location);
        }
        let Some(ip) = ip else { return };
        self.tally.add(&Sample {
            event: EventId(0),
            thread,
            time_ns: 0,
            weight,
            times: samples,
            ip,
            stack,
            branches: 0..0,
        });
    }

    /// Returns the stacks of all samples.
    pub(crate) fn stacks(mut self, event: &str) -> Stacks {
        self.profile.events.push(Event {
            name: event.to_owned(),
            branches: BranchStacks::None,
        });
        Stacks::new(&self.profile, &self.tally, EventId(0), &self.names)
    }
}

/// Returns the source file of a function: the header named in brackets, as in `operator= [bits/stl_bvector.h]`, else `p.c`.
fn file_of(name: &str) -> String {
    match name.rsplit_once(" [") {
        Some((_, place)) => format!("/usr/include/c++/12/{}", place.trim_end_matches(']')),
        None => "p.c".to_owned(),
    }
}

/// Makes a recording from stacks such as `main;f;g`, outermost first, each with its number of samples of weight 1. A
/// name with a leading `~` is inlined into the name before it; kernel functions start with `k:`, libc's with `c:`, libgcc's with `g:`.
pub(crate) fn inspected(folded: &[(&str, u64)]) -> Inspected {
    let mut making = Making::default();
    for &(text, samples) in folded {
        let mut levels: Vec<Vec<&str>> = Vec::new();
        for name in text.split(';') {
            match (name.strip_prefix('~'), levels.last_mut()) {
                (Some(inlined), Some(level)) => level.insert(0, inlined),
                _ => levels.push(vec![name]),
            }
        }
        let levels = levels.iter().map(|names| level(names)).collect();
        making.add(levels, (1, 1), samples, samples);
    }
    let stacks = making.stacks("cpu-clock");
    Inspected::new(stacks, Vec::new(), Machine::default(), Losses::default())
}

/// Makes the facts of a program with a mark, in which all samples of [`inspected`] fell.
pub(crate) fn marked_program(mark: Mark, weight: u64) -> BinaryFacts {
    BinaryFacts {
        path: "/p".to_owned(),
        role: Role::Program,
        is_static: true,
        marks: [mark].into(),
        has_debug_info: true,
        weight,
        functions: Vec::new(),
        optimisation: Optimisation::default(),
        layout: None,
    }
}

/// Address at which the function of [`program_of_code`] begins.
pub(crate) const CODE_START: u64 = 0x1000;

/// Makes the facts of a program with the hot function `use` of this code, with the weight of each instruction.
pub(crate) fn program_of_code(code: &[u8], weights: &[u64], weight: u64) -> BinaryFacts {
    let decoder = Decoder::with_ip(64, code, CODE_START, DecoderOptions::NONE);
    let instructions = decoder.into_iter().zip(weights);
    let instructions = instructions.map(|(code, weight)| CodeInstruction {
        code,
        weight: *weight,
        line: None,
    });
    let mut program = marked_program(Mark::Counters, weight);
    program.marks.clear();
    program.functions = vec![HotFunction {
        name: "use".to_owned(),
        start: Svma(CODE_START),
        size: code.len() as u64,
        weight: weights.iter().sum(),
        producer: None,
        instructions: instructions.collect(),
    }];
    program
}

/// Returns the level of a function and of those inlined into it, innermost first.
fn level(names: &[&str]) -> Level {
    let last = names.len() - 1;
    let binary = match names[last].split_once(':') {
        Some(("k", _)) => KERNEL,
        Some(("c", _)) => "/lib/libc.so.6",
        Some(("g", _)) => "/lib/libgcc_s.so.1",
        _ => "/p",
    };
    let frames = names.iter().enumerate().map(|(depth, name)| NamedFrame {
        function: ["k:", "c:", "g:"]
            .iter()
            .find_map(|start| name.strip_prefix(start))
            .unwrap_or(name)
            .to_owned(),
        file: file_of(name),
        line: 1,
        is_inlined: depth < last,
    });
    Level {
        binary: binary.to_owned(),
        frames: frames.collect(),
    }
}
