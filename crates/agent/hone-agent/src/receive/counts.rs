//! Counters of what happened to the packets of a listener.
//!
//! The following holds for every listener while no packet is in progress:
//!
//! ```text
//! packets = handled + truncated + dropped
//! ```
//!
//! Data that was sent but is not in `packets` was dropped by the kernel (`kernel_drops`, datagrams), or belongs to a frame
//! that was never complete (`frames_too_long`, `frames_broken_off`: the connection is closed, so its client knows), or is a
//! line that was too long (`lines_too_long`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! counts {
    ($($(#[doc = $text:literal])+ $name:ident),+ $(,)?) => {
        /// Counters of packets by outcome. The numbers only grow.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Received {
            $($(#[doc = $text])+ pub $name: u64,)+
        }

        /// Shared counters of the packets of a listener. All threads add to them.
        #[derive(Debug, Default)]
        pub struct ReceiveCounts {
            $($name: AtomicU64,)+
        }

        impl ReceiveCounts {
            /// Returns the current numbers.
            pub fn now(&self) -> Received {
                Received { $($name: self.$name.load(Relaxed),)+ }
            }

            /// Adds the counts of a thread.
            pub(super) fn add(&self, counted: &Received) {
                $(if counted.$name != 0 {
                    self.$name.fetch_add(counted.$name, Relaxed);
                })+
            }
        }
    };
}

counts! {
    /// Datagrams, and whole frames of connections.
    packets,
    /// Bytes of these packets, without the length prefixes of frames.
    bytes,
    /// Packets that were handled, by themselves or merged with others.
    handled,
    /// Datagrams longer than the buffer, dropped: the end of a line may be missing, which could change its value.
    truncated,
    /// Packets dropped because no parcel became free within the receiver's waiting time: the workers do not keep up.
    dropped,
    /// Points of the SDK and lines of StatsD in the dropped packets.
    dropped_points,
    /// Datagrams dropped by the kernel because the receive buffer was full: the receivers do not keep up.
    kernel_drops,
    /// Parcels handed to workers.
    parcels,
    /// Connections accepted.
    connections,
    /// Connections closed at once because the limit on connections was reached.
    connections_refused,
    /// Connections closed because the client sent nothing during the idle time.
    connections_idle,
    /// Connections closed because the data was not TLS, or the client was not trusted.
    connections_insecure,
    /// Frames whose claimed length was above the limit. Their connections are closed.
    frames_too_long,
    /// Lines of streams that were longer than the limit on packets, dropped. Their connections stay open.
    lines_too_long,
    /// Data that is not a frame of another agent, where only such frames are accepted. The connections are closed.
    frames_foreign,
    /// Connections closed because the unfinished frames of all connections exceeded the memory limit.
    connections_without_room,
    /// Frames and lines whose connections were closed before their end.
    frames_broken_off,
    /// Failed calls that receive packets, accept connections or send answers.
    errors,
}

impl ReceiveCounts {
    /// Adds packets that a worker has handled.
    pub(super) fn handled(&self, packets: u64) {
        self.handled.fetch_add(packets, Relaxed);
    }
}
