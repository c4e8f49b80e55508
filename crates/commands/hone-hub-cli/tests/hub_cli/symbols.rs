//! Files with symbols over the wire: what is taken, what is refused, and the names that they give.

mod command;
mod fetched;
mod hostile;
mod limits;
mod names;
mod served;

use std::fs::{self, File};
use std::path::Path;

use hone_batch::{Batch, Frame, FrameIndex, Place, PlaceIndex, Samples};
use hone_profile::{Binary, BinaryKind, BuildId};
use hone_symbols::{Binary as Elf, build_id_of};
use serde_json::Value;

use crate::common::{Answer, Hub};
use crate::fleet;

fn build_of(program: &Path) -> BuildId {
    build_id_of(File::open(program).unwrap()).unwrap().unwrap()
}

/// Returns a batch with a sample at each byte of some functions of a program.
fn batch_of(program: &Path, functions: &[&str]) -> Batch {
    let bytes = fs::read(program).unwrap();
    let elf = Elf::parse(&bytes).unwrap();
    let mut batch = fleet::batch("one", 0, "shop");
    batch.binaries = vec![Binary {
        path: format!("/srv/{}", program.file_name().unwrap().to_str().unwrap()),
        build_id: Some(build_of(program)),
        kind: BinaryKind::File,
    }];
    let (group, event) = (batch.samples[0].group, batch.samples[0].event);
    let bucket = batch.samples[0].bucket;
    (batch.places, batch.frames, batch.samples) = Default::default();
    (batch.branches, batch.ranges, batch.records) = Default::default();
    for name in functions {
        let function = elf.functions().by_name(name).unwrap();
        for svma in function.start.0..function.end.0 {
            let offset = elf.file_offset_of(hone_profile::Svma(svma)).unwrap().0;
            let index = u32::try_from(batch.places.len()).unwrap();
            batch.places.push(Place::Code {
                binary: hone_batch::BinaryIndex(0),
                offset,
            });
            batch.frames.push(Frame {
                place: PlaceIndex(index),
                caller: None,
            });
            batch.samples.push(Samples {
                event,
                group,
                stack: FrameIndex(index),
                ip: None,
                is_leaf_only: false,
                has_branches: false,
                bucket,
                times: 1,
                weight: 1000,
            });
        }
    }
    batch
}

/// Returns what was uploaded, which must have been taken.
#[track_caller]
fn taken(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

#[track_caller]
fn json(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_slice(&answer.body).unwrap()
}

fn view(hub: &Hub) -> Answer {
    let answer = hub.get("/v1/view?service=shop");
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer
}

/// Uploads a file.
fn put(hub: &Hub, file: &Path) -> Answer {
    hub.put("", &fs::read(file).unwrap())
}
