//! The Firefox Profiler's processed profile format, which <https://profiler.firefox.com> opens.

use super::{Thread, threads};
use crate::stacks::{FrameId, KERNEL, Stacks, is_time};
use crate::timeline::Timeline;
use fxprof_processed_profile::{
    CategoryColor, CategoryPairHandle, CpuDelta, Frame, FrameFlags, FrameInfo, ProcessHandle,
    Profile, ReferenceTimestamp, SamplingInterval, StringHandle, ThreadHandle, Timestamp,
};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Returns the samples as JSON for the Firefox Profiler: processes with their threads, the heaviest selected. Each
/// sample counts as often as it was seen, whatever its weight; samples of a clock carry their CPU time too.
pub fn firefox(name: &str, stacks: &Stacks, timeline: &Timeline) -> serde_json::Result<String> {
    let mut making = Making::new(name, stacks);
    let mut processes: FxHashMap<i32, ProcessHandle> = FxHashMap::default();
    for (index, thread) in threads(stacks, timeline).iter().enumerate() {
        let begin = thread.samples.first();
        let begin = time_of(begin.map_or(0, |sample| sample.time_ns));
        let profile = &mut making.profile;
        let process = *processes
            .entry(thread.pid)
            .or_insert_with(|| profile.add_process(thread.name, thread.pid as u32, begin));
        let is_main = thread.pid == thread.tid;
        let handle = profile.add_thread(process, thread.tid as u32, begin, is_main);
        profile.set_thread_name(handle, thread.name);
        if index == 0 {
            profile.add_initial_visible_thread(handle);
            profile.add_initial_selected_thread(handle);
        }
        making.add_samples(thread, handle, stacks);
    }
    serde_json::to_string(&making.profile)
}

fn time_of(ns: u64) -> Timestamp {
    Timestamp::from_nanos_since_reference(ns)
}

struct Making {
    profile: Profile,
    /// Names by [`FrameId`].
    names: Vec<StringHandle>,
    user: CategoryPairHandle,
    kernel: CategoryPairHandle,
    is_time: bool,
}

impl Making {
    fn new(name: &str, stacks: &Stacks) -> Self {
        let is_time = is_time(&stacks.event);
        let interval_ns = stacks.weight() / stacks.samples().max(1);
        let interval = SamplingInterval::from_nanos(if is_time { interval_ns } else { 1 });
        let epoch = ReferenceTimestamp::from_duration_since_unix_epoch(Duration::ZERO);
        let mut profile = Profile::new(name, epoch, interval);
        profile.set_symbolicated(true);
        let ids = 0..stacks.frame_count() as u32;
        let names = ids.map(|id| profile.intern_string(&stacks.frame(FrameId(id)).function));
        Self {
            names: names.collect(),
            user: profile.add_category("User", CategoryColor::Yellow).into(),
            kernel: profile.add_category("Kernel", CategoryColor::Orange).into(),
            is_time,
            profile,
        }
    }

    fn add_samples(&mut self, thread: &Thread<'_>, handle: ThreadHandle, stacks: &Stacks) {
        for sample in &thread.samples {
            let frames = sample.stack.frames.iter().rev();
            let frames: Vec<FrameInfo> = frames.map(|&id| self.frame(id, stacks)).collect();
            let profile = &mut self.profile;
            let stack = profile.intern_stack_frames(handle, frames.into_iter());
            let cpu = if self.is_time { sample.weight } else { 0 };
            let cpu = CpuDelta::from_nanos(cpu);
            let times = i32::try_from(sample.times).unwrap_or(i32::MAX);
            profile.add_sample(handle, time_of(sample.time_ns), stack, cpu, times);
        }
    }

    fn frame(&self, id: FrameId, stacks: &Stacks) -> FrameInfo {
        let is_kernel = stacks.frame(id).binary == KERNEL;
        FrameInfo {
            frame: Frame::Label(self.names[id.0 as usize]),
            category_pair: if is_kernel { self.kernel } else { self.user },
            flags: FrameFlags::empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;
    use serde_json::Value;

    #[test]
    fn each_stack_is_a_chain_of_named_frames() {
        let stacks = stacks(&[("main;f", 1)]);
        let text = firefox("p", &stacks, &Timeline::default()).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let thread = &file["threads"][0];
        assert_eq!(thread["samples"]["length"], 1);
        assert_eq!(thread["stackTable"]["length"], 2);
        for name in ["main", "f"] {
            assert!(text.contains(&format!("\"{name}\"")), "{text}");
        }
    }
}
