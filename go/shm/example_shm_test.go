//go:build linux

package shm_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"

	"hone/go/shm"
)

// serveOne serves one connection of a socket in a new directory by a function, and returns the socket's path and a function that ends the server.
func serveOne(server *shm.Server, serve func(*shm.Conn)) (path string, end func()) {
	dir, err := os.MkdirTemp("", "shm")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		accepted, err := listener.AcceptUnix()
		if err != nil {
			return
		}
		conn, err := server.Conn(accepted)
		if err != nil {
			log.Fatal(err)
		}
		defer conn.Close()
		serve(conn)
	}()
	return path, func() {
		listener.Close()
		<-served
		os.RemoveAll(dir)
	}
}

// A client writes to a server and reads the answer through memory; both ends are ordinary connections to their callers.
func ExampleDialer() {
	server := new(shm.Server)
	path, end := serveOne(server, func(conn *shm.Conn) {
		request, err := io.ReadAll(conn) // up to the client's CloseWrite
		if err == nil {
			fmt.Fprintf(conn, "%d bytes through memory: %v", len(request), conn.IsShared())
		}
	})
	defer end()

	conn, err := (&shm.Dialer{Patience: time.Minute}).Dial(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello"); err != nil {
		log.Fatal(err)
	}
	conn.(interface{ CloseWrite() error }).CloseWrite()
	answer, err := io.ReadAll(conn)
	fmt.Println(string(answer), err)
	// Output: 5 bytes through memory: true <nil>
}

// A server reads and answers in place: nothing is copied but what the server writes.
func ExampleConn_Reserve() {
	path, end := serveOne(new(shm.Server), func(conn *shm.Conn) {
		unread, err := conn.Peek()
		if err != nil {
			log.Fatal(err)
		}
		room, err := conn.Reserve()
		if err != nil {
			log.Fatal(err)
		}
		n := copy(room, "you wrote: ")
		n += copy(room[n:], unread)
		conn.Commit(n)
		conn.Discard(len(unread))
	})
	defer end()

	conn, err := (&shm.Dialer{Patience: time.Minute}).Dial(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "hello"); err != nil {
		log.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	fmt.Println(string(answer), err)
	// Output: you wrote: hello <nil>
}
