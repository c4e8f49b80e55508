//! Encoder from the table to bytes.

use super::{Pprof, TextId, ValueType};
use crate::protobuf::Message;
use flate2::{Compression, GzBuilder};
use std::io::{self, Write};

/// Writes the file, compressed as the format requires. The same table gives the same bytes.
pub fn write(pprof: &Pprof) -> io::Result<Vec<u8>> {
    let mut whole = Message::default();
    for own in &pprof.value_types {
        whole.message(1, &value_type(*own));
    }
    for sample in &pprof.samples {
        let mut message = Message::default();
        message.packed(1, sample.stack.iter().map(|&index| id(index)));
        message.packed(2, sample.values.iter().map(|value| value.cast_unsigned()));
        for label in &sample.labels {
            let mut inner = Message::default();
            inner
                .number(1, text(label.key))
                .number(2, text(label.value));
            message.message(3, &inner);
        }
        whole.message(2, &message);
    }
    mappings(pprof, &mut whole);
    for (index, location) in pprof.locations.iter().enumerate() {
        let mut message = Message::default();
        message
            .number(1, id(index as u32))
            .number(2, location.mapping.map_or(0, id))
            .number(3, location.address);
        for line in &location.lines {
            let mut inner = Message::default();
            inner.number(1, id(line.function)).signed(2, line.line);
            message.message(4, &inner);
        }
        whole.message(4, &message);
    }
    for (index, function) in pprof.functions.iter().enumerate() {
        let mut message = Message::default();
        message
            .number(1, id(index as u32))
            .number(2, text(function.name))
            .number(3, text(function.system_name))
            .number(4, text(function.file))
            .signed(5, function.start_line);
        whole.message(5, &message);
    }
    whole.bytes(6, b"");
    for text in &pprof.texts {
        whole.bytes(6, text.as_bytes());
    }
    whole
        .signed(9, pprof.time_ns)
        .signed(10, pprof.duration_ns)
        .message(11, &value_type(pprof.period_type))
        .signed(12, pprof.period);
    if !pprof.comments.is_empty() {
        whole.packed(13, pprof.comments.iter().map(|&comment| text(comment)));
    }
    let mut packed = GzBuilder::new().write(Vec::new(), Compression::default());
    packed.write_all(&whole.0)?;
    packed.finish()
}

fn mappings(pprof: &Pprof, whole: &mut Message) {
    for (index, mapping) in pprof.mappings.iter().enumerate() {
        let mut message = Message::default();
        message
            .number(1, id(index as u32))
            .number(2, mapping.start)
            .number(3, mapping.limit)
            .number(4, mapping.file_offset)
            .number(5, text(mapping.file))
            .number(6, text(mapping.build_id))
            .number(7, mapping.has_functions.into())
            .number(8, mapping.has_lines.into())
            .number(9, mapping.has_lines.into())
            .number(10, mapping.has_lines.into());
        whole.message(3, &message);
    }
}

/// Returns the id of an entry in the file; ids start at 1.
fn id(index: u32) -> u64 {
    u64::from(index) + 1
}

fn text(id: TextId) -> u64 {
    id.0.into()
}

fn value_type(own: ValueType) -> Message {
    let mut message = Message::default();
    message.number(1, text(own.kind)).number(2, text(own.unit));
    message
}
