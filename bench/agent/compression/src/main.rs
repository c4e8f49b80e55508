//! Packs the same bodies by one library after the other, and tells as JSON what each made of them and took for it.
//!
//! `compression FILE...` takes bodies that are packed by snappy, as remote write sends them, and unpacks them first. Every
//! body is packed by itself, as a sender does it; tables are kept from body to body where a library can. What is packed
//! is unpacked again and compared. Times are CPU times of the thread.

mod codecs;

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use codecs::Codec;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

fn main() -> Result<()> {
    let bodies: Vec<Vec<u8>> = std::env::args()
        .skip(1)
        .map(|file| body(&file))
        .collect::<Result<_>>()?;
    ensure!(
        !bodies.is_empty(),
        "compression FILE...: bodies that are packed by snappy"
    );
    let mut results = Vec::new();
    for mut codec in codecs::all()? {
        results.push(measured(&mut codec, &bodies).with_context(|| codec.name.clone())?);
    }
    println!("{}", json!(results));
    Ok(())
}

fn body(file: &str) -> Result<Vec<u8>> {
    let packed = fs::read(file).with_context(|| file.to_owned())?;
    snap::raw::Decoder::new()
        .decompress_vec(&packed)
        .with_context(|| file.to_owned())
}

fn measured(codec: &mut Codec, bodies: &[Vec<u8>]) -> Result<serde_json::Value> {
    // The first body once more, for memory that comes only with the first use.
    (codec.pack)(&bodies[0])?;
    let began = cpu_time();
    let packed: Vec<Vec<u8>> = bodies
        .iter()
        .map(|body| (codec.pack)(body))
        .collect::<Result<_>>()?;
    let pack = cpu_time() - began;
    let began = cpu_time();
    let unpacked: Vec<Vec<u8>> = packed
        .iter()
        .zip(bodies)
        .map(|(packed, body)| (codec.unpack)(packed, body.len()))
        .collect::<Result<_>>()?;
    let unpack = cpu_time() - began;
    ensure!(
        unpacked == bodies,
        "what was unpacked is not what was packed"
    );
    Ok(json!({
        "codec": codec.name,
        "bytes": bodies.iter().map(Vec::len).sum::<usize>(),
        "packed_bytes": packed.iter().map(Vec::len).sum::<usize>(),
        "pack_s": pack.as_secs_f64(),
        "unpack_s": unpack.as_secs_f64(),
    }))
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
