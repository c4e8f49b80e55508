//go:build unix

package rpc

import "syscall"

// closeOnExec keeps programs that this one starts from inheriting a descriptor.
func closeOnExec(descriptor int) { syscall.CloseOnExec(descriptor) }
