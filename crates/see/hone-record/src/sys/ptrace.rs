//! ptrace requests, one function each.
//!
//! ptrace belongs to a thread, not a process: every function here has to be called from the thread that
//! seized the target. No function writes memory of the target, and the only function that writes a register is
//! [`restart_system_call`].

use super::checked;
use std::io;
use std::mem::MaybeUninit;

/// Stop reported by a `PTRACE_INTERRUPT`, a job-control stop or a new tracee.
pub(crate) const EVENT_STOP: i32 = 128;
/// Byte offset of a register in the kernel's user area.
const RIP: usize = std::mem::offset_of!(libc::user_regs_struct, rip);
const RAX: usize = std::mem::offset_of!(libc::user_regs_struct, rax);
/// The kernel's own mark for "restart this system call unless a handler runs".
const ERESTARTNOHAND: i64 = 514;

/// The note type of the XSAVE area.
const NT_X86_XSTATE: usize = 0x202;

/// The registers of a stopped thread.
pub(crate) type Registers = libc::user_regs_struct;

fn request(request: libc::c_uint, tid: i32, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: every request passed by this module takes plain numbers, not pointers, in `address` and
    // `data`, so no memory of this process is touched.
    checked(unsafe { libc::ptrace(request, tid, address, data) }).map(drop)
}

/// Returns the number of the calling thread, under which its tracees know it.
pub(crate) fn own_thread() -> i32 {
    // SAFETY: the call takes no arguments and cannot fail.
    unsafe { libc::gettid() }
}

/// Attaches without stopping; new threads, children and execs are followed and reported.
/// The target is left alone when the tracer ends: `PTRACE_O_EXITKILL` is not set.
pub(crate) fn seize(tid: i32) -> io::Result<()> {
    let options = libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACEEXEC;
    request(libc::PTRACE_SEIZE, tid, 0, options as usize)
}

/// Attaches to one thread without stopping it and follows nothing, for one look.
pub(crate) fn seize_alone(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, tid, 0, 0)
}

/// Asks a running thread to stop.
pub(crate) fn interrupt(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_INTERRUPT, tid, 0, 0)
}

/// Lets a stopped thread go on, with a signal or 0.
pub(crate) fn resume(tid: i32, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_CONT, tid, 0, signal as usize)
}

/// Leaves a thread in its job-control stop, but listens for its end.
pub(crate) fn listen(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_LISTEN, tid, 0, 0)
}

/// Runs one instruction of a stopped thread.
pub(crate) fn single_step(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_SINGLESTEP, tid, 0, 0)
}

/// Releases a stopped thread.
pub(crate) fn detach(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_DETACH, tid, 0, 0)
}

/// Releases a stopped thread and delivers the signal it was stopped for, or none for 0.
pub(crate) fn detach_with(tid: i32, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_DETACH, tid, 0, signal as usize)
}

/// Returns the address at which a stopped thread will go on.
pub(crate) fn instruction_pointer(tid: i32) -> io::Result<u64> {
    let mut value = 0_u64;
    // SAFETY: the raw system call (not the library's wrapper) stores one word at the last argument,
    // which is `value`, valid for writes through the call.
    checked(unsafe {
        libc::syscall(
            libc::SYS_ptrace,
            libc::PTRACE_PEEKUSER,
            tid,
            RIP,
            &raw mut value,
        )
    })?;
    Ok(value)
}

/// Returns all general registers of a stopped thread.
pub(crate) fn registers(tid: i32) -> io::Result<Registers> {
    let mut registers = MaybeUninit::<Registers>::uninit();
    // SAFETY: GETREGS fills the whole structure at the last argument, which is valid for writes.
    checked(unsafe { libc::ptrace(libc::PTRACE_GETREGS, tid, 0, registers.as_mut_ptr()) })?;
    // SAFETY: the successful call before has filled the whole structure.
    Ok(unsafe { registers.assume_init() })
}

/// Reads the XSAVE area of a stopped thread, up to `bytes` bytes, into `area`, which gets the length that the kernel wrote.
pub(crate) fn extended_state(tid: i32, area: &mut Vec<u8>, bytes: usize) -> io::Result<()> {
    area.resize(bytes, 0);
    let mut place = libc::iovec {
        iov_base: area.as_mut_ptr().cast(),
        iov_len: area.len(),
    };
    // SAFETY: `place` describes exactly the vector's bytes, which are borrowed mutably for the whole call;
    // the kernel writes at most that many bytes and stores the count in `place`.
    checked(unsafe { libc::ptrace(libc::PTRACE_GETREGSET, tid, NT_X86_XSTATE, &raw mut place) })?;
    area.truncate(place.iov_len);
    Ok(())
}

/// Makes the kernel restart the system call that our own stop has interrupted, unless a signal handler is
/// to run, exactly as the kernel does by itself for most calls.
pub(crate) fn restart_system_call(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_POKEUSER, tid, RAX, (-ERESTARTNOHAND) as usize)
}

/// Returns the message of a ptrace event: the new thread's id, or the former id of a thread after an exec.
pub(crate) fn event_message(tid: i32) -> io::Result<u64> {
    let mut message = 0_u64;
    // SAFETY: GETEVENTMSG stores one word at the last argument, valid for writes through the call.
    checked(unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, tid, 0, &raw mut message) })?;
    Ok(message)
}

/// Returns true if the signal of a signal stop was made by the processor's trace flag and not sent by anybody.
pub(crate) fn is_step_trap(tid: i32) -> io::Result<bool> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: GETSIGINFO fills the structure at the last argument, which is valid for writes.
    checked(unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, tid, 0, info.as_mut_ptr()) })?;
    // SAFETY: the structure was zeroed and then filled; every field that is read is a number.
    let info = unsafe { info.assume_init() };
    Ok(info.si_signo == libc::SIGTRAP && info.si_code > 0)
}
