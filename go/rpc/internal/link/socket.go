//go:build unix

package link

import (
	"syscall"

	"hone/go/raw"
)

// socket is a socket of the kernel.
type socket struct{ syscall.RawConn }

// rawSocket makes a socket; nil if the connection has no descriptor.
func rawSocket(conn syscall.Conn) nonblocking {
	if raw, err := conn.SyscallConn(); err == nil {
		return socket{raw}
	}
	return nil
}

func (s socket) RawRead(try func(descriptor uintptr) bool) error  { return s.Read(try) }
func (s socket) RawWrite(try func(descriptor uintptr) bool) error { return s.Write(try) }

func (s socket) TryRead(descriptor uintptr, into []byte) (int, error) {
	for {
		if n, err := shared.read(int(descriptor), into); err != syscall.EINTR {
			return n, err
		}
	}
}

func (s socket) TryWrite(descriptor uintptr, from []byte) (int, error) {
	for {
		if n, err := shared.write(int(descriptor), from); err != syscall.EINTR {
			return n, err
		}
	}
}

// read is syscall.Read for a descriptor that does not block.
func (p *pulse) read(descriptor int, into []byte) (int, error) {
	if p.move() {
		return raw.Read(descriptor, into)
	}
	return syscall.Read(descriptor, into)
}

// write is syscall.Write for a descriptor that does not block.
func (p *pulse) write(descriptor int, from []byte) (int, error) {
	if p.move() {
		return raw.Write(descriptor, from)
	}
	return syscall.Write(descriptor, from)
}

// tell notes a read or a write that needs no system call.
func (p *pulse) tell() {
	if !p.move() {
		// The scheduler is told of this system call.
		syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0)
	}
}
