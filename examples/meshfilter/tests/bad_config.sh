#!/bin/sh
# A wrong configuration ends with status 2 and a message that names file and line.
# usage: bad_config.sh PATH-TO-MESHFILTER   (in the directory of the example)
set -u
program=$1
config=$(mktemp) || exit 1
trap 'rm -f "$config"' EXIT
printf 'sink memory\n\nfilter router {\n  virtual_hots x {\n  }\n}\n' >"$config"

message=$("$program" --config "$config" --mix config/mix-train.txt --requests 1 2>&1 >/dev/null)
status=$?
expected="$config:4: unknown directive 'virtual_hots' in filter router"
if [ "$status" -ne 2 ] || [ "$message" != "$expected" ]; then
  echo "status $status, message: $message"
  exit 1
fi
"$program" --config config/mesh.conf >/dev/null 2>&1
[ $? -eq 2 ] || { echo "a call without --mix must end with 2"; exit 1; }
"$program" --config /nonexistent --mix config/mix-train.txt --requests 1 >/dev/null 2>&1
[ $? -eq 2 ] || { echo "a missing file must end with 2"; exit 1; }
