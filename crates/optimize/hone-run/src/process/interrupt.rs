//! Ctrl-C asks to stop; a second Ctrl-C ends the command at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static REQUESTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Lets SIGINT, SIGTERM and SIGHUP set the returned flag from now on, and runs end as interrupted. May be called often.
pub fn watch() -> &'static Arc<AtomicBool> {
    REQUESTED.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Neither call fails for these signals. The order matters: the first handler sees the flag still unset.
            let _ = signal_hook::flag::register_conditional_shutdown(
                signal,
                128 + signal,
                Arc::clone(&flag),
            );
            let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
        }
        flag
    })
}

/// True if somebody asked to stop since [`watch`] was called.
pub fn requested() -> bool {
    REQUESTED
        .get()
        .is_some_and(|flag| flag.load(Ordering::SeqCst))
}
