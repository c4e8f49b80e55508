#!/bin/sh
# Makes directory apache again, or the directory that is given, with Debian's thrift-compiler.
set -eu
out=${1:-apache}
mkdir -p "$out"
for name in shop recursive order; do
	thrift -r --gen go:package_prefix=hone/go/compat/apache/ -out "$out" "../idl/testdata/$name.thrift" >/dev/null 2>&1
done
rm -r "$out"/shop/*/*-remote "$out"/order/*-remote
gofmt -w "$out"
