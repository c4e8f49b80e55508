//go:build !unix

package rpc

// closeOnExec does nothing: sockets are passed on by descriptors of Unix alone.
func closeOnExec(int) {}
