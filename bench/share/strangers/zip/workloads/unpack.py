"""Writes what is in an archive, in the order of its names: unpack.py ARCHIVE. Archives themselves hold times of files."""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in sorted(archive.namelist()):
        if not name.endswith("/"):
            sys.stdout.buffer.write(archive.read(name))
