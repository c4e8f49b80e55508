# The workload of jaq: a little of everything that filters do, on the orders that programs.py writes.
def louder:
  if type == "array" then map(louder)
  elif type == "object" then map_values(louder)
  elif type == "string" then ascii_upcase
  else . end;

(map(select(.active and .price > 20)) | group_by(.name[0:4])
  | map({key: .[0].name, n: length, total: (map(.price) | add), tags: (map(.tags[]) | unique)})),
(map(.score // 0 | if . > 0 then sqrt else -. end) | add),
([.[] | .name |= sub("a(?<x>.)"; "<\(.x)>") | {name, zip: ("1" + .address.zip | tonumber)} | .q = (.zip % 97)]
  | sort_by(.q, .name) | .[:5]),
(reduce .[] as $x ({}; .[$x.tags[0] // "none"] += 1)),
([limit(50; .[] | paths)] | length),
(.[:200] | louder | tojson | length),
([foreach .[] as $x (0; . + $x.price; select(. % 7 < 1))] | length),
(map(.when | split("T") | .[0] | split("-") | map("1" + . | tonumber) | add) | max),
(map(.tags | join(",")) | map(select(test("alp.*eta"))) | length)
