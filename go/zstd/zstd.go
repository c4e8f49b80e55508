// Package zstd compresses messages of gRPC with Zstandard (RFC 8878), for both sides of package hone/go/rpc:
//
//	client.Compress, client.Compressors = 1000, []rpc.Compressor{zstd.New()}
//	server.Compress, server.Compressors = 1000, []rpc.Compressor{zstd.New()}
//
// It is a module of its own, so that programs that do not use it do not have its dependency.
package zstd

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/zstd"

	"hone/go/rpc"
)

// Compressor is a [rpc.Compressor].
type Compressor struct {
	// encoders and decoders are pools. One goroutine at a time uses each encoder and decoder, so that a message never waits for another one.
	encoders, decoders sync.Pool
}

// New returns a compressor with the compression level that costs the least CPU time.
func New() *Compressor {
	c := new(Compressor)
	c.encoders.New = func() any {
		// NewWriter returns no error, since these options are valid.
		made, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(windowBytes), zstd.WithLowerEncoderMem(true))
		return made
	}
	return c
}

// windowBytes is the distance, in bytes, within which repetitions in a message are found. Peers must support windows of 8 MiB.
const windowBytes = 512 << 10

// Encoding implements [rpc.Compressor].
func (*Compressor) Encoding() string { return "zstd" }

// AppendCompressed implements [rpc.Compressor].
func (c *Compressor) AppendCompressed(to, message []byte) []byte {
	encoder := c.encoders.Get().(*zstd.Encoder)
	defer c.encoders.Put(encoder)
	return encoder.EncodeAll(message, to)
}

// decoder is a decoder that may use at most so many bytes of memory.
type decoder struct {
	*zstd.Decoder
	most int
}

// mostWindowBytes is the window size that RFC 8878 wants every decoder to support, however short the message.
const mostWindowBytes = 8 << 20

// AppendDecompressed implements [rpc.Compressor].
func (c *Compressor) AppendDecompressed(to, compressed []byte, most int) ([]byte, error) {
	with, _ := c.decoders.Get().(*decoder)
	if room := max(most, mostWindowBytes); with == nil || with.most != room {
		made, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(room)), zstd.WithDecoderMaxWindow(mostWindowBytes), zstd.WithDecoderLowmem(true))
		if err != nil {
			return to, err
		}
		with = &decoder{made, room}
	}
	defer c.decoders.Put(with)
	got, err := with.DecodeAll(compressed, to)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), err == nil && len(got)-len(to) > most:
		return to, rpc.ErrExpands
	case err != nil:
		return to, err
	}
	return got, nil
}
