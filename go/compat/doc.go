// Package compat holds tests of this module's codecs against others. It is a module of its own, so that theirs are no
// dependencies of programs that use this one.
package compat
