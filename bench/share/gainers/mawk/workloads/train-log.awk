# A log by host, status and hour.
{
  split($4, when, ":")
  bytes[$1] += $NF; status[$(NF - 1)]++; hours[when[2]]++
  if (match($7, /id=[0-9]+/)) ids[substr($7, RSTART + 3, RLENGTH - 3) % 1000]++
}
END {
  for (host in bytes) if (bytes[host] > most) { most = bytes[host]; which = host }
  for (id in ids) total += ids[id] * ids[id]
  print which, most, status[404], hours["07"], total
}
