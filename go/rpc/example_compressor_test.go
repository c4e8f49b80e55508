package rpc_test

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// deflate is a compression that client and server agree on; gzip needs no Compressor.
type deflate struct{ messages atomic.Int64 }

func (d *deflate) Encoding() string { return "deflate" }

func (d *deflate) AppendCompressed(to, message []byte) []byte {
	d.messages.Add(1)
	buffer := bytes.NewBuffer(to)
	writer, _ := flate.NewWriter(buffer, flate.BestSpeed)
	writer.Write(message)
	writer.Close()
	return buffer.Bytes()
}

func (d *deflate) AppendDecompressed(to, compressed []byte, most int) ([]byte, error) {
	message, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(compressed)), int64(most)+1))
	if len(message) > most {
		return nil, rpc.ErrExpands
	}
	return append(to, message...), err
}

// mirror implements a method of the service Greeter.
type mirror struct{ greeter.UnimplementedGreeter }

func (mirror) Hello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Text: request.Name}, nil
}

// A client and a server compress messages of gRPC that are longer than 1,000 bytes.
func ExampleCompressor() {
	fromServer, fromClient := new(deflate), new(deflate)
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, mirror{})
	server.Compress, server.Compressors = 1000, []rpc.Compressor{fromServer}
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	client.Compress, client.Compressors = 1000, []rpc.Compressor{fromClient}
	defer client.Close()

	for _, name := range []string{"short", strings.Repeat("long", 1000)} {
		reply, err := greeter.NewGreeterClient(client).Hello(context.Background(), &greeter.HelloRequest{Name: name})
		fmt.Println(len(reply.GetText()), "bytes,", err)
	}
	fmt.Println("compressed:", fromClient.messages.Load(), "request and", fromServer.messages.Load(), "response")
	// Output:
	// 5 bytes, <nil>
	// 4000 bytes, <nil>
	// compressed: 1 request and 1 response
}
