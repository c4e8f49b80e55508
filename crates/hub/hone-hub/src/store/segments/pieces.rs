//! Segments that are read piece by piece: a whole one takes memory that is wanted for its rows.

use super::super::error::{StoreError, Tried};
use super::super::limits::BATCH_BYTES_MAX;
use super::super::objects::{Objects, READ_BYTES};
use super::frame::{Frame, Frames};

/// Bytes of the largest piece: more than the longest batch takes with what stands before it.
const PIECE_BYTES_MAX: u64 = 2 * BATCH_BYTES_MAX as u64;

/// Hands each batch of a segment to `take`, up to the first that is not whole. Returns the number of bytes that are left behind it;
/// `None` if the segment is gone.
pub(crate) fn each_frame(
    objects: &dyn Objects,
    name: &str,
    mut take: impl FnMut(&Frame<'_>) -> Result<(), StoreError>,
) -> Result<Option<u64>, StoreError> {
    let (mut at, mut piece_bytes) = (0, READ_BYTES);
    loop {
        let read = objects.get_range(name, at..at + piece_bytes);
        let Some(bytes) = read.tried("read", name)? else {
            return Ok(None);
        };
        let Some(mut frames) = Frames::at(at, &bytes) else {
            return Ok(Some(bytes.len() as u64));
        };
        for frame in frames.by_ref() {
            take(&frame)?;
        }
        let is_all = (bytes.len() as u64) < piece_bytes;
        let used = (bytes.len() - frames.left()) as u64;
        if is_all || (used == 0 && piece_bytes >= PIECE_BYTES_MAX) {
            return Ok(Some(frames.left() as u64));
        }
        // A batch that is longer than the piece, or is damaged.
        if used == 0 {
            piece_bytes *= 2;
        }
        at += used;
    }
}

#[cfg(test)]
mod tests {
    use hone_batch::Origin;

    use super::super::super::folder::Folder;
    use super::super::frame::HEADER;
    use super::*;

    const NAME: &str = "acme/segments/000000000060-00000000000000aa-00000000.segment";

    fn framed(number: u64, bytes: usize) -> Vec<u8> {
        let mut to = Vec::new();
        let frame = Frame {
            origin: Origin {
                host: "web-1".into(),
                run: 7,
                number,
            },
            span_s: 0..60,
            batch: &vec![number as u8; bytes],
        };
        frame.write(&mut to).unwrap();
        to
    }

    /// Numbers and lengths of the batches in a segment, and the bytes behind them.
    fn read(segment: &[u8]) -> (Vec<(u64, usize)>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let objects = Folder::open(folder.path()).unwrap();
        objects.put(NAME, segment).unwrap();
        let mut found = Vec::new();
        let torn = each_frame(&objects, NAME, |frame| {
            found.push((frame.origin.number, frame.batch.len()));
            Ok(())
        });
        (found, torn.unwrap().unwrap())
    }

    #[test]
    fn batches_of_any_length_are_found_across_pieces() {
        let piece = READ_BYTES as usize;
        let lengths = [piece - 70, 3, piece, 0, 3 * piece, piece / 2, piece / 2, 9];
        let numbered = || (0..).zip(lengths);
        let framed: Vec<Vec<u8>> = numbered()
            .map(|(number, bytes)| framed(number, bytes))
            .collect();
        let mut whole = [HEADER.as_slice(), &framed.concat()].concat();
        let all: Vec<(u64, usize)> = numbered().collect();
        assert_eq!(read(&whole), (all.clone(), 0));
        whole.truncate(whole.len() - 1);
        let torn = framed[7].len() as u64 - 1;
        assert_eq!(read(&whole), (all[..7].to_vec(), torn));
        // A damaged batch ends the segment.
        let third = HEADER.len() + framed[0].len() + framed[1].len();
        whole[third + 100] ^= 1;
        let (found, torn) = read(&whole);
        assert_eq!(found, all[..2]);
        assert_eq!(torn, (whole.len() - third) as u64);
    }

    #[test]
    fn what_is_no_segment_is_all_torn() {
        assert_eq!(read(b"HONESEG"), (Vec::new(), 7));
        assert_eq!(read(b"something else"), (Vec::new(), 14));
        assert_eq!(read(HEADER), (Vec::new(), 0));
        let folder = tempfile::tempdir().unwrap();
        let objects = Folder::open(folder.path()).unwrap();
        assert_eq!(each_frame(&objects, NAME, |_| Ok(())).unwrap(), None);
    }
}
