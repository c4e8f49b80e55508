#!/usr/bin/env python3
"""Makes a long perf.data of a short one: the same samples again and again, later each time.

    lengthen.py SHORT LONG BYTES

Everything but the samples stands once, where it stood. Samples keep their content; only their times move on, so a
reader finds the order it expects. After each repetition comes a mark of a finished round, as perf writes them.
"""

import struct
import sys

HEADER = struct.Struct("<8sQQQQQQQQ")  # magic, size, attr size, attrs, data, event types: (offset, size) each
SAMPLE, FINISHED_ROUND = 9, 68
IDENTIFIER, IP, TID, TIME = 1 << 16, 1 << 0, 1 << 1, 1 << 2


def time_offset(attr):
    """Where in a sample the time stands, by the attribute's sample type."""
    sample_type, = struct.unpack_from("<Q", attr, 24)
    if not sample_type & TIME:
        sys.exit("samples have no time")
    return 8 + 8 * sum(bool(sample_type & bit) for bit in (IDENTIFIER, IP, TID))


def records(data):
    at = 0
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


def main():
    short, long, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    content = open(short, "rb").read()
    fields = list(HEADER.unpack_from(content))
    data_at, data_len = fields[5], fields[6]
    place = time_offset(content[fields[3]:])
    others, samples = [], []
    for kind, record in records(content[data_at:data_at + data_len]):
        if kind == SAMPLE:
            samples.append(bytearray(record))
        elif kind != FINISHED_ROUND:
            others.append(record)
    times = [struct.unpack_from("<Q", sample, place)[0] for sample in samples]
    span = max(times) - min(times) + 1
    mark = struct.pack("<IHH", FINISHED_ROUND, 0, 8)
    with open(long, "wb") as out:
        out.write(content[:data_at])
        out.write(b"".join(others))
        turn = 0
        while out.tell() < wanted:
            for sample, time in zip(samples, times):
                struct.pack_into("<Q", sample, place, time + turn * span)
            out.write(b"".join(samples) + mark)
            turn += 1
        end = out.tell()
        fields[6] = end - data_at
        # The feature sections and their table move; the table holds absolute positions.
        table_at = data_at + data_len
        bits = content[HEADER.size:HEADER.size + 32]
        count = sum(byte.bit_count() for byte in bits)
        moved = end - table_at
        table = [struct.unpack_from("<QQ", content, table_at + 16 * index) for index in range(count)]
        out.write(b"".join(struct.pack("<QQ", start + moved, size) for start, size in table))
        out.write(content[table_at + 16 * count:])
        out.seek(0)
        out.write(HEADER.pack(*fields))


if __name__ == "__main__":
    main()
