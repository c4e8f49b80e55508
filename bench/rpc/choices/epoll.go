package main

import (
	"encoding/binary"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// looped is a connection of an event loop.
type looped struct {
	in, out []byte
}

// serveByEpoll uses one thread to wait for all connections, read, run handlers and write, without goroutines for connections.
func serveByEpoll(listener net.Listener, depth int) error {
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	connections := map[int32]*looped{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			descriptor, err := owned(conn)
			if err != nil {
				return
			}
			mu.Lock()
			connections[int32(descriptor)] = new(looped)
			mu.Unlock()
			syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, descriptor, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(descriptor)})
		}
	}()
	runtime.LockOSThread()
	events, buffer := make([]syscall.EpollEvent, 128), make([]byte, bufferBytes)
	for {
		n, err := syscall.EpollWait(poll, events, -1)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		for _, event := range events[:n] {
			mu.Lock()
			conn := connections[event.Fd]
			mu.Unlock()
			if !conn.turn(int(event.Fd), buffer, depth) {
				syscall.Close(int(event.Fd))
			}
		}
	}
}

// owned takes the descriptor out of Go's own poller.
func owned(conn net.Conn) (int, error) {
	defer conn.Close()
	file, err := conn.(interface{ File() (*os.File, error) }).File()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	descriptor, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		return 0, err
	}
	return descriptor, syscall.SetNonblock(descriptor, true)
}

// turn reads the received bytes and answers the frames in them. It returns false once the connection has ended.
func (c *looped) turn(descriptor int, buffer []byte, depth int) bool {
	n, err := syscall.Read(descriptor, buffer)
	if err == syscall.EAGAIN {
		return true
	}
	if n <= 0 {
		return false
	}
	c.in = append(c.in, buffer[:n]...)
	rest := c.in
	for len(rest) >= 4 {
		size := 4 + int(binary.BigEndian.Uint32(rest))
		if len(rest) < size {
			break
		}
		frame := append([]byte(nil), rest[:size]...)
		rest = rest[size:]
		useStack(depth, frame)
		c.out = append(c.out, frame...)
	}
	c.in = append(c.in[:0], rest...)
	for out := c.out; len(out) > 0; {
		n, err := syscall.Write(descriptor, out)
		if err == syscall.EAGAIN {
			runtime.Gosched()
			continue
		}
		if err != nil {
			return false
		}
		out = out[n:]
	}
	c.out = c.out[:0]
	return true
}
