//go:build !unix

package link

import "syscall"

// rawSocket is nil: where descriptors are not Unix', sockets are read and written as other connections are.
func rawSocket(syscall.Conn) nonblocking { return nil }

// tell is for what moves without a system call.
func (p *pulse) tell() { p.move() }
