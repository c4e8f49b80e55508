package compat

// Directory apache is what Apache's compiler 0.17 makes of the definitions of idl/testdata, but of those whose names it cannot
// make Go of. Directory ours has a command of its own.

//go:generate sh regenerate-apache.sh
