use std::io;
use std::path::PathBuf;

/// Why nothing can be received.
#[derive(thiserror::Error, Debug)]
pub enum ReceiveError {
    /// A setting that cannot be.
    #[error("listener {listener}: {what}")]
    Setting {
        /// The listener's name.
        listener: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Another process receives there.
    #[error("listener {listener}: another process already listens at {address}")]
    InUse {
        /// The listener's name.
        listener: String,
        /// Its address.
        address: String,
    },
    /// There is a file in place of the socket, which is not replaced.
    #[error("listener {listener}: {} is there and is no socket", path.display())]
    NoSocket {
        /// The listener's name.
        listener: String,
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("listener {listener}: cannot {step} ({address}): {why}")]
    System {
        /// The listener's name.
        listener: String,
        /// Its address.
        address: String,
        /// What failed.
        step: &'static str,
        /// What the system says.
        why: io::Error,
    },
    /// A socket that the service manager passed is not what the listener is.
    #[error("listener {listener}: the socket passed under this name is no {wanted} socket")]
    Passed {
        /// The listener's name.
        listener: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// No thread could be started.
    #[error("cannot start the thread {name}: {why}")]
    Thread {
        /// What it was for.
        name: String,
        /// What the system says.
        why: io::Error,
    },
    /// Environment variables of the service manager do not fit together.
    #[error("LISTEN_FDS={descriptors} and LISTEN_FDNAMES={names}: {what}")]
    Activation {
        /// How many sockets it says there are.
        descriptors: String,
        /// Their names.
        names: String,
        /// What is wrong.
        what: &'static str,
    },
}
