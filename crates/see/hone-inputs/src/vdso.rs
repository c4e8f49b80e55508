//! The vdso (the kernel's code in every process) as it was when a recording was made.

/// Returns the vdso of the running kernel, if `kernel` is its release: all processes of a kernel have the same vdso.
pub fn recorded_vdso(kernel: &str) -> Option<Vec<u8>> {
    match hone_record::kernel_release() == kernel {
        true => hone_record::vdso(),
        false => None,
    }
}
