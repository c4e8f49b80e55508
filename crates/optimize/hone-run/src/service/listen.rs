//! Finds out whether a process tree listens beyond loopback.

use std::collections::HashSet;
use std::path::Path;

use crate::process::tree::Descendant;

/// The state of a listening socket in /proc/net/tcp.
const LISTEN: &str = "0A";

/// True if one of the processes has a TCP socket that other machines could reach.
pub(super) fn is_exposed(processes: &[Descendant]) -> bool {
    let mut open = HashSet::new();
    for name in ["tcp", "tcp6"] {
        let table = std::fs::read_to_string(Path::new("/proc/net").join(name));
        open.extend(exposed(&table.unwrap_or_default()));
    }
    let pids = processes.iter().map(|one| one.pid.as_raw_nonzero().get());
    !open.is_empty() && pids.flat_map(sockets).any(|inode| open.contains(&inode))
}

/// Lists the inodes of the sockets that listen beyond loopback, from a table in /proc/net.
fn exposed(table: &str) -> Vec<u64> {
    let of_line = |line: &str| {
        let fields: Vec<_> = line.split_ascii_whitespace().collect();
        let (address, _) = fields.get(1)?.split_once(':')?;
        let is_open = *fields.get(3)? == LISTEN && !is_loopback(address);
        let inode = fields.get(9)?.parse().ok()?;
        is_open.then_some(inode)
    };
    table.lines().filter_map(of_line).collect()
}

/// True if an address in the kernel's notation (words in the machine's order) is 127.0.0.0/8, ::1, or 127.0.0.0/8
/// mapped into IPv6.
fn is_loopback(address: &str) -> bool {
    match address.len() {
        8 => address.ends_with("7F"),
        _ => {
            address == "00000000000000000000000001000000"
                || (address.starts_with("0000000000000000FFFF0000") && address.ends_with("7F"))
        }
    }
}

/// Lists the inodes of a process's sockets.
fn sockets(pid: i32) -> Vec<u64> {
    let Ok(entries) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
        return Vec::new();
    };
    let inode = |entry: std::fs::DirEntry| {
        let target = std::fs::read_link(entry.path()).ok()?;
        let inode = target
            .to_str()?
            .strip_prefix("socket:[")?
            .strip_suffix(']')?;
        inode.parse().ok()
    };
    entries.flatten().filter_map(inode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_told_from_all_addresses() {
        let line = |address: &str, state: &str, inode: u32| {
            format!(
                "   0: {address}:1A0B 00000000:0000 {state} 00000000:00000000 00:00000000 00000000     \
                 0        0 {inode} 1 0 100 0 0 10 0"
            )
        };
        let table = [
            line("0100007F", "0A", 1),
            line("00000000", "0A", 2),
            line("00000000", "01", 3),
            line("00000000000000000000000001000000", "0A", 4),
            line("00000000000000000000000000000000", "0A", 5),
            line("0000000000000000FFFF00000100007F", "0A", 6),
        ];
        assert_eq!(exposed(&table.join("\n")), [2, 5]);
    }

    #[test]
    fn a_listener_on_all_addresses_is_seen() {
        let _alone = crate::service::listening_alone();
        let own = |pid: i32| Descendant {
            pid: rustix::process::Pid::from_raw(pid).unwrap(),
            name: "test".into(),
            parent: 0,
        };
        let me = [own(i32::try_from(std::process::id()).unwrap())];
        assert!(!is_exposed(&me));
        let _inside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!is_exposed(&me));
        let _outside = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
        assert!(is_exposed(&me));
    }
}
