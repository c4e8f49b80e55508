package process

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Listening returns the processes that listen at a place of a network: for a Unix socket the process that made it, for TCP all processes of this
// machine that hold a listening socket of the port.
//
// # Errors
//
// An error if no process is found: the place is on another machine, or its process belongs to another user.
func Listening(network, place string) ([]int, error) {
	if network == "unix" {
		pid, err := behindSocket(place)
		return []int{pid}, err
	}
	_, port, err := net.SplitHostPort(place)
	if err != nil {
		return nil, err
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, err
	}
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		content, err := os.ReadFile(table)
		if err == nil {
			listeningIn(content, number, inodes)
		}
	}
	pids := holding(inodes)
	if len(pids) == 0 {
		return nil, fmt.Errorf("no process of this user on this machine listens at port %d", number)
	}
	return pids, nil
}

// behindSocket returns the process that listens at a Unix socket.
func behindSocket(path string) (pid int, err error) {
	stream, err := net.Dial("unix", path)
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	raw, err := stream.(*net.UnixConn).SyscallConn()
	if err != nil {
		return 0, err
	}
	var credentials *syscall.Ucred
	if failed := raw.Control(func(fd uintptr) {
		credentials, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); failed != nil {
		err = failed
	}
	if err != nil {
		return 0, err
	}
	return int(credentials.Pid), nil
}

// isListening is the state of a listening socket in /proc/net/tcp.
const isListening = "0A"

// listeningIn adds the inodes of the sockets of a table of /proc/net that listen at a port.
func listeningIn(table []byte, port int, inodes map[string]bool) {
	lines := bufio.NewScanner(bytes.NewReader(table))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[3] != isListening {
			continue
		}
		_, digits, _ := strings.Cut(fields[1], ":")
		if number, err := hex.DecodeString(digits); err == nil && len(number) == 2 && int(number[0])<<8|int(number[1]) == port {
			inodes["socket:["+fields[9]+"]"] = true
		}
	}
}

// holding returns the processes that hold one of these sockets, sorted. Processes of other users are invisible.
func holding(inodes map[string]bool) []int {
	var pids []int
	if len(inodes) == 0 {
		return nil
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || !inodes[target] {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(link, "/")[2])
		if err == nil && !slices.Contains(pids, pid) {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}
