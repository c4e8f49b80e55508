//go:build unix && (!linux || purego || race)

package raw

import "syscall"

// Read reads from a non-blocking file descriptor.
func Read(descriptor int, into []byte) (int, error) { return syscall.Read(descriptor, into) }

// Write writes to a non-blocking file descriptor.
func Write(descriptor int, from []byte) (int, error) { return syscall.Write(descriptor, from) }
