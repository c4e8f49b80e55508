//go:build !unix

package link

import "syscall"

// rawSocket returns nil: where descriptors are not those of Unix, sockets are read and written like other connections.
func rawSocket(syscall.Conn) nonblocking { return nil }

// tell notes a read or a write that needs no system call.
func (p *pulse) tell() { p.move() }
