# Records by fields: split, sorted, padded, with functions and cases.
typeset -A total
integer hits=0
describe() { local name=$1 side=$2; case $side in (N|S) REPLY=${(U)name}-$side;; (*) REPLY=${(l:12::.:)name};; esac }
while IFS=, read -r name number places amount side; do
  ((total[$side] += ${amount%.*}))
  describe $name $side
  [[ $REPLY == *A[B-N]* || $REPLY == .##[a-m]* ]] && ((hits++))
  parts=(${(s: :)places} $name)
  parts=(${(o)parts})
  last=$parts[-1]$parts[1]
done < inputs/measure.csv
for side in ${(ok)total}; do print $side $total[$side]; done
print $hits $last
