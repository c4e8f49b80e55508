package rpc_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/stream"
)

// parrot implements a function of the service Talk, whose streaming.mode in the .thrift file is "bidirectional".
type parrot struct{ talk.Talk }

func (parrot) Chat(messages stream.BidiStreamingServer[talk.Words, talk.Words]) error {
	for {
		said, err := messages.Recv()
		if err == io.EOF {
			return nil // ends the stream without an error
		}
		if err != nil {
			return err
		}
		if err := messages.Send(&talk.Words{Text: said.Text + "!"}); err != nil {
			return err
		}
	}
}

// A client and a server of Thrift send each other messages over one stream.
func ExampleBidiStreamingClient() {
	server := rpc.NewServer()
	defer server.Close()
	talk.RegisterTalk(server, parrot{})
	client := rpc.Local(server)
	defer client.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel() // a stream that is not received up to its end lasts as long as its context

	chat, err := talk.NewTalkClient(client).Chat(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"hello", "goodbye"} {
		if err := chat.Send(&talk.Words{Text: text}); err != nil {
			log.Fatal(err)
		}
		answer, err := chat.Recv()
		fmt.Println(answer.GetText(), err)
	}
	chat.CloseSend()
	_, err = chat.Recv()
	fmt.Println(err)
	// Output:
	// hello! <nil>
	// goodbye! <nil>
	// EOF
}

// warehouse implements two streams of the service Greeter.
type warehouse struct{ greeter.UnimplementedGreeter }

func (warehouse) List(request *greeter.ListRequest, items rpc.ServerStreamingServer[greeter.Item]) error {
	for number := range request.Count {
		if err := items.Send(&greeter.Item{Number: number}); err != nil {
			return err
		}
	}
	return nil
}

func (warehouse) Upload(chunks rpc.ClientStreamingServer[greeter.Chunk, greeter.Summary]) error {
	var summary greeter.Summary
	for {
		chunk, err := chunks.Recv()
		if err == io.EOF {
			return chunks.SendAndClose(&summary)
		}
		if err != nil {
			return err
		}
		summary.Chunks++
		summary.Bytes += int64(len(chunk.Body))
	}
}

// A server of gRPC sends several responses to one request.
func ExampleServerStreamingClient() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, warehouse{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	items, err := greeter.NewGreeterClient(client).List(context.Background(), &greeter.ListRequest{Count: 3})
	if err != nil {
		log.Fatal(err)
	}
	for {
		item, err := items.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("item", item.Number)
	}
	// Output:
	// item 0
	// item 1
	// item 2
}

// A client of gRPC sends several requests and receives one response.
func ExampleClientStreamingClient() {
	server := rpc.NewServer()
	defer server.Close()
	greeter.RegisterGreeter(server, warehouse{})
	client := rpc.Local(server)
	client.Wire = rpc.GRPC
	defer client.Close()

	upload, err := greeter.NewGreeterClient(client).Upload(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, body := range []string{"one", "two", "three"} {
		if err := upload.Send(&greeter.Chunk{Body: []byte(body)}); err != nil {
			log.Fatal(err)
		}
	}
	summary, err := upload.CloseAndRecv()
	fmt.Println(summary.GetChunks(), "chunks of", summary.GetBytes(), "bytes,", err)
	// Output: 3 chunks of 11 bytes, <nil>
}
