//! What a page of `hone view` carries.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use std::io::Read as _;

/// Returns the JSON with the names, the recordings and the findings of a page.
///
/// # Panics
///
/// Panics if the page has none, or they cannot be unpacked.
pub fn names(page: &str) -> String {
    let begin = page.split_once(r#"id="names">"#).expect("names").1;
    let packed = begin.split_once('<').expect("their end").0;
    let bytes = STANDARD.decode(packed).expect("base64");
    let mut text = String::new();
    let unpacked = GzDecoder::new(&bytes[..]).read_to_string(&mut text);
    unpacked.expect("gzipped text");
    text
}
