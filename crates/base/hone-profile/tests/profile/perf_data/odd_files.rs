//! Files that are cut, broken, hostile, or use the rarer parts of the format.

mod code_names;
mod copies;
mod cut;
mod kinds_of_records;
mod mappings;
mod refused;
mod rounds;
