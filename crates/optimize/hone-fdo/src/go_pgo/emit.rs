//! Builds the pprof table.

use super::calls::Edges;
use super::leaf::Caller;
use super::stacks::StackCount;
use super::{Basis, Frame, Function, GoPgoError, GoPgoReport};
use hone_profile::BuildId;
use hone_profile::pprof::{self, Line, Location, Mapping, Pprof, Sample};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Table<'s> {
    pprof: Pprof,
    functions: FxHashMap<Function<'s>, u32>,
    locations: FxHashMap<Vec<Frame<'s>>, u32>,
    samples: FxHashMap<Vec<u32>, usize>,
    /// Edges of all stacks, as the compiler will see them: (caller, callee, true if the call was inlined).
    edges: FxHashSet<(Frame<'s>, Function<'s>, bool)>,
    weight: u64,
    samples_outside: u64,
    callers_mended: u64,
    callers_unknown: u64,
    pub(super) stacks_cut: u64,
    pub(super) counts_events: bool,
}

impl<'s> Table<'s> {
    pub(super) fn new(path: &str, build_id: Option<&BuildId>) -> Self {
        let mut pprof = Pprof::default();
        let file = pprof.intern(path);
        let build_id = pprof.intern(&build_id.map(BuildId::to_string).unwrap_or_default());
        pprof.mappings.push(Mapping {
            file,
            build_id,
            has_functions: true,
            has_lines: true,
            ..Mapping::default()
        });
        Self {
            pprof,
            functions: FxHashMap::default(),
            locations: FxHashMap::default(),
            samples: FxHashMap::default(),
            edges: FxHashSet::default(),
            weight: 0,
            samples_outside: 0,
            callers_mended: 0,
            callers_unknown: 0,
            stacks_cut: 0,
            counts_events: false,
        }
    }

    /// Adds one stack of two frames for each edge. Go reads the value only under the name `samples/count`.
    pub(super) fn edges(
        &mut self,
        edges: &Edges<'s>,
        samples: u64,
    ) -> Result<GoPgoReport, GoPgoError> {
        self.pprof.value_types = vec![self.pprof.value_type("samples", "count")];
        self.pprof.period_type = self.pprof.value_type("calls", "count");
        self.pprof.period = 1;
        let remark = "Values are calls counted in branch records: one stack for each edge.";
        let remark = self.pprof.intern(remark);
        self.pprof.comments.push(remark);
        let sum: u128 = edges
            .weights
            .values()
            .map(|&weight| u128::from(weight))
            .sum();
        // The compiler adds the weights up in 63 bits.
        let shift = (u128::BITS - sum.leading_zeros()).saturating_sub(i64::BITS - 1);
        for (&(caller, callee), &weight) in &edges.weights {
            let entry = Frame {
                function: callee,
                line: callee.start_line,
            };
            let stack = vec![self.location(vec![entry]), self.location(vec![caller])];
            self.pprof.samples.push(Sample {
                stack,
                values: vec![(weight >> shift).cast_signed()],
                ..Sample::default()
            });
        }
        Ok(GoPgoReport {
            basis: Basis::Branches,
            samples,
            edges: edges.weights.len() as u64,
            inlined_edges: edges.inlined,
            weight: u64::try_from(sum).unwrap_or(u64::MAX),
            unresolved_wrappers: edges.unresolved,
            samples_outside: 0,
            callers_mended: 0,
            callers_unknown: 0,
            stacks_cut: 0,
        })
    }

    /// Counts the samples whose leaf had lost its caller.
    pub(super) fn callers(&mut self, caller: Caller, samples: u64) {
        match caller {
            Caller::Next => {}
            Caller::Missing(_) => self.callers_mended += samples,
            Caller::Unknown => self.callers_unknown += samples,
        }
    }

    /// Adds a stack of places, each with its inlined functions, leaf first. Wrappers are left out already.
    pub(super) fn stack(
        &mut self,
        places: impl Iterator<Item = Vec<Frame<'s>>>,
        count: StackCount,
    ) {
        let mut stack = Vec::new();
        let mut callee: Option<Function<'s>> = None;
        for frames in places {
            if frames.is_empty() {
                continue;
            }
            if stack.len() < 2 {
                for (depth, &frame) in frames.iter().enumerate() {
                    if let Some(callee) = callee.replace(frame.function) {
                        self.edges.insert((frame, callee, depth > 0));
                        self.weight += count.samples;
                    }
                }
            }
            let location = self.location(frames);
            stack.push(location);
        }
        if stack.is_empty() {
            self.samples_outside += count.samples;
            return;
        }
        let samples = &mut self.pprof.samples;
        let index = *self.samples.entry(stack).or_insert_with_key(|stack| {
            samples.push(Sample {
                stack: stack.clone(),
                values: vec![0, 0],
                ..Sample::default()
            });
            samples.len() - 1
        });
        let values = &mut samples[index].values;
        for (value, own) in values.iter_mut().zip([count.samples, count.weight]) {
            *value = value.saturating_add(i64::try_from(own).unwrap_or(i64::MAX));
        }
    }

    /// Finishes a table of stacks.
    pub(super) fn stacks_report(&mut self, samples: u64) -> GoPgoReport {
        let cpu = self.pprof.value_type("cpu", "nanoseconds");
        let count = self.pprof.value_type("samples", "count");
        self.pprof.value_types = vec![count];
        if self.counts_events {
            for sample in &mut self.pprof.samples {
                sample.values.truncate(1);
            }
            self.pprof.period_type = count;
            self.pprof.period = 1;
        } else {
            let values = |index: usize| {
                let all = self.pprof.samples.iter().map(move |s| s.values[index]);
                all.fold(0, i64::saturating_add)
            };
            self.pprof.period = values(1).checked_div(values(0)).unwrap_or(0);
            self.pprof.duration_ns = values(1);
            self.pprof.value_types.push(cpu);
            self.pprof.period_type = cpu;
        }
        let inlined = self.edges.iter().filter(|edge| edge.2).count();
        GoPgoReport {
            basis: Basis::CallChains,
            samples,
            edges: self.edges.len() as u64,
            inlined_edges: inlined as u64,
            weight: self.weight,
            unresolved_wrappers: 0,
            samples_outside: self.samples_outside,
            callers_mended: self.callers_mended,
            callers_unknown: self.callers_unknown,
            stacks_cut: self.stacks_cut,
        }
    }

    pub(super) fn bytes(&self) -> std::io::Result<Vec<u8>> {
        pprof::write(&self.pprof)
    }

    fn location(&mut self, frames: Vec<Frame<'s>>) -> u32 {
        if let Some(&known) = self.locations.get(&frames) {
            return known;
        }
        let lines = frames.iter().map(|frame| Line {
            function: self.function(frame.function),
            line: frame.line.into(),
        });
        let location = Location {
            mapping: Some(0),
            address: 0,
            lines: lines.collect(),
        };
        let id = self.pprof.locations.len() as u32;
        self.pprof.locations.push(location);
        self.locations.insert(frames, id);
        id
    }

    fn function(&mut self, function: Function<'s>) -> u32 {
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        let id = self.pprof.functions.len() as u32;
        let name = self.pprof.intern(function.name);
        let file = self.pprof.intern(function.file);
        self.pprof.functions.push(pprof::Function {
            name,
            system_name: name,
            file,
            start_line: function.start_line.into(),
        });
        self.functions.insert(function, id);
        id
    }
}
