//go:build !unix

package rpc

// closeOnExec does nothing: sockets are passed to other processes on Unix alone.
func closeOnExec(int) {}
