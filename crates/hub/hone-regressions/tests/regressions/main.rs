//! Looks at made histories: what is planted is found, and what is no regression is not.

mod found;
mod level;
mod made;
