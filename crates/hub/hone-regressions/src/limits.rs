//! Limits on what steps of time may hold, and thresholds of what is said of them.

/// Hosts of a step that are told apart. Those of a larger fleet are put into as many groups, which are units as well.
pub const HOSTS_MAX: usize = 64;
/// Functions of a step, the heaviest; the weight of further ones only counts in the whole.
pub const FUNCTIONS_MAX: usize = 2_000;
/// Builds of a step, the heaviest; further ones are one build without a name.
pub const BUILDS_MAX: usize = 8;
/// Pairs of caller and callee of a step, the heaviest.
pub const CALLS_MAX: usize = 16_000;
/// Functions of a history.
pub const HISTORY_FUNCTIONS_MAX: usize = 6_000;
/// Bytes of a step when it is unpacked.
pub const STEP_BYTES_MAX: usize = 64 << 20;
/// Bytes of the name of a function, a host or a build; longer ones are cut.
pub const NAME_BYTES_MAX: usize = 400;

/// Earlier days that a day is compared with, at most.
pub const DAYS_MAX: u64 = 7;
/// Earlier days without which nothing is said over time: six in a row have a day of a weekend and a working day.
pub const DAYS_MIN: usize = 6;
/// Units without which nothing is said: as [`hone_measure::fleet::HOSTS_MIN`].
pub const UNITS_MIN: usize = hone_measure::fleet::HOSTS_MIN;
/// Units of the new build, where it runs on other hosts than the old one, without which nothing is said.
pub const UNITS_OF_NEW_MIN: usize = hone_measure::fleet::INSTANCES_MIN;
/// Share of the service's weight that a build must have to be compared.
pub const BUILD_SHARE_MIN: f64 = 0.01;
/// Samples of a function, in what is compared, without which the function is not tested.
pub const SAMPLES_MIN: f64 = 50.0;
/// Times the median weight of a unit that a unit may weigh.
pub const WEIGHT_MAX: f64 = 3.0;
