// Command choices measures the large choices of package rpc apart from it: how a server reads, where handlers run, and how answers are written. A
// server echoes frames of 1 KiB, a client keeps a number of frames in flight, and each reports its CPU time per frame.
//
//	choices -loop net|epoll -dispatch inline|go|workers -write each|first|yield|woken -connections 1 -callers 100 -depth 0 -network unix
//
// It starts its own server, on the same CPU, and prints one line: server and client CPU in us per frame, frames per second, and frames per
// write of the client.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// setting is a combination of choices to compare.
type setting struct {
	network, loop, dispatch, write string
	connections, callers, depth    int
	seconds                        float64
}

func main() {
	var s setting
	serves := flag.String("serve", "", "serve on this address (the command starts itself so)")
	flag.StringVar(&s.network, "network", "unix", "unix or tcp")
	flag.StringVar(&s.loop, "loop", "net", "net: a goroutine reads each connection; epoll: one loop reads, answers and writes")
	flag.StringVar(&s.dispatch, "dispatch", "go", "inline: the reader runs handlers; go: a goroutine for each; workers: goroutines used again")
	flag.StringVar(&s.write, "write", "yield", "each: one write a frame; first: the first writes for all that come meanwhile; yield: it yields once before; woken: a goroutine of the connection writes")
	flag.IntVar(&s.connections, "connections", 1, "how many")
	flag.IntVar(&s.callers, "callers", 100, "frames in flight, in all")
	flag.IntVar(&s.depth, "depth", 0, "stack that a handler uses, in steps of about 300 bytes")
	flag.Float64Var(&s.seconds, "seconds", 2, "how long it is measured")
	flag.Parse()
	if *serves != "" {
		log.Fatal(s.serve(*serves))
	}
	if err := s.measure(); err != nil {
		log.Fatal(err)
	}
}

// serve answers until the process is killed.
func (s setting) serve(address string) error {
	listener, err := net.Listen(s.network, address)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	if s.loop == "epoll" {
		return serveByEpoll(listener, s.depth)
	}
	return serveByGoroutines(listener, s)
}

// measure runs a server and loads it.
func (s setting) measure() error {
	directory, err := os.MkdirTemp("", "choices")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	address := "127.0.0.1:0"
	if s.network == "unix" {
		address = filepath.Join(directory, "s")
	}
	server := exec.Command(os.Args[0], append([]string{"-serve", address}, os.Args[1:]...)...)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		server.Process.Kill()
		server.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	var frames, writes atomic.Int64
	if err := load(s, line[:len(line)-1], &frames, &writes); err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond)
	before := [...]int64{frames.Load(), writes.Load(), cpuOf(server.Process.Pid), ownCPU()}
	began := time.Now()
	time.Sleep(time.Duration(s.seconds * float64(time.Second)))
	took := time.Since(began).Seconds()
	after := [...]int64{frames.Load(), writes.Load(), cpuOf(server.Process.Pid), ownCPU()}
	n := float64(after[0] - before[0])
	fmt.Printf("%.3f %.3f %.0f %.1f\n", float64(after[2]-before[2])/n, float64(after[3]-before[3])/n, n/took, n/float64(after[1]-before[1]))
	return nil
}

// ticksPerSecond is the unit of times in /proc/PID/stat.
const ticksPerSecond = 100

// cpuOf returns the CPU time of a process in us.
func cpuOf(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		log.Fatal(err)
	}
	var (
		ignored      [11]string
		user, kernel int64
	)
	// The name, which is this command's, has no spaces.
	fields := []any{new(string), new(string)}
	for i := range ignored {
		fields = append(fields, &ignored[i])
	}
	if _, err := fmt.Sscan(string(text), append(fields, &user, &kernel)...); err != nil {
		log.Fatal(err)
	}
	return (user + kernel) * 1_000_000 / ticksPerSecond
}

// ownCPU returns the CPU time of this process in us.
func ownCPU() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return (used.Utime.Nano() + used.Stime.Nano()) / 1000
}
