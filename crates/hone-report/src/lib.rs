//! One report model and its four forms: terminal, Markdown, JSON and one self-contained HTML page.
#![forbid(unsafe_code)]

pub mod model;
