package compat

// Directory apache is the output of Apache's compiler 0.17 for the definitions of idl/testdata, except those whose names it cannot turn into Go.
// Directory ours has a command of its own.

//go:generate sh regenerate-apache.sh
