//! Time in mutexes and in waiting for them.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "pthread_mutex_lock*",
    "___pthread_mutex_lock",
    "__pthread_mutex_lock*",
    "pthread_mutex_unlock*",
    "___pthread_mutex_unlock",
    "__pthread_mutex_unlock*",
    "pthread_mutex_trylock",
    "__lll_lock_wait*",
    "__lll_lock_wake*",
    "lll_mutex_lock*",
    "pthread_rwlock_*",
    "___pthread_rwlock_*",
    "__pthread_rwlock_*",
    "pthread_spin_lock",
    "std::mutex::lock",
    "std::sys::sync::mutex::*",
    "<std::sys::sync::mutex*",
    "parking_lot*",
    "runtime.lock2",
    "runtime.unlock2",
    "sync.(*Mutex)*",
    "sync.(*RWMutex)*",
    "internal/sync.(*Mutex)*",
    "futex_wait*",
    "futex_wake*",
    "do_futex",
    "__x64_sys_futex",
    "native_queued_spin_lock_slowpath",
    "__pv_queued_spin_lock_slowpath",
    "rwsem_down_*",
];

pub(super) const RULE: Rule = Rule {
    name: "locks",
    title: "Much time goes into locks",
    needs: &[],
    threshold: 0.03,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if no lock was taken",
    saves: Saves::Kernel,
    confidence: Confidence::Medium,
    levers: &["mimalloc"],
    change: "Hold locks for less, shard what they guard, or give each thread its own and merge; hone record samples CPU time only, so time asleep comes on top.",
    not_when: "The locks are in an idle part that only waits.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
