//go:build unix

package rpc

import "syscall"

// closeOnExec keeps a descriptor from the programs that this one starts.
func closeOnExec(descriptor int) { syscall.CloseOnExec(descriptor) }
