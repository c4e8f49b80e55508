// Sends files, each with the bytes of one request, to Parca's WriteRaw over gRPC, as fast as the server answers, and prints the result as JSON.
//
// It is built within Parca's own module, which brings gRPC.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// bytesCodec passes requests on unchanged, and ignores answers, which are empty.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error)      { return v.([]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error { return nil }
func (bytesCodec) Name() string                       { return "proto" }

func main() {
	address := flag.String("address", "", "host:port of Parca")
	folder := flag.String("folder", "", "folder of requests")
	callers := flag.Int("callers", 4, "requests that are under way at most")
	flag.Parse()
	if err := run(*address, *folder, *callers); err != nil {
		fmt.Fprintln(os.Stderr, "parca_send:", err)
		os.Exit(1)
	}
}

func run(address, folder string, callers int) error {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.ForceCodec(bytesCodec{})))
	if err != nil {
		return err
	}
	defer connection.Close()
	began := time.Now()
	waits := make([]float64, len(files))
	var next atomic.Int64
	var group sync.WaitGroup
	failures := make(chan error, callers)
	for range callers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				at := int(next.Add(1)) - 1
				if at >= len(files) {
					return
				}
				seconds, err := send(connection, files[at])
				if err != nil {
					failures <- err
					return
				}
				waits[at] = seconds
			}
		}()
	}
	group.Wait()
	select {
	case err := <-failures:
		return err
	default:
	}
	sort.Float64s(waits)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"requests":   len(files),
		"wall_s":     time.Since(began).Seconds(),
		"wait_p50_s": waits[len(waits)/2],
		"wait_p99_s": waits[len(waits)*99/100],
	})
}

// send returns the seconds until a request was answered.
func send(connection *grpc.ClientConn, file string) (float64, error) {
	request, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	asked := time.Now()
	var answer []byte
	err = connection.Invoke(ctx, "/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw", request, &answer)
	return time.Since(asked).Seconds(), err
}
