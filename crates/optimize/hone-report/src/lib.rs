//! One report model and its four forms: terminal, Markdown, JSON and one self-contained HTML page.
//!
//! Every form is a pure function of [`model::LadderReport`]. The sentences that all forms share are in
//! [`words`]; the formats of numbers are in [`number`].
#![forbid(unsafe_code)]

pub mod axis;
mod figures;
pub mod html;
pub mod json;
pub mod markdown;
pub mod model;
pub mod note;
pub mod number;
pub mod sentences;
pub mod terminal;
pub mod text;
