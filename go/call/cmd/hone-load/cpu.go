package main

import (
	"errors"
	"fmt"
	"net"
	"time"

	"hone/go/call/command"
	"hone/go/call/connect"
	"hone/go/call/load"
	"hone/go/call/process"
)

// cpuOf returns a function that reports the CPU time of both sides: that of the server by its process, if that is known.
func cpuOf(s command.Streams, o *options, address string) func() load.CPU {
	pids, err := []int{o.pid}, error(nil)
	if o.pid == 0 {
		pids, err = behind(address)
	}
	if err == nil {
		_, err = sum(pids)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "hone load: the server's CPU time is not known: %v; give --pid\n", err)
	}
	isKnown := err == nil
	return func() load.CPU {
		used := load.CPU{Client: process.Own()}
		if isKnown {
			var err error
			used.Server, err = sum(pids)
			used.HasServer = err == nil
		}
		return used
	}
}

// sum returns the total CPU time of processes.
func sum(pids []int) (total time.Duration, err error) {
	for _, pid := range pids {
		one, err := process.Of(pid)
		if err != nil {
			return 0, err
		}
		total += one
	}
	return total, nil
}

// behind returns the processes that listen at an address of this machine.
func behind(address string) ([]int, error) {
	network, place, err := connect.Socket(address)
	if err != nil {
		return nil, err
	}
	if network == "tcp" && !isLoopback(place) {
		return nil, errors.New("the address is not one of the loopback interface")
	}
	return process.Listening(network, place)
}

func isLoopback(place string) bool {
	host, _, err := net.SplitHostPort(place)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
