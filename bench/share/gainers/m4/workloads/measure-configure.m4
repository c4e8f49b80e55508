dnl Macros that write shell, as Autoconf's do: options with defaults, tests in order, text that is quoted again and again.
define(`HEADS', `patsubst(translit(`$1', `a-z./-', `A-Z___'), `[^A-Z0-9_]', `_')')dnl
define(`CHECK', `divert(2)if test "x$ac_cv_$1" = x; then
  printf %s "checking for $1... "
  ifelse(`$2', , `ac_cv_$1=no', `ac_cv_$1="$2"')
fi
define(`HAVE_'HEADS(`$1'), 1)divert(3)#define HAVE_`'HEADS(`$1') ifdef(`HAVE_'HEADS(`$1'), 1, 0)
divert')dnl
define(`each', `ifelse(`$2', , , `CHECK(`$2', `$1')each(`$1', shift(shift($@)))')')dnl
define(`again', `ifelse($1, 0, , `each(`round $1', include(`inputs/measure.words'))again(decr($1))')')dnl
again(9000)
