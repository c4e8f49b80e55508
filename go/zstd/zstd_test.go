package zstd_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"hone/go/rpc"
	"hone/go/zstd"
)

// path is the path of a method that answers with its request.
const path = "/test.Echo/Unary"

func echo(t *testing.T, changes ...func(*rpc.Server, *rpc.Client)) *rpc.Client {
	server := rpc.NewServer()
	server.Register(rpc.Service{Name: "test.Echo", Methods: []rpc.Method{{Name: "Unary", NewRequest: func() any { return new(rpc.Raw) },
		Serve: func(_ context.Context, request any) (any, error) { return request, nil }}}})
	listener, err := rpc.Listen("unix://" + t.TempDir() + "/s")
	if err != nil {
		t.Fatal(err)
	}
	client := rpc.Dial("unix://" + listener.Addr().String())
	client.Wire = rpc.GRPC
	for _, change := range changes {
		change(server, client)
	}
	go server.Serve(listener)
	t.Cleanup(server.Close)
	t.Cleanup(func() { client.Close() })
	return client
}

// counted counts the messages that are compressed and decompressed.
type counted struct {
	*zstd.Compressor
	mu               sync.Mutex
	written, decoded int
}

func (c *counted) AppendCompressed(to, message []byte) []byte {
	c.mu.Lock()
	c.written++
	c.mu.Unlock()
	return c.Compressor.AppendCompressed(to, message)
}

func (c *counted) AppendDecompressed(to, compressed []byte, most int) ([]byte, error) {
	c.mu.Lock()
	c.decoded++
	c.mu.Unlock()
	return c.Compressor.AppendDecompressed(to, compressed, most)
}

func TestMessagesAreCompressedBothWaysIfTheyAreLongEnough(t *testing.T) {
	here, there := &counted{Compressor: zstd.New()}, &counted{Compressor: zstd.New()}
	client := echo(t, func(server *rpc.Server, client *rpc.Client) {
		client.Compress, client.Compressors = 100, []rpc.Compressor{here}
		server.Compress, server.Compressors = 1000, []rpc.Compressor{there}
	})
	for _, bytes := range []int{10, 500, 5000, 1 << 20} {
		text := rpc.Raw(strings.Repeat("x", bytes))
		var got rpc.Raw
		if err := client.Invoke(context.Background(), path, text, &got); err != nil || string(got) != string(text) {
			t.Fatal(bytes, len(got), err)
		}
	}
	if here.written != 3 || there.decoded != 3 || there.written != 2 || here.decoded != 2 {
		t.Fatalf("the client has compressed %d and the server read %d; the server has compressed %d and the client read %d", here.written, there.decoded, there.written, here.decoded)
	}
}

func TestAServerCompressesByGzipForThoseWhoDoNotReadZstd(t *testing.T) {
	there := &counted{Compressor: zstd.New()}
	client := echo(t, func(server *rpc.Server, client *rpc.Client) {
		client.Compress = 100
		server.Compress, server.Compressors = 100, []rpc.Compressor{there}
	})
	text, got := rpc.Raw(strings.Repeat("x", 5000)), rpc.Raw(nil)
	if err := client.Invoke(context.Background(), path, text, &got); err != nil || string(got) != string(text) || there.written != 0 {
		t.Fatal(len(got), there.written, err)
	}
}

func TestAServerWithoutZstdSaysSo(t *testing.T) {
	client := echo(t, func(_ *rpc.Server, client *rpc.Client) {
		client.Compress, client.Compressors = 100, []rpc.Compressor{zstd.New()}
	})
	var got rpc.Raw
	err := client.Invoke(context.Background(), path, rpc.Raw(strings.Repeat("x", 5000)), &got)
	if rpc.CodeOf(err) != rpc.Unimplemented || !strings.Contains(err.Error(), `"zstd"`) || !strings.Contains(err.Error(), "gzip") {
		t.Fatal(err)
	}
}

func TestAMessageThatExpandsBeyondTheLimitIsRefused(t *testing.T) {
	client := echo(t, func(server *rpc.Server, client *rpc.Client) {
		client.Compress, client.Compressors = 100, []rpc.Compressor{zstd.New()}
		client.MessageBytes = 64 << 20
		server.MessageBytes, server.Compressors = 1<<20, []rpc.Compressor{zstd.New()}
	})
	var got rpc.Raw
	for _, bytes := range []int{1<<20 + 1, 32 << 20} {
		if err := client.Invoke(context.Background(), path, make(rpc.Raw, bytes), &got); rpc.CodeOf(err) != rpc.ResourceExhausted {
			t.Fatal(bytes, err)
		}
	}
	if err := client.Invoke(context.Background(), path, make(rpc.Raw, 1<<19), &got); err != nil || len(got) != 1<<19 {
		t.Fatal(len(got), err)
	}
}

func FuzzDecompress(f *testing.F) {
	c := zstd.New()
	f.Add([]byte("\x28\xb5\x2f\xfd"), uint16(100))
	f.Add(c.AppendCompressed(nil, make([]byte, 1<<20)), uint16(10))
	random := make([]byte, 3000)
	for i := range random {
		random[i] = byte(rand.IntN(8))
	}
	f.Add(c.AppendCompressed(nil, random), uint16(5000))
	f.Fuzz(func(t *testing.T, compressed []byte, most uint16) {
		before := []byte("before")
		got, err := c.AppendDecompressed(before, compressed, int(most))
		if !bytes.HasPrefix(got, before) || len(got)-len(before) > int(most) || errors.Is(err, rpc.ErrExpands) && len(got) != len(before) {
			t.Fatal(len(got), err)
		}
		whole := c.AppendCompressed(nil, compressed)
		if again, err := c.AppendDecompressed(nil, whole, len(compressed)); err != nil || !bytes.Equal(again, compressed) {
			t.Fatal(len(again), err)
		}
	})
}
