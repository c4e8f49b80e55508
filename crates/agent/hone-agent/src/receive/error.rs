use std::io;
use std::path::PathBuf;

/// Reasons why a listener cannot receive.
#[derive(thiserror::Error, Debug)]
pub enum ReceiveError {
    /// An invalid setting.
    #[error("listener {listener}: {what}")]
    Setting {
        /// The listener's name.
        listener: String,
        /// Description of the mistake.
        what: &'static str,
    },
    /// An address at which another process already listens.
    #[error("listener {listener}: another process already listens at {address}")]
    InUse {
        /// The listener's name.
        listener: String,
        /// The listener's address.
        address: String,
    },
    /// A file in place of the socket. The file is not replaced.
    #[error("listener {listener}: {} is there and is not a socket", path.display())]
    NoSocket {
        /// The listener's name.
        listener: String,
        /// Path of the file.
        path: PathBuf,
    },
    /// A system call that failed.
    #[error("listener {listener}: cannot {step} ({address}): {why}")]
    System {
        /// The listener's name.
        listener: String,
        /// The listener's address.
        address: String,
        /// Step that failed.
        step: &'static str,
        /// Error reported by the system.
        why: io::Error,
    },
    /// A socket passed by the service manager that does not fit the listener.
    #[error("listener {listener}: the socket passed under this name is no {wanted} socket")]
    Passed {
        /// The listener's name.
        listener: String,
        /// Kind of socket that the listener needs.
        wanted: &'static str,
    },
    /// A thread that could not be started.
    #[error("cannot start the thread {name}: {why}")]
    Thread {
        /// Name of the thread.
        name: String,
        /// Error reported by the system.
        why: io::Error,
    },
    /// Environment variables of the service manager that do not fit together.
    #[error("LISTEN_FDS={descriptors} and LISTEN_FDNAMES={names}: {what}")]
    Activation {
        /// Value of LISTEN_FDS.
        descriptors: String,
        /// Value of LISTEN_FDNAMES.
        names: String,
        /// Description of the mistake.
        what: &'static str,
    },
}
