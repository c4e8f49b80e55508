# Records by fields: split, checked, shortened, with functions that set variables.
function shorten { typeset text=$1; while ((${#text} > 4)); do text=${text%?}; done; short=$text; }
north=0 other=0 hits=0
typeset -u upper
IFS='
'
set -A lines -- $(<inputs/measure.csv)
IFS=,
set -f
for line in "${lines[@]}"; do
  set -- $line
  name=$1 number=$2 places=$3 amount=$4 side=$5
  case $side in N) north=$((north + ${amount%.*})) ;; *) other=$((other + ${amount#*.})) ;; esac
  shorten "$name"
  upper=$short
  case $upper:$number in *[KM]A*:*7*|B*:1*) hits=$((hits + 1)) ;; esac
  if [[ ${places%% *} > $name && $number -gt 5000 ]]; then last=$name; fi
done
print $north $other $hits $last
