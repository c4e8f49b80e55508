//! Optimisations of a program, as data: levers, variants, the plan; `hone.toml`; and the compiler wrapper that
//! puts a variant's flags into the user's own, unchanged build.
//!
//! The crate decides and describes; it starts no process. The command line (hone-cli) carries plans out.
//! The crate uses no other crate of Hone, so that a lever can be read, tested and added without the rest.
#![forbid(unsafe_code)]

pub mod action;
pub mod calls;
pub mod config;
pub mod ladder;
pub mod layout;
pub mod lever;
pub mod plan;
pub mod quantity;
pub mod search;
pub mod variant;
pub mod wrapper;

pub use action::{Action, BuildAction, Converted, ProfileAction, With};
pub use config::{ConfigError, Project, Workload};
pub use ladder::{Judgement, choose};
pub use lever::{Bundle, Lever, Need, Offer, ProfileSource, Step, Toolchain};
pub use plan::{Plan, PlanOptions, RungPlan};
pub use variant::{BuildKey, Inputs, Purpose, Rebuilt, Variant, VariantFlags};
