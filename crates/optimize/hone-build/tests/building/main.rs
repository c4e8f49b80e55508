//! Levers and projects: in the hands of the real compilers, in the guide, and damaged.

mod damage;
mod flags;
mod gap;
mod guide;
