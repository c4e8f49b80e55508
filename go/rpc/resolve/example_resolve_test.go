package resolve_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"hone/go/rpc/resolve"
)

// A file is watched: the resolver tells the instances of a service, and tells them again when the file has changed.
func ExampleFile() {
	dir, err := os.MkdirTemp("", "resolve")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "services.json")
	write := func(address string) {
		text := fmt.Sprintf(`{"hello": [{"address": %q, "weight": 50, "tags": {"zone": "a"}}]}`, address)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	write("10.0.0.1:9090")

	ctx, cancel := context.WithCancel(context.Background())
	file := resolve.File{Path: path, Interval: time.Millisecond}
	err = file.Watch(ctx, "hello", func(update resolve.Update) {
		instance := update.Instances[0]
		fmt.Println(instance.Address, instance.Weight, instance.Tags[resolve.Zone])
		if instance.Address == "10.0.0.1:9090" {
			write("10.0.0.22:9090")
		} else {
			cancel() // Watch returns
		}
	})
	fmt.Println(err)
	// Output:
	// 10.0.0.1:9090 50 a
	// 10.0.0.22:9090 50 a
	// <nil>
}

// A file of instances is checked before it is put in place.
func ExampleParse() {
	_, err := resolve.Parse([]byte("{\n\"hello\": [{\"address\": \"10.0.0.1\"}]}"))
	fmt.Println(err)
	// Output: 2: service "hello": address "10.0.0.1" is not host:port; write it as 10.0.0.1:9090, [::1]:9090, unix:/run/hello.sock or shm:/run/hello.sock
}
