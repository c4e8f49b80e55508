//! Facts about the machine that recordings tell.

use crate::procfs;
use hone_profile::perf_data::Features;
use std::fs;

/// Returns the facts about the machine and the recorder's own command; everything else is left out.
pub(crate) fn features() -> Features {
    let text = |name: &str| procfs::setting::<String>(name).unwrap_or_default();
    let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu_info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or(String::new(), |(_, name)| name.trim().to_owned());
    Features {
        host: text("kernel/hostname"),
        kernel: text("kernel/osrelease"),
        arch: std::env::consts::ARCH.to_owned(),
        cpu,
        cpus_online: procfs::online_cpus().len() as u32,
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        ..Features::default()
    }
}
