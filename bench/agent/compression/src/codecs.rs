//! The libraries, those that this program is built with.

use anyhow::Result;

/// Packs a body.
type Pack = Box<dyn FnMut(&[u8]) -> Result<Vec<u8>>>;
/// Unpacks a body that has so many bytes.
type Unpack = Box<dyn FnMut(&[u8], usize) -> Result<Vec<u8>>>;

/// A library at a level.
pub struct Codec {
    pub name: String,
    pub pack: Pack,
    pub unpack: Unpack,
}

/// All of them.
pub fn all() -> Result<Vec<Codec>> {
    let mut all = Vec::new();
    #[cfg(any(feature = "zlib", feature = "zlib-ng"))]
    all.extend([1, 6, 9].map(flate2));
    #[cfg(feature = "cloudflare")]
    all.extend([1, 6, 9].map(cloudflare));
    #[cfg(feature = "others")]
    all.extend(others()?);
    Ok(all)
}

#[cfg(any(feature = "zlib", feature = "zlib-ng"))]
fn flate2(level: u32) -> Codec {
    use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
    let library = if cfg!(feature = "zlib") {
        "zlib (system)"
    } else {
        "zlib-ng"
    };
    let mut packer = Compress::new(Compression::new(level), true);
    let mut unpacker = Decompress::new(true);
    Codec {
        name: format!("{library} {level}"),
        pack: Box::new(move |body| {
            packer.reset();
            // Deflate adds five bytes a block of 16 KiB or more at the worst.
            let mut packed = Vec::with_capacity(body.len() + body.len() / 1000 + 1024);
            packer.compress_vec(body, &mut packed, FlushCompress::Finish)?;
            Ok(packed)
        }),
        unpack: Box::new(move |packed, bytes| {
            unpacker.reset(true);
            let mut body = Vec::with_capacity(bytes + 1);
            unpacker.decompress_vec(packed, &mut body, FlushDecompress::Finish)?;
            Ok(body)
        }),
    }
}

#[cfg(feature = "cloudflare")]
fn cloudflare(level: i32) -> Codec {
    use cloudflare_zlib::{Deflate, Z_DEFAULT_STRATEGY, inflate};
    /// 32 KiB, with zlib's header.
    const WINDOW_BITS: i32 = 15;
    Codec {
        name: format!("cloudflare-zlib {level}"),
        pack: Box::new(move |body| {
            let mut packer = Deflate::new(level, Z_DEFAULT_STRATEGY, WINDOW_BITS)?;
            packer.compress(body)?;
            Ok(packer.finish()?)
        }),
        unpack: Box::new(|packed, _| Ok(inflate(packed)?)),
    }
}

#[cfg(feature = "others")]
fn others() -> Result<Vec<Codec>> {
    let mut all = vec![snappy()];
    for level in [-5, -1, 1, 2, 3, 6, 9] {
        all.push(zstd(level)?);
    }
    for level in [1, 6, 9, 12] {
        all.push(libdeflate(level)?);
    }
    all.extend([1, 9].map(bzip2));
    Ok(all)
}

#[cfg(feature = "others")]
fn snappy() -> Codec {
    let mut packer = snap::raw::Encoder::new();
    let mut unpacker = snap::raw::Decoder::new();
    Codec {
        name: "snappy".into(),
        pack: Box::new(move |body| Ok(packer.compress_vec(body)?)),
        unpack: Box::new(move |packed, _| Ok(unpacker.decompress_vec(packed)?)),
    }
}

#[cfg(feature = "others")]
fn zstd(level: i32) -> Result<Codec> {
    let mut packer = zstd::bulk::Compressor::new(level)?;
    let mut unpacker = zstd::bulk::Decompressor::new()?;
    Ok(Codec {
        name: format!("zstd {level}"),
        pack: Box::new(move |body| Ok(packer.compress(body)?)),
        unpack: Box::new(move |packed, bytes| Ok(unpacker.decompress(packed, bytes)?)),
    })
}

#[cfg(feature = "others")]
fn libdeflate(level: i32) -> Result<Codec> {
    use libdeflater::{CompressionLvl, Compressor, Decompressor};
    let chosen = CompressionLvl::new(level)
        .map_err(|_| anyhow::anyhow!("libdeflate has no level {level}"))?;
    let mut packer = Compressor::new(chosen);
    let mut unpacker = Decompressor::new();
    Ok(Codec {
        name: format!("libdeflate {level}"),
        pack: Box::new(move |body| {
            let mut packed = vec![0; packer.zlib_compress_bound(body.len())];
            let length = packer.zlib_compress(body, &mut packed)?;
            packed.truncate(length);
            Ok(packed)
        }),
        unpack: Box::new(move |packed, bytes| {
            let mut body = vec![0; bytes];
            unpacker.zlib_decompress(packed, &mut body)?;
            Ok(body)
        }),
    })
}

#[cfg(feature = "others")]
fn bzip2(level: u32) -> Codec {
    use std::io::Read;
    Codec {
        name: format!("bzip2 {level}"),
        pack: Box::new(move |body| {
            let mut packed = Vec::new();
            bzip2::read::BzEncoder::new(body, bzip2::Compression::new(level))
                .read_to_end(&mut packed)?;
            Ok(packed)
        }),
        unpack: Box::new(|packed, bytes| {
            let mut body = Vec::with_capacity(bytes);
            bzip2::read::BzDecoder::new(packed).read_to_end(&mut body)?;
            Ok(body)
        }),
    }
}
