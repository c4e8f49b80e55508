# Sums of a server's log: by status, by path, by hour.
match($0, /"([A-Z]+) ([^ ?]+)/, request) {
  bytes[request[2]] += $NF
  status[$(NF - 1)]++
  split($4, time, ":")
  hours[time[2]] += $NF > 20000
  if ($7 ~ /id=[0-9]*7$/) sevens++
}
END {
  for (path in bytes) sum += bytes[path]
  for (code in status) codes += code * status[code]
  for (hour in hours) busy += hours[hour]
  print sum, codes, busy, sevens
}
