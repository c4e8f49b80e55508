# Folds what `perf script` prints into a line for each distinct stack, as the stack collapsers of flame graphs do.

/^[^ \t]/ { name = $1; next }

NF == 0 {
    if (stack != "") count[name stack]++
    stack = ""
    next
}

{
    # Address, then the function with its offset; the file in brackets stands last.
    function_name = $0
    sub(/^[ \t]*[0-9a-f]+ /, "", function_name)
    sub(/ \([^()]*\)$/, "", function_name)
    sub(/\+0x[0-9a-f]+$/, "", function_name)
    stack = ";" function_name stack
}

END {
    if (stack != "") count[name stack]++
    for (folded in count) print folded, count[folded]
}
