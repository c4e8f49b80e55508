package agentclient

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
)

// A socket sends packets without waiting. A Unix socket is not connected: each packet finds the agent by the path, so the client finds a restarted
// agent without any action.
type socket struct {
	fd int
	// to is the address of the agent's Unix socket; nil if the socket is connected.
	to syscall.Sockaddr
}

type outcome int

const (
	taken outcome = iota
	// busy means that the receiver's queue is full.
	busy
	// away means that there is no receiver.
	away
	// tooLong means that the system will never take a packet of this size.
	tooLong
)

// open opens a socket for an address in the form of the agent's configuration: unixgram:PATH or udp:ADDRESS:PORT.
func open(address string) (*socket, error) {
	if path, isUnix := strings.CutPrefix(address, "unixgram:"); isUnix {
		if path == "" || len(path) > 107 || strings.ContainsRune(path, 0) {
			return nil, notAnAddress(address)
		}
		if path[0] == '@' {
			path = "./" + path // a path of a file, not an abstract name
		}
		fd, err := newSocket(syscall.AF_UNIX)
		return &socket{fd: fd, to: &syscall.SockaddrUnix{Name: path}}, err
	}
	text, isUDP := strings.CutPrefix(address, "udp:")
	at, err := netip.ParseAddrPort(text)
	if !isUDP || err != nil || at.Addr().Zone() != "" {
		return nil, notAnAddress(address)
	}
	family, to := syscall.AF_INET6, syscall.Sockaddr(&syscall.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()})
	if at.Addr().Is4() {
		family, to = syscall.AF_INET, &syscall.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}
	}
	fd, err := newSocket(family)
	if err != nil {
		return nil, err
	}
	if err := syscall.Connect(fd, to); err != nil {
		_ = syscall.Close(fd)
		return nil, fmt.Errorf("connect a socket to %s: %w", address, err)
	}
	return &socket{fd: fd}, nil
}

func newSocket(family int) (int, error) {
	fd, err := syscall.Socket(family, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, fmt.Errorf("the system gives no socket to send metrics: %w", err)
	}
	return fd, nil
}

func notAnAddress(address string) error {
	return fmt.Errorf("%q is no address of an agent; write unixgram:PATH (a path of at most 107 bytes) or udp:ADDRESS:PORT", address)
}

func (s *socket) send(packet []byte) outcome {
	var err error
	if s.to != nil {
		err = syscall.Sendto(s.fd, packet, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, s.to)
	} else {
		_, err = syscall.Write(s.fd, packet)
	}
	switch {
	case err == nil:
		return taken
	case errors.Is(err, syscall.EMSGSIZE):
		return tooLong
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EINTR), errors.Is(err, syscall.ENOBUFS), errors.Is(err, syscall.ENOMEM):
		return busy
	default:
		return away
	}
}

// close closes the socket. The number of its descriptor may soon belong to another file, so nothing must be sent to it any more.
func (s *socket) close() {
	_ = syscall.Close(s.fd)
	s.fd = -1
}
