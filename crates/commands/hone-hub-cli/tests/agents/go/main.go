// A program that works, with Pyroscope's agent for Go; its argument is the hub's address.
package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/grafana/pyroscope-go"
)

var kept [][]byte

//go:noinline
func busy(rounds int) int {
	total := 0
	for number := range rounds {
		total += number * number % 7
	}
	return total
}

//go:noinline
func work() {
	for {
		if busy(1_000_000) == 0 {
			return
		}
		if len(kept) < 1000 {
			kept = append(kept, make([]byte, 1<<16))
		}
	}
}

func main() {
	_, err := pyroscope.Start(pyroscope.Config{
		ApplicationName: "go-shop",
		ServerAddress:   os.Args[1],
		UploadRate:      2 * time.Second,
		Logger:          pyroscope.StandardLogger,
		Tags:            map[string]string{"region": "eu", "hostname": "web-1"},
		ProfileTypes: []pyroscope.ProfileType{
			pyroscope.ProfileCPU, pyroscope.ProfileInuseSpace, pyroscope.ProfileGoroutines,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	pyroscope.TagWrapper(context.Background(), pyroscope.Labels("method", "Price"), func(context.Context) {
		work()
	})
}
