//! perf_event_open and the requests on its descriptors.

use super::checked;
use perf_event_open_sys as perf;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

pub(crate) use perf::bindings::perf_event_attr as Attr;

/// Threads or processes that a counter counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who<'f> {
    /// A thread; 0 for our own.
    Thread(i32),
    /// Everything that runs on a CPU.
    All,
    /// The processes of a cgroup, given by its open directory, and of the groups below it.
    Group(BorrowedFd<'f>),
}

/// Opens a counter on one CPU; for a thread also on any CPU (-1).
pub(crate) fn open(attr: &Attr, who: Who<'_>, cpu: i32) -> io::Result<OwnedFd> {
    let mut attr = *attr;
    attr.size = std::mem::size_of::<Attr>() as u32;
    let (id, of_group) = match who {
        Who::Thread(tid) => (tid, 0),
        Who::All => (-1, 0),
        Who::Group(directory) => (directory.as_raw_fd(), perf::bindings::PERF_FLAG_PID_CGROUP),
    };
    let flags = perf::bindings::PERF_FLAG_FD_CLOEXEC | of_group;
    // SAFETY: `attr` is initialised in full (its default is all zeroes) and lives through the call; the
    // kernel may only write its size field back. The descriptor of a group is open as long as its borrow.
    let fd = unsafe { perf::perf_event_open(&mut attr, id, cpu, -1, flags.into()) };
    let fd = checked(fd)? as RawFd;
    // SAFETY: the kernel has just made this descriptor for us; no other owner of it exists.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Returns the bytes of an attribute, in the form of the file.
pub(crate) fn attr_bytes(attr: &Attr) -> Vec<u8> {
    let len = std::mem::size_of::<Attr>();
    // SAFETY: the structure has no padding (the kernel's interface rules it out) and its default zeroes
    // every byte, so all `len` bytes are initialised; they are borrowed only until copied.
    unsafe { std::slice::from_raw_parts((&raw const *attr).cast::<u8>(), len) }.to_vec()
}

/// Returns the id that records of this counter carry.
pub(crate) fn id(fd: BorrowedFd<'_>) -> io::Result<u64> {
    let mut id = 0;
    // SAFETY: the request stores one u64 at `id`, valid for writes through the call.
    checked(unsafe { perf::ioctls::ID(fd.as_raw_fd(), &mut id) })?;
    Ok(id)
}

/// Starts counting.
pub(crate) fn enable(fd: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the request takes a number and touches no memory of ours.
    checked(unsafe { perf::ioctls::ENABLE(fd.as_raw_fd(), 0) }).map(drop)
}

/// Stops counting.
pub(crate) fn disable(fd: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the request takes a number and touches no memory of ours.
    checked(unsafe { perf::ioctls::DISABLE(fd.as_raw_fd(), 0) }).map(drop)
}

/// Changes the rate of a counter: the period of a kernel's timer, in nanoseconds, or the frequency of a hardware
/// counter. Threads that have already inherited the counter keep their rate.
pub(crate) fn set_period(fd: BorrowedFd<'_>, value: u64) -> io::Result<()> {
    let mut value = value;
    // SAFETY: the request reads one u64 at the pointer, which is initialised and lives through the call.
    checked(unsafe { libc::ioctl(fd.as_raw_fd(), perf::bindings::PERIOD as _, &raw mut value) })
        .map(drop)
}

/// Sends the records of a counter into the ring of another one.
pub(crate) fn redirect(fd: BorrowedFd<'_>, to: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the request takes two descriptors, both open as long as their borrows.
    checked(unsafe { perf::ioctls::SET_OUTPUT(fd.as_raw_fd(), to.as_raw_fd()) }).map(drop)
}

/// Returns the counter's value.
pub(crate) fn count(fd: BorrowedFd<'_>) -> io::Result<u64> {
    let mut value = [0_u8; 8];
    // SAFETY: at most 8 bytes are stored in `value`, which has 8 and lives through the call.
    checked(unsafe { libc::read(fd.as_raw_fd(), value.as_mut_ptr().cast(), value.len()) } as i64)?;
    Ok(u64::from_ne_bytes(value))
}
