// A service of two methods that do the same work, one of them 20 times as much of it, and a client that calls both one after the other.
// The first argument is the directory for the CPU profile.
package main

import (
	"context"
	"log"
	"os"
	"runtime/pprof"
	"syscall"
	"time"

	"google.golang.org/protobuf/types/known/emptypb"
	"hone/go/rpc"
)

// calls is the number of calls of each method.
const calls = 4

// worker makes a method that burns this much CPU time.
func worker(name string, cpu time.Duration) rpc.Method {
	return rpc.UnaryMethod(name, func(context.Context, *emptypb.Empty) (*emptypb.Empty, error) {
		burn(cpu)
		return &emptypb.Empty{}, nil
	})
}

var sum int

//go:noinline
func burn(cpu time.Duration) {
	for ends := used() + cpu; used() < ends; {
		for i := range 100_000 {
			sum += i * i % 7
		}
	}
}

// used is the CPU time of the process.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	directory := os.Args[1]
	address := "unix://" + directory + "/socket"
	server := rpc.NewServer()
	server.Register(rpc.Service{Name: "shop.Shop", Methods: []rpc.Method{
		worker("Light", 50*time.Millisecond),
		worker("Heavy", time.Second),
	}})
	listener, err := rpc.Listen(address)
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(server.Serve(listener)) }()
	client := rpc.Dial(address)
	client.Wire = rpc.GRPC
	client.ConnectTimeout = time.Minute

	profile, err := os.Create(directory + "/cpu.pprof")
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(profile); err != nil {
		log.Fatal(err)
	}
	for _, method := range []string{"Light", "Heavy"} {
		for range calls {
			_, err := rpc.CallUnary[emptypb.Empty](context.Background(), client, "/shop.Shop/"+method, &emptypb.Empty{})
			if err != nil {
				log.Fatal(err)
			}
		}
	}
	pprof.StopCPUProfile()
	if err := profile.Close(); err != nil {
		log.Fatal(err)
	}
}
