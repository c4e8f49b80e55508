// Command gonet echoes frames of 1 KiB as programs/gather.cc does, through Go's runtime or past it.
//
//	gonet -by netpoll|epoll|ring|ring-thread|ring-goroutine -connections N -callers N
//
// It prints its port, accepts its connections, answers until the first of them ends, and prints its counts and its CPU time.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"sync/atomic"
	"syscall"
)

const (
	frameBytes = 1 << 10
	readBytes  = 64 << 10
)

// served holds the counts of the server since it had all its connections.
type served struct {
	frames, reads, writes, waits atomic.Int64
	userUs, systemUs             float64
}

var done served

func main() {
	by := flag.String("by", "netpoll", "how connections are read and written")
	connections := flag.Int("connections", 1, "how many to take")
	callers := flag.Int("callers", 1, "how many calls may be under way, in all")
	flag.Parse()
	conns, err := accept(*connections)
	if err != nil {
		log.Fatal(err)
	}
	answerBytes := ((*callers+*connections-1)/(*connections) + 1) * frameBytes
	if err := serve(*by, conns, answerBytes); err != nil {
		log.Fatal(err)
	}
}

func serve(by string, conns []net.Conn, answerBytes int) error {
	done.userUs, done.systemUs = cpu()
	switch by {
	case "netpoll":
		return serveByNetpoll(conns, answerBytes)
	case "epoll":
		return serveByEpoll(conns, answerBytes)
	case "ring":
		return serveByRing(conns, answerBytes)
	case "ring-thread", "ring-goroutine":
		return serveByRingAndGoroutines(conns, answerBytes, by == "ring-thread")
	}
	return fmt.Errorf("-by %s is not known", by)
}

// accept accepts count connections.
func accept(count int) ([]net.Conn, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	conns := make([]net.Conn, count)
	for i := range conns {
		if conns[i], err = listener.Accept(); err != nil {
			return nil, err
		}
	}
	return conns, nil
}

// end prints the counts and ends the process, since a connection has ended.
func end() {
	user, system := cpu()
	json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"frames": float64(done.frames.Load()), "reads": float64(done.reads.Load()), "writes": float64(done.writes.Load()),
		"waits": float64(done.waits.Load()), "user_us": user - done.userUs, "system_us": system - done.systemUs,
	})
	os.Exit(0)
}

// cpu returns the CPU time of this process in us.
func cpu() (user, system float64) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return float64(used.Utime.Nano()) / 1e3, float64(used.Stime.Nano()) / 1e3
}

// descriptors takes connections out of Go's own poller.
func descriptors(conns []net.Conn) ([]int, error) {
	var taken []int
	for _, conn := range conns {
		file, err := conn.(*net.TCPConn).File()
		if err != nil {
			return nil, err
		}
		descriptor, err := syscall.Dup(int(file.Fd()))
		if err != nil {
			return nil, err
		}
		file.Close()
		conn.Close()
		taken = append(taken, descriptor)
	}
	return taken, nil
}
