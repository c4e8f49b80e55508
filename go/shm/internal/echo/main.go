//go:build linux

// Command echo sends back the bytes that come over connections of package shm, or sends bytes and checks those that come back. It
// is for tests of package shm with other languages.
//
//	echo serve PATH RING_BYTES                   until its standard input ends; prints `ready`, and for each connection that has ended
//	                                             `shared BYTES` or `ordinary BYTES`
//	echo call PATH SEED MESSAGES [CONNECTIONS]   sends so many messages of 1 byte to 1 MiB over each of so many connections, or over one;
//	                                             prints `ready` once the first connection has its first message back, and for each
//	                                             connection `shared BYTES` or `ordinary BYTES` once all messages are back
//
// Its twins are cpp/shm/examples/echo.cpp and crates/base/hone-shm/examples/echo.rs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"hone/go/shm"
)

// patience is long enough for a machine that is busy with other work.
const patience = 5 * time.Minute

func main() {
	err := errors.New("wrong arguments; write echo serve PATH RING_BYTES, or echo call PATH SEED MESSAGES [CONNECTIONS]")
	switch arguments := os.Args[1:]; {
	case len(arguments) == 3 && arguments[0] == "serve":
		err = serve(arguments[1], numberOf(arguments[2]))
	case len(arguments) == 4 && arguments[0] == "call":
		err = callAll(arguments[1], numberOf(arguments[2]), numberOf(arguments[3]), 1)
	case len(arguments) == 5 && arguments[0] == "call":
		err = callAll(arguments[1], numberOf(arguments[2]), numberOf(arguments[3]), numberOf(arguments[4]))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

func numberOf(word string) uint64 {
	number, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(2)
	}
	return number
}

// number returns the number at a place of a series that looks random (splitmix64).
func number(seed, place uint64) uint64 {
	mixed := seed + (place+1)*0x9e3779b97f4a7c15
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	return mixed ^ mixed>>31
}

// byteAt returns the byte at a position of the bytes that a client sends.
func byteAt(seed, position uint64) byte { return byte(number(seed, position/8) >> (position % 8 * 8)) }

func told(conn net.Conn, bytes int64) string {
	if shared, is := conn.(*shm.Conn); is && shared.IsShared() {
		return fmt.Sprintf("shared %d\n", bytes)
	}
	return fmt.Sprintf("ordinary %d\n", bytes)
}

func serve(path string, ringBytes uint64) error {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	server := &shm.Server{Options: shm.Options{RingBytes: int(ringBytes)}}
	os.Stdout.WriteString("ready\n")
	for {
		accepted, err := listener.AcceptUnix()
		if err != nil {
			return err
		}
		conn, err := server.Conn(accepted)
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			n, _ := io.Copy(struct{ io.Writer }{conn}, struct{ io.Reader }{conn})
			os.Stdout.WriteString(told(conn, n))
		}()
	}
}

// callAll calls over several connections at the same time.
func callAll(path string, seed, messages, connections uint64) error {
	dialer := &shm.Dialer{Patience: patience}
	conns := make([]net.Conn, connections)
	for at := range conns {
		var err error
		if conns[at], err = dialer.Dial(context.Background(), path); err != nil {
			return err
		}
	}
	ended := make(chan error)
	for at, conn := range conns {
		go func() { ended <- call(conn, seed+uint64(at), messages, at == 0) }()
	}
	for range conns {
		if err := <-ended; err != nil {
			return err
		}
	}
	return nil
}

// call sends messages and checks the bytes that come back. The first connection prints a line when it is ready.
func call(conn net.Conn, seed, messages uint64, isFirst bool) error {
	defer conn.Close()
	sent := make(chan sending, 1)
	firstBytes := sizeOf(seed, messages)
	go func() { sent <- send(conn, seed, messages) }()
	buffer := make([]byte, 64<<10)
	received := uint64(0)
	for {
		n, err := conn.Read(buffer)
		for at, got := range buffer[:n] {
			if got != byteAt(seed, received+uint64(at)) {
				return fmt.Errorf("byte %d came back as another than was sent", received+uint64(at))
			}
		}
		wasReady := received >= firstBytes
		if received += uint64(n); isFirst && !wasReady && received >= firstBytes {
			os.Stdout.WriteString("ready\n")
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF {
			break
		}
	}
	all := <-sent
	if all.err != nil {
		return all.err
	}
	if received != all.bytes {
		return fmt.Errorf("%d bytes came back of %d", received, all.bytes)
	}
	os.Stdout.WriteString(told(conn, int64(received)))
	return nil
}

// sizeOf returns the size in bytes of a message, where so many messages are left to send.
func sizeOf(seed, left uint64) uint64 {
	size := number(seed+1, left)
	return 1 + size>>8%(1<<(size%21))
}

type sending struct {
	bytes uint64
	err   error
}

// send sends messages, and then closes its half of the connection.
func send(conn net.Conn, seed, messages uint64) sending {
	var all sending
	for ; messages > 0; messages-- {
		message := make([]byte, sizeOf(seed, messages))
		for at := range message {
			message[at] = byteAt(seed, all.bytes+uint64(at))
		}
		n, err := conn.Write(message)
		if all.bytes += uint64(n); err != nil {
			return sending{all.bytes, err}
		}
	}
	all.err = conn.(interface{ CloseWrite() error }).CloseWrite()
	return all
}
