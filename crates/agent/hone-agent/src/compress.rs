//! Compression of bodies, and decompression with a limit.
//!
//! A [`Compressor`] keeps its tables from body to body. Decompression serves the relay's receiver, endpoints that
//! refuse the offered format, and tests.

/// Compression of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// No compression.
    None,
    /// Snappy's block format, which remote write uses.
    Snappy,
    /// Zstandard, level 1 to 22; negative levels are faster still.
    Zstd(i32),
    /// Gzip by libdeflate, level 1 to 12.
    Gzip(u8),
    /// Deflate with zlib's header (HTTP's `deflate`) by libdeflate, level 1 to 12.
    Zlib(u8),
}

impl Compression {
    /// Returns the name of the compression for `Content-Encoding`.
    pub fn content_encoding(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Snappy => Some("snappy"),
            Self::Zstd(_) => Some("zstd"),
            Self::Gzip(_) => Some("gzip"),
            Self::Zlib(_) => Some("deflate"),
        }
    }
}

/// Errors of compression.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompressError {
    /// The level does not exist.
    #[error("{compression:?} has no level {level}, only {least} to {most}")]
    Level {
        /// Name of the compression.
        compression: &'static str,
        /// Requested level.
        level: i32,
        /// Lowest level.
        least: i32,
        /// Highest level.
        most: i32,
    },
    /// The library failed: the body is too large for it, or memory is short.
    #[error("cannot compress {bytes} bytes: {why}")]
    Library {
        /// Number of bytes passed in.
        bytes: usize,
        /// Message of the library.
        why: String,
    },
}

/// Compressor of bodies, one after the other.
pub struct Compressor {
    compression: Compression,
    engine: Engine,
}

enum Engine {
    None,
    Snappy(Box<snap::raw::Encoder>),
    Zstd(zstd::bulk::Compressor<'static>),
    Deflate(libdeflater::Compressor),
}

impl Compressor {
    /// Returns a compressor for the given compression and level.
    ///
    /// # Errors
    /// If the level does not exist.
    pub fn new(compression: Compression) -> Result<Self, CompressError> {
        let engine = match compression {
            Compression::None => Engine::None,
            Compression::Snappy => Engine::Snappy(Box::new(snap::raw::Encoder::new())),
            Compression::Zstd(level) => {
                let range = zstd::compression_level_range();
                within("zstd", level, *range.start(), *range.end())?;
                let engine = zstd::bulk::Compressor::new(level);
                Engine::Zstd(engine.map_err(|error| library(0, error))?)
            }
            Compression::Gzip(level) => Engine::Deflate(deflate("gzip", level)?),
            Compression::Zlib(level) => Engine::Deflate(deflate("deflate", level)?),
        };
        Ok(Self {
            compression,
            engine,
        })
    }

    /// Compression that the compressor produces.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Compresses a body.
    ///
    /// # Errors
    /// If the body is too large for the library: 4 GiB for snappy.
    pub fn compress(&mut self, body: &[u8]) -> Result<Vec<u8>, CompressError> {
        match &mut self.engine {
            Engine::None => Ok(body.to_vec()),
            Engine::Snappy(engine) => engine
                .compress_vec(body)
                .map_err(|error| library(body.len(), error)),
            Engine::Zstd(engine) => engine
                .compress(body)
                .map_err(|error| library(body.len(), error)),
            Engine::Deflate(engine) => {
                let is_gzip = matches!(self.compression, Compression::Gzip(_));
                let bound = match is_gzip {
                    true => engine.gzip_compress_bound(body.len()),
                    false => engine.zlib_compress_bound(body.len()),
                };
                let mut packed = vec![0; bound];
                let length = match is_gzip {
                    true => engine.gzip_compress(body, &mut packed),
                    false => engine.zlib_compress(body, &mut packed),
                };
                packed.truncate(length.map_err(|error| library(body.len(), error))?);
                Ok(packed)
            }
        }
    }
}

fn deflate(name: &'static str, level: u8) -> Result<libdeflater::Compressor, CompressError> {
    within(name, i32::from(level), 1, 12)?;
    let level = libdeflater::CompressionLvl::new(i32::from(level)).expect("1 to 12 are its levels");
    Ok(libdeflater::Compressor::new(level))
}

fn within(
    compression: &'static str,
    level: i32,
    least: i32,
    most: i32,
) -> Result<(), CompressError> {
    if (least..=most).contains(&level) {
        return Ok(());
    }
    Err(CompressError::Level {
        compression,
        level,
        least,
        most,
    })
}

fn library(bytes: usize, why: impl ToString) -> CompressError {
    let why = why.to_string();
    CompressError::Library { bytes, why }
}

/// Result of decompression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decompressed {
    /// The body.
    Whole(Vec<u8>),
    /// The body would be longer than allowed.
    TooLong,
    /// The bytes are not what they claim to be, or end early.
    Damaged,
}

