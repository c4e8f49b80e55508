package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
)

// A frame is a length of 4 bytes, which counts the bytes after it, a number of 4 bytes and a payload.
const (
	headBytes    = 8
	payloadBytes = 1 << 10
	bufferBytes  = 64 << 10
)

func newFrame(number int) []byte {
	frame := make([]byte, headBytes+payloadBytes)
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
	binary.BigEndian.PutUint32(frame[4:], uint32(number))
	return frame
}

// serveByGoroutines uses a goroutine to read each connection.
func serveByGoroutines(listener net.Listener, s setting) error {
	var workers pool
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			out := newWriter(s.write, conn, new(atomic.Int64))
			in := bufio.NewReaderSize(conn, bufferBytes)
			for {
				head, err := in.Peek(4)
				if err != nil {
					return
				}
				frame := make([]byte, 4+binary.BigEndian.Uint32(head))
				if _, err := io.ReadFull(in, frame); err != nil {
					return
				}
				handle := func() {
					useStack(s.depth, frame)
					out.put(frame)
				}
				switch s.dispatch {
				case "inline":
					handle()
				case "go":
					go handle()
				case "workers":
					workers.run(handle)
				}
			}
		}()
	}
}

var sink atomic.Int64

// useStack uses stack, as a handler that decodes and calls others does.
func useStack(depth int, frame []byte) {
	if depth > 0 {
		sink.Store(int64(deeper(depth, frame)))
	}
}

//go:noinline
func deeper(depth int, frame []byte) int {
	var local [256]byte
	copy(local[:], frame)
	if depth == 0 {
		return int(local[3])
	}
	return deeper(depth-1, frame) + int(local[5])
}

// load keeps frames in flight, and counts the returned frames and the writes that it made.
func load(s setting, address string, frames, writes *atomic.Int64) error {
	for range s.connections {
		conn, err := net.Dial(s.network, address)
		if err != nil {
			return err
		}
		out := newWriter("yield", conn, writes)
		answered := make([]chan struct{}, s.callers/s.connections)
		for number := range answered {
			answered[number] = make(chan struct{}, 1)
			go func() {
				for frame := newFrame(number); ; {
					out.put(frame)
					<-answered[number]
					frames.Add(1)
				}
			}()
		}
		go func() {
			in := bufio.NewReaderSize(conn, bufferBytes)
			for {
				head, err := in.Peek(headBytes)
				if err != nil {
					return
				}
				number := binary.BigEndian.Uint32(head[4:])
				if _, err := in.Discard(4 + int(binary.BigEndian.Uint32(head))); err != nil {
					return
				}
				answered[number] <- struct{}{}
			}
		}()
	}
	return nil
}
