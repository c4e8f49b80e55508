//! The machine's description, as every report carries it.

use std::fs;

use hone_record::Capabilities;
use hone_report::model::Machine;

/// Describes this machine; tries the hardware's counters too.
pub fn describe() -> Machine {
    describe_with(&hone_record::capabilities())
}

/// Describes this machine, if the capabilities are known already.
pub fn describe_with(capabilities: &Capabilities) -> Machine {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = CpuInfo::read();
    let first_line = |path: &str| read(path).trim().to_owned();
    Machine {
        cpu: cpuinfo.model().unwrap_or(std::env::consts::ARCH).to_owned(),
        cpus: cpus(&read("/sys/devices/system/cpu/online")).unwrap_or_else(cpus_of_this_process),
        memory_bytes: memory_bytes(&read("/proc/meminfo")).unwrap_or(0),
        kernel: first_line("/proc/sys/kernel/osrelease"),
        os: os_name(&read("/etc/os-release")).unwrap_or_else(|| std::env::consts::OS.to_owned()),
        hypervisor: hypervisor(&Traces {
            flagged: cpuinfo.flags().any(|flag| flag == "hypervisor"),
            kind: first_line("/sys/hypervisor/type"),
            vendor: first_line("/sys/class/dmi/id/sys_vendor"),
            product: first_line("/sys/class/dmi/id/product_name"),
        }),
        hardware_counters: capabilities.hardware_cycles.works,
        hardware_branch_records: capabilities.branch_stack.works,
    }
}

/// True if packages are Debian's.
pub fn is_debian_like() -> bool {
    let os = fs::read_to_string("/etc/os-release").unwrap_or_default();
    ["ID", "ID_LIKE"]
        .iter()
        .filter_map(|key| os_field(&os, key))
        .any(|value| {
            value
                .split_ascii_whitespace()
                .any(|id| id == "debian" || id == "ubuntu")
        })
}

/// The kernel's description of the CPUs.
pub struct CpuInfo(String);

impl CpuInfo {
    /// Reads /proc/cpuinfo; empty if the file cannot be read.
    pub fn read() -> Self {
        Self(fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
    }

    /// The model of the first CPU, in the kernel's words.
    pub fn model(&self) -> Option<&str> {
        self.field("model name")
    }

    /// Features of the first CPU, in the kernel's words.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.field("flags").unwrap_or("").split_ascii_whitespace()
    }

    fn field(&self, key: &str) -> Option<&str> {
        self.0.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim())
        })
    }
}

/// Counts the CPUs in a list such as `0-3,8`.
fn cpus(list: &str) -> Option<u32> {
    list.trim().split(',').try_fold(0u32, |sum, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        sum.checked_add(last.checked_sub(first)?.checked_add(1)?)
    })
}

fn cpus_of_this_process() -> u32 {
    let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn memory_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

fn os_name(os_release: &str) -> Option<String> {
    os_field(os_release, "PRETTY_NAME")
}

fn os_field(os_release: &str, key: &str) -> Option<String> {
    os_release.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.strip_prefix('=')?;
        Some(value.trim_matches('"').to_owned())
    })
}

/// Signs of a hypervisor.
struct Traces {
    /// True if the CPU says that it is virtual.
    flagged: bool,
    /// Content of /sys/hypervisor/type.
    kind: String,
    /// Vendor of the firmware.
    vendor: String,
    /// Product of the firmware.
    product: String,
}

/// Firmware vendors that only hypervisors have; Google and Microsoft also sell hardware.
const VIRTUAL_VENDORS: [&str; 6] = [
    "QEMU",
    "Amazon EC2",
    "Xen",
    "innotek GmbH",
    "VMware, Inc.",
    "Alibaba Cloud",
];

fn hypervisor(traces: &Traces) -> Option<String> {
    if !traces.kind.is_empty() {
        return Some(traces.kind.clone());
    }
    let metal = traces.product.contains("metal");
    let virtual_vendor = VIRTUAL_VENDORS.contains(&traces.vendor.as_str()) && !metal;
    if !traces.flagged && !virtual_vendor {
        return None;
    }
    let name = match traces.product.strip_prefix(&traces.vendor) {
        Some(_) => traces.product.clone(),
        None => format!("{} {}", traces.vendor, traces.product)
            .trim()
            .to_owned(),
    };
    Some(if name.is_empty() {
        "unnamed".into()
    } else {
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu sse hypervisor lm\n\n\
                           processor\t: 1\nmodel name\t: Other\n";

    #[test]
    fn proc_files() {
        let info = CpuInfo(CPUINFO.to_owned());
        assert_eq!(info.model(), Some("AMD EPYC"));
        assert!(info.flags().eq(["fpu", "sse", "hypervisor", "lm"]));
        assert_eq!(memory_bytes("MemFree: 1 kB\n"), None);
        assert_eq!(
            memory_bytes("MemTotal:       2048 kB\nMemFree: 1 kB\n"),
            Some(2048 * 1024)
        );
        let os = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n";
        assert_eq!(os_name(os).as_deref(), Some("Debian GNU/Linux 12"));
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(cpus("0-1\n"), Some(2));
        assert_eq!(cpus("0\n"), Some(1));
        assert_eq!(cpus("0-3,8,10-11"), Some(7));
        assert_eq!(cpus(""), None);
        assert_eq!(cpus("3-1"), None);
    }

    #[test]
    fn hypervisors_by_flag_vendor_or_kind() {
        let traces = |flagged, kind: &str, vendor: &str, product: &str| {
            hypervisor(&Traces {
                flagged,
                kind: kind.into(),
                vendor: vendor.into(),
                product: product.into(),
            })
        };
        assert_eq!(traces(false, "", "Dell Inc.", "R740"), None);
        assert_eq!(traces(false, "", "Amazon EC2", "c5.metal"), None);
        assert_eq!(traces(true, "", "", "").as_deref(), Some("unnamed"));
        assert_eq!(traces(true, "xen", "Xen", "HVM").as_deref(), Some("xen"));
        let google = traces(true, "", "Google", "Google Compute Engine");
        assert_eq!(google.as_deref(), Some("Google Compute Engine"));
        assert_eq!(
            traces(false, "", "QEMU", "Standard PC").as_deref(),
            Some("QEMU Standard PC")
        );
    }
}
