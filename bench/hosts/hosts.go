package main

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"time"

	"hone/go/rpc"
	"hone/go/rpc/health"
	"hone/go/thrift"
)

// fault is a defect of a host.
type fault struct {
	name   string
	counts []int
	make   func() (address string, end func())
}

var faults = []fault{
	{"none", []int{0}, nil},
	{"refuses", []int{1, 3, 5, 9}, refuses},
	{"drops packets", []int{1, 3, 5, 9}, drops},
	{"never answers", []int{1, 3, 5, 9}, neverAnswers},
}

// refuses returns the address of a port at which nobody listens.
func refuses() (string, func()) {
	address, end := neverAnswers()
	end()
	return address, func() {}
}

// neverAnswers returns the address of a port whose connections are accepted but never served, as those of a process that hangs.
func neverAnswers() (string, func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	return listener.Addr().String(), func() { listener.Close() }
}

// drops returns the address of a port whose kernel drops packets, since its queue of connections is full.
func drops() (string, func()) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	check(err)
	check(syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	check(syscall.Listen(socket, 0))
	bound, err := syscall.Getsockname(socket)
	check(err)
	address := fmt.Sprintf("127.0.0.1:%d", bound.(*syscall.SockaddrInet4).Port)
	var waiting []net.Conn
	for {
		conn, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			break
		}
		waiting = append(waiting, conn)
	}
	return address, func() {
		for _, conn := range waiting {
			conn.Close()
		}
		syscall.Close(socket)
	}
}

// serve starts a host that answers: health over gRPC, and a function "ping" over Thrift.
func serve() (string, func()) {
	server := rpc.NewServer()
	health.Register(server)
	processor := thrift.NewProcessor()
	processor.Handle("ping", thrift.Handler{
		Args:  func() thrift.Reader { return new(thrift.Nothing) },
		Serve: func(context.Context, thrift.Reader) (thrift.Writer, error) { return new(thrift.Nothing), nil },
	})
	server.RegisterThrift("Ping", processor)
	listener, err := rpc.Listen("tcp://127.0.0.1:0")
	check(err)
	go server.Serve(listener)
	return listener.Addr().String(), server.Close
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