/// Decompresses `packed` to at most `bytes_max` bytes. The level does not matter.
///
/// A length that snappy's header claims is checked against the number of packed bytes: one byte makes at most 64.
pub fn decompress(compression: Compression, packed: &[u8], bytes_max: usize) -> Decompressed {
    match compression {
        Compression::None if packed.len() > bytes_max => Decompressed::TooLong,
        Compression::None => Decompressed::Whole(packed.to_vec()),
        Compression::Snappy => snappy(packed, bytes_max),
        Compression::Zstd(_) => zstandard(packed, bytes_max),
        Compression::Gzip(_) | Compression::Zlib(_) => inflate(compression, packed, bytes_max),
    }
}

fn snappy(packed: &[u8], bytes_max: usize) -> Decompressed {
    match snap::raw::decompress_len(packed) {
        Ok(length) if length > bytes_max => return Decompressed::TooLong,
        Ok(length) if length <= packed.len().saturating_mul(64) => {}
        _ => return Decompressed::Damaged,
    }
    match snap::raw::Decoder::new().decompress_vec(packed) {
        Ok(body) => Decompressed::Whole(body),
        Err(_) => Decompressed::Damaged,
    }
}

/// Decompresses in pieces, so that memory grows with the bytes that are really there.
fn zstandard(packed: &[u8], bytes_max: usize) -> Decompressed {
    use std::io::Read;
    let Ok(decoder) = zstd::stream::read::Decoder::with_buffer(packed) else {
        return Decompressed::Damaged;
    };
    let mut body = Vec::new();
    let read = decoder.take(bytes_max as u64 + 1).read_to_end(&mut body);
    match read {
        Ok(length) if length > bytes_max => Decompressed::TooLong,
        Ok(_) => Decompressed::Whole(body),
        Err(_) => Decompressed::Damaged,
    }
}

/// Decompresses with libdeflate, which wants the space beforehand: the space is doubled until the body fits or the
/// limit is reached.
fn inflate(compression: Compression, packed: &[u8], bytes_max: usize) -> Decompressed {
    let mut engine = libdeflater::Decompressor::new();
    let mut space = packed.len().saturating_mul(4).max(64).min(bytes_max);
    loop {
        let mut body = vec![0; space];
        let length = match compression {
            Compression::Gzip(_) => engine.gzip_decompress(packed, &mut body),
            _ => engine.zlib_decompress(packed, &mut body),
        };
        match length {
            Ok(length) => {
                body.truncate(length);
                return Decompressed::Whole(body);
            }
            Err(libdeflater::DecompressionError::InsufficientSpace) if space < bytes_max => {
                space = space.saturating_mul(2).min(bytes_max);
            }
            Err(libdeflater::DecompressionError::InsufficientSpace) => {
                return Decompressed::TooLong;
            }
            Err(libdeflater::DecompressionError::BadData) => return Decompressed::Damaged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Compression; 7] = [
        Compression::None,
        Compression::Snappy,
        Compression::Zstd(1),
        Compression::Zstd(9),
        Compression::Zstd(-5),
        Compression::Gzip(6),
        Compression::Zlib(12),
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn bodies_come_back(piece in proptest::collection::vec(any::<u8>(), 0..400), times in 1..50usize) {
            let body = piece.repeat(times);
            for compression in ALL {
                let mut compressor = Compressor::new(compression).unwrap();
                // Twice: tables are kept from body to body.
                for _ in 0..2 {
                    let packed = compressor.compress(&body).unwrap();
                    let whole = Decompressed::Whole(body.clone());
                    prop_assert_eq!(decompress(compression, &packed, body.len().max(1)), whole);
                    if body.len() > 1 {
                        let limited = decompress(compression, &packed, body.len() - 1);
                        prop_assert_eq!(limited, Decompressed::TooLong);
                    }
                }
            }
        }

        #[test]
        fn noise_is_no_crash(noise in proptest::collection::vec(any::<u8>(), 0..100)) {
            for compression in ALL {
                decompress(compression, &noise, 1 << 16);
            }
        }
    }

    #[test]
    fn levels_that_do_not_exist_are_refused() {
        for compression in [
            Compression::Zstd(23),
            Compression::Gzip(0),
            Compression::Zlib(13),
        ] {
            let error = Compressor::new(compression).err().unwrap();
            assert!(matches!(error, CompressError::Level { .. }), "{error}");
        }
    }

    #[test]
    fn a_claimed_length_is_not_believed() {
        // Snappy's header: 60 MB follow; nothing does.
        let claim = [0x80, 0x8e, 0xce, 0x1c];
        assert_eq!(
            decompress(Compression::Snappy, &claim, 1 << 30),
            Decompressed::Damaged
        );
    }
}
