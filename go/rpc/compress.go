package rpc

import (
	"errors"
	"strings"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
)

// Compressor is a way to compress messages of gRPC beside gzip. Module hone/go/zstd has one. Several goroutines use it at once.
type Compressor interface {
	// Encoding is the name that the other side knows it by, in grpc-encoding.
	Encoding() string
	// AppendCompressed appends a message, compressed.
	AppendCompressed(to, message []byte) []byte
	// AppendDecompressed appends the message that was compressed. The error is [ErrExpands] where it has more than so many bytes: a short message must not take
	// much more memory.
	AppendDecompressed(to, compressed []byte, most int) ([]byte, error)
}

// ErrExpands is the error of a compressed message that would be longer than it may be.
var ErrExpands = grpcwire.ErrExpands

type gzipCompressor struct{}

// Encoding implements [Compressor].
func (gzipCompressor) Encoding() string { return grpcwire.Gzip }

// AppendCompressed implements [Compressor].
func (gzipCompressor) AppendCompressed(to, message []byte) []byte {
	return grpcwire.AppendGzip(to, message)
}

// AppendDecompressed implements [Compressor].
func (gzipCompressor) AppendDecompressed(to, compressed []byte, most int) ([]byte, error) {
	return grpcwire.AppendGunzip(to, compressed, most)
}

// encoding is a way to compress, with what answers begin with that may be compressed so.
type encoding struct {
	Compressor
	header *h2.Template
}

// compression is how a side compresses messages, and what it reads.
type compression struct {
	// longer is how long a message must be to be compressed; 0 is never.
	longer int
	// encodings are all that are read, the best first: gzip is the last one.
	encodings []encoding
	// names are theirs, as grpc-accept-encoding has them.
	names string
}

func newCompression(longer int, compressors []Compressor) compression {
	c := compression{longer: longer}
	var names []string
	for _, one := range append(compressors[:len(compressors):len(compressors)], gzipCompressor{}) {
		header := h2.NewTemplate(h2.Field{Name: ":status", Value: "200"}, h2.Field{Name: "content-type", Value: grpcwire.ContentType}, h2.Field{Name: "grpc-encoding", Value: one.Encoding()})
		c.encodings = append(c.encodings, encoding{one, header})
		names = append(names, one.Encoding())
	}
	c.names = strings.Join(names, ",")
	return c
}

// best is how messages are compressed for a side that does not say what it reads; nil is not at all.
func (c *compression) best() *encoding {
	if c.longer <= 0 {
		return nil
	}
	return &c.encodings[0]
}

// bestOf is the same for a side that reads what its grpc-accept-encoding says.
func (c *compression) bestOf(accepted string) *encoding {
	if c.longer <= 0 {
		return nil
	}
	for i := range c.encodings {
		if grpcwire.Accepts(accepted, c.encodings[i].Encoding()) {
			return &c.encodings[i]
		}
	}
	return nil
}

// decompress gives a message that was compressed.
func (c *compression) decompress(message []byte, encoding string, most int) ([]byte, error) {
	for _, one := range c.encodings {
		if one.Encoding() != encoding {
			continue
		}
		message, err := one.AppendDecompressed(nil, message, most)
		switch {
		case errors.Is(err, ErrExpands):
			return nil, Errorf(ResourceExhausted, "%v: more than %d bytes", err, most)
		case err != nil:
			return nil, Errorf(Internal, "decompress a message: %v", err)
		}
		return message, nil
	}
	return nil, Errorf(Unimplemented, "messages compressed by %q are not read here, only by %s", encoding, c.names)
}

// compressed is a message that is sent compressed.
type compressed struct {
	h2.Message
	by Compressor
}

// AppendMessage implements [h2.Message].
func (m compressed) AppendMessage(to []byte) ([]byte, error) {
	message, err := m.Message.AppendMessage(nil)
	if err != nil {
		return to, err
	}
	return m.by.AppendCompressed(to, message), nil
}

// compress compresses a message that is long enough, by an encoding that is not nil.
func (c *compression) compress(by *encoding, message h2.Message) (sent h2.Message, isCompressed bool) {
	if by != nil && message.Size() > c.longer {
		return compressed{message, by.Compressor}, true
	}
	return message, false
}
