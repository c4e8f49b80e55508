//! How pages look, held against how they looked when somebody last looked at them.
//!
//! What is kept of a page is its picture in cells of 16 by 16 pixels, each the mean of its colours: letters of another font, or drawn by another
//! version of the browser, hardly change a cell, and what moves, vanishes or changes its colour does.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::browser::headless;

/// Width and height of a cell in pixels.
const CELL: usize = 16;
/// Difference of a cell in one of its colours, of 255, from which on the cell looks otherwise.
const OTHERWISE: u8 = 40;
/// Part of the cells that may look otherwise.
const SHARE_MAX: f64 = 0.03;
/// Time that the page has, in milliseconds as it counts them.
const TIME_MS: u32 = 10_000;

/// A picture: three colours for each pixel, in rows.
struct Picture {
    width: usize,
    colours: Vec<u8>,
}

/// Holds a page at an address against what is kept of it in the file `kept`, which `HONE_SCREENSHOTS=keep` writes anew. `size` is width and height
/// of the window, `options` are further ones of the browser.
///
/// # Panics
///
/// If the page looks otherwise, if nothing is kept of it, and if the browser draws nothing.
pub fn assert_looks_as_kept(
    browser: &str,
    address: &str,
    size: (u32, u32),
    options: &[&str],
    kept: &Path,
) {
    let directory = tempfile::tempdir().unwrap();
    let drawn = directory.path().join("drawn.png");
    draw(browser, address, size, options, directory.path(), &drawn);
    let now = cells(&decoded(
        &fs::read(&drawn).expect("the browser draws the page"),
    ));
    if std::env::var_os("HONE_SCREENSHOTS").is_some_and(|what| what == "keep") {
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        fs::write(kept, encoded(&now)).unwrap();
        return;
    }
    let before = fs::read(kept).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; next step: HONE_SCREENSHOTS=keep",
            kept.display()
        )
    });
    let share = share_otherwise(&decoded(&before), &now);
    if share > SHARE_MAX {
        let shown = shown_at(kept);
        fs::copy(&drawn, &shown).unwrap();
        panic!(
            "{:.1} % of {} look otherwise than in {}; next step: look at it, and run this test with HONE_SCREENSHOTS=keep if it shall look so",
            share * 100.0,
            shown.display(),
            kept.display()
        );
    }
}

fn draw(
    browser: &str,
    address: &str,
    size: (u32, u32),
    options: &[&str],
    profile: &Path,
    to: &Path,
) {
    let status = headless(browser, &profile.join("profile"), size)
        .arg("--hide-scrollbars")
        .arg(format!("--virtual-time-budget={TIME_MS}"))
        .arg(format!("--screenshot={}", to.display()))
        .args(options)
        .arg(address)
        .status()
        .unwrap();
    assert!(status.success(), "the browser ended with {status}");
}

/// Where a page that looks otherwise is shown.
fn shown_at(kept: &Path) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
    fs::create_dir_all(&directory).unwrap();
    directory.join(kept.file_name().unwrap())
}

fn decoded(bytes: &[u8]) -> Picture {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    let mut colours = vec![
        0;
        reader
            .output_buffer_size()
            .expect("a picture of usual size")
    ];
    let frame = reader.next_frame(&mut colours).expect("a whole PNG");
    let channels = frame.color_type.samples();
    assert!(channels >= 3, "a picture without colours");
    let pixels = colours[..frame.buffer_size()].chunks_exact(channels);
    Picture {
        width: frame.width as usize,
        colours: pixels
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect(),
    }
}

fn encoded(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let height = picture.colours.len() / 3 / picture.width;
    let mut encoder = png::Encoder::new(&mut bytes, picture.width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&picture.colours).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Returns a picture with a pixel for each whole cell of another one.
fn cells(picture: &Picture) -> Picture {
    let Picture { width, colours } = picture;
    let height = colours.len() / 3 / width;
    let (across, down) = (width / CELL, height / CELL);
    let mut means = Vec::with_capacity(across * down * 3);
    for cell in 0..across * down {
        let (left, top) = (cell % across * CELL, cell / across * CELL);
        for colour in 0..3 {
            let rows = (top..top + CELL).flat_map(|y| (left..left + CELL).map(move |x| (x, y)));
            let sum: usize = rows
                .map(|(x, y)| usize::from(colours[(y * width + x) * 3 + colour]))
                .sum();
            means.push((sum / (CELL * CELL)) as u8);
        }
    }
    Picture {
        width: across,
        colours: means,
    }
}

/// Returns the part of the pixels that look otherwise; of pictures of different size all.
fn share_otherwise(before: &Picture, now: &Picture) -> f64 {
    if (before.width, before.colours.len()) != (now.width, now.colours.len()) {
        return 1.0;
    }
    let pixels = before
        .colours
        .chunks_exact(3)
        .zip(now.colours.chunks_exact(3));
    let otherwise = pixels.filter(|(before, now)| {
        let mut both = before.iter().zip(*now);
        both.any(|(before, now)| before.abs_diff(*now) > OTHERWISE)
    });
    otherwise.count() as f64 / (before.colours.len() / 3) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White, with a black square from one corner on.
    fn square(size: usize, from: usize) -> Picture {
        let colour = |at: usize| match at % size >= from && at / size >= from {
            true => 0,
            false => 255,
        };
        Picture {
            width: size,
            colours: (0..size * size).flat_map(|at| [colour(at); 3]).collect(),
        }
    }

    #[test]
    fn a_picture_is_kept_in_cells_and_read_back() {
        let made = cells(&square(64, 32));
        assert_eq!((made.width, made.colours.len()), (4, 48));
        assert_eq!(made.colours[0], 255);
        assert_eq!(made.colours[47], 0);
        let read = decoded(&encoded(&made));
        assert_eq!(read.colours, made.colours);
    }

    #[test]
    fn what_moves_far_looks_otherwise_and_what_moves_little_does_not() {
        let before = cells(&square(160, 80));
        assert!(share_otherwise(&before, &cells(&square(160, 82))) <= 0.01);
        assert!(share_otherwise(&before, &cells(&square(160, 128))) > 0.1);
        assert_eq!(share_otherwise(&before, &cells(&square(64, 32))), 1.0);
    }
}
