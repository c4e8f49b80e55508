// A CPU profile with labels as hone/go/rpc sets them: two methods of a service, one of which works longer, and work of none.
package main

import (
	"context"
	"log"
	"os"
	"runtime/pprof"
	"time"
)

var sum int

//go:noinline
func burn(long time.Duration) {
	for ends := time.Now().Add(long); time.Now().Before(ends); {
		for i := range 100_000 {
			sum += i * i % 7
		}
	}
}

func main() {
	profile, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(profile); err != nil {
		log.Fatal(err)
	}
	method := func(name string, long time.Duration) {
		labels := pprof.Labels("service", "shop.Shop", "method", name)
		pprof.Do(context.Background(), labels, func(context.Context) { burn(long) })
	}
	method("Heavy", 2*time.Second)
	method("Light", time.Second/2)
	burn(time.Second / 2)
	pprof.StopCPUProfile()
	if err := profile.Close(); err != nil {
		log.Fatal(err)
	}
}
