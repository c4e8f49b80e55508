dnl Text: words that are defined, replaced, translated and searched, in diversions.
define(`chop', `ifelse(len(`$1'), 0, , `translit(substr(`$1', 0, 1), `a-z', `b-za')chop(substr(`$1', 1))')')dnl
define(`words', `ifelse($#, 1, , `divert(eval(1 + len(`$1') % 5))$1 chop(`$1') patsubst(`$1', `[aeiou]+', `_') regexp(`$1', `\(.\)\1', `<\1>')
divert`'words(shift($@))')')dnl
define(`again', `ifelse($1, 0, , `words(include(`inputs/train.words'))again(decr($1))')')dnl
again(60)
