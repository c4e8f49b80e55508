# Records by fields: split, sorted, padded, with functions and cases.
typeset -A total
integer hits=0
describe() { local name=$1 side=$2; case $side in (N|S) REPLY=${(U)name}-$side;; (*) REPLY=${(l:12::.:)name};; esac }
for line in ${(f)"$(<inputs/measure.csv)"}; do
  fields=(${(s:,:)line})
  name=$fields[1] places=$fields[3] amount=$fields[4] side=$fields[5]
  ((total[$side] += ${amount%.*}))
  describe $name $side
  [[ $REPLY == *A[B-N]* || $REPLY == .##[a-m]* ]] && ((hits++))
  parts=(${(s: :)places} $name)
  parts=(${(o)parts})
  last=$parts[-1]$parts[1]
done
for side in ${(ok)total}; do print $side $total[$side]; done
print $hits $last
