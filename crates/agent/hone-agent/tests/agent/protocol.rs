//! Packets of every protocol: as clients write them, cut, mutated and made of nothing but chance.

mod canonical;
mod kept;
mod merge;
mod mutated;
mod sdk;
mod statsd;
mod statsd_by_chance;
mod tag_styles;
