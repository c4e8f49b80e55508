package main

import (
	"net"
	"runtime"
	"syscall"
)

// serveByNetpoll uses a goroutine for each connection: one read of many calls, one write of many answers.
func serveByNetpoll(conns []net.Conn, answerBytes int) error {
	for _, conn := range conns {
		go func() {
			out, buffer := newAnswers(answerBytes), make([]byte, readBytes)
			for {
				n, err := conn.Read(buffer)
				if err != nil {
					end()
				}
				done.reads.Add(1)
				out.take(buffer[:n])
				if len(out.whole()) == 0 {
					continue
				}
				done.writes.Add(1)
				if n, err = conn.Write(out.whole()); err != nil {
					end()
				}
				out.forget(n)
			}
		}()
	}
	select {}
}

// serveByEpoll uses one thread to wait for all connections and do all other work, without goroutines for connections.
func serveByEpoll(conns []net.Conn, answerBytes int) error {
	runtime.LockOSThread()
	sockets, err := descriptors(conns)
	if err != nil {
		return err
	}
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		return err
	}
	outs := map[int32]*answers{}
	for _, socket := range sockets {
		out := newAnswers(answerBytes)
		outs[int32(socket)] = &out
		if err := syscall.SetNonblock(socket, true); err != nil {
			return err
		}
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(socket)}
		if err := syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, socket, &event); err != nil {
			return err
		}
	}
	events, buffer := make([]syscall.EpollEvent, 1024), make([]byte, readBytes)
	for {
		n, err := syscall.EpollWait(poll, events, -1)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		done.waits.Add(1)
		for _, event := range events[:n] {
			turn(poll, event, outs[event.Fd], buffer)
		}
	}
}

// turn reads the received bytes and writes as many answers as there is room for; the rest waits for EPOLLOUT.
func turn(poll int, event syscall.EpollEvent, out *answers, buffer []byte) {
	socket := int(event.Fd)
	if event.Events&^syscall.EPOLLOUT != 0 {
		n, err := syscall.Read(socket, buffer)
		if err == nil && n == 0 || err != nil && err != syscall.EAGAIN {
			end()
		}
		if n > 0 {
			done.reads.Add(1)
			out.take(buffer[:n])
		}
	}
	if len(out.whole()) == 0 {
		return
	}
	n, err := syscall.Write(socket, out.whole())
	if err != nil && err != syscall.EAGAIN {
		end()
	}
	done.writes.Add(1)
	out.forget(max(n, 0))
	watched := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: event.Fd}
	if len(out.whole()) > 0 {
		watched.Events |= syscall.EPOLLOUT
	}
	if watched.Events != syscall.EPOLLIN || event.Events&syscall.EPOLLOUT != 0 {
		syscall.EpollCtl(poll, syscall.EPOLL_CTL_MOD, socket, &watched)
	}
}
