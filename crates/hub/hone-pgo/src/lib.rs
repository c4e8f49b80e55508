//! Continuous PGO: what a fleet's hosts sent of a service becomes one profile for its compiler, judged and signed.
//!
//! ```text
//! batches ──seen──▶ sums by host, build, age ──weights──▶ caps, decay, strata
//!    └────────────────────summed──────────────────────────▶ one sum for each build
//! sums ──joined──▶ profile by source, fitted to the target build ──▶ AutoFDO, GCC
//!      ──go──▶ calls of all builds ──▶ Go
//!      ──one_build──▶ profile of the target build alone ──▶ BOLT, orders
//! halves ──as the whole──▶ two profiles, whose overlap is what the next profile will have in common with this one
//! profile ──quality, gates──▶ fit to use?  ──keep──▶ the former one stays?  ──manifest, sign, files──▶ published
//! ```
//!
//! Constraints that shaped this crate ([0060](../../../../docs/decisions/0060-one-profile-of-a-fleet.md)):
//! - The crate is pure: the caller has batches, binaries, time and keys, and writes the files. So the command, which has the
//!   binary, and the hub, which has the symbols, make the same profile.
//! - The same batches give the same bytes, in whatever order they come.
//! - One loud host, an old build or a stale week cannot decide alone, and what is not fit for use says why.

#![forbid(unsafe_code)]

mod builds;
mod counts;
mod error;
mod files;
mod form;
mod gates;
mod go;
mod halves;
mod join;
mod keep;
mod make;
mod manifest;
mod observations;
mod one_build;
mod quality;
mod settings;
mod sign;
mod sums;
mod weights;

pub use builds::Builds;
pub use error::PgoError;
pub use files::{File, manifest_path, profile_path, signature_path};
pub use form::Form;
pub use gates::{Gate, GateName};
pub use halves::HalvesOf;
pub use keep::{Decision, Former};
pub use make::{HOSTS_APART_MAX, Made, Question, Target, capped_hosts, hosts_of_few, make};
pub use manifest::{FORMAT, Function, Manifest, ManifestError, sha256};
pub use quality::{Basis, Input, Quality};
pub use settings::{GateLimits, Hysteresis, Settings, Strata};
pub use sign::{PublicKey, SIGNATURE_BYTES, SecretKey, SignError};
