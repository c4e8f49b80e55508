package zstd_test

import (
	"context"
	"fmt"
	"strings"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/zstd"
)

// measure implements a method of the service Greeter.
type measure struct{ greeter.UnimplementedGreeter }

func (measure) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: fmt.Sprint(len(request.Name), " bytes")}, nil
}

// A client compresses requests that are longer than 1,000 bytes; its server must have Zstandard too.
func ExampleNew() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, measure{})
	server.Compress, server.Compressors = 1000, []rpc.Compressor{zstd.New()}
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Compress, client.Compressors = 1000, []rpc.Compressor{zstd.New()}
	defer client.Close()

	reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: strings.Repeat("Ada", 1000)})
	fmt.Println(reply.GetText(), err)
	// Output: 3000 bytes <nil>
}

// A message that comes again and again takes few bytes.
func ExampleCompressor_AppendCompressed() {
	message := []byte(strings.Repeat("the same again; ", 1000))
	compressor := zstd.New()
	compressed := compressor.AppendCompressed(nil, message)
	read, err := compressor.AppendDecompressed(nil, compressed, 1<<20)
	fmt.Println(len(message), len(compressed) < 100, string(read) == string(message), err)
	// Output: 16000 true true <nil>
}
