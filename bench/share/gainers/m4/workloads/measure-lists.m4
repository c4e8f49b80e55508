dnl Lists: made, reversed, sorted by insertion and joined.
define(`random', `define(`seed', eval((seed * 1103 + 12345) % 65536))seed')dnl
define(`seed', 42)dnl
define(`quote', `ifelse($#, 0, , ``$*'')')dnl
define(`reverse', `ifelse($#, 0, , $#, 1, ``$1'', `reverse(shift($@)), `$1'')')dnl
define(`insert', `ifelse(`$2', , `$1', `ifelse(eval($1 <= $2), 1, `$@', `$2, insert($1, shift(shift($@)))')')')dnl
define(`sort', `ifelse($#, 1, `$1', `insert($1, sort(shift($@)))')')dnl
define(`make', `ifelse($1, 1, `random', `random, make(decr($1))')')dnl
define(`rounds', `ifelse($1, 0, , `sort(make(30))
reverse(make(60))
rounds(decr($1))')')dnl
rounds(12)
