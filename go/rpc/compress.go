package rpc

import (
	"errors"
	"strings"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/h2"
)

// Compressor compresses messages of gRPC, beside gzip. Module hone/go/zstd has one. Several goroutines use it at once.
type Compressor interface {
	// Encoding returns the name of the compression in grpc-encoding.
	Encoding() string
	// AppendCompressed compresses a message and appends it.
	AppendCompressed(to, message []byte) []byte
	// AppendDecompressed decompresses a message and appends it. The error is [ErrExpands] if the message has more than most bytes: a short message must
	// not take much more memory.
	AppendDecompressed(to, compressed []byte, most int) ([]byte, error)
}

// ErrExpands is the error of a compressed message that is longer than allowed once it is decompressed.
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

// encoding is a compressor, with the beginning of the headers of answers that may be compressed by it.
type encoding struct {
	Compressor
	header *h2.Template
}

// compression holds the rule by which one side compresses messages, and the encodings that it reads.
type compression struct {
	// longer is the length in bytes above which a message is compressed; 0 means never.
	longer int
	// encodings holds all encodings that are read, the best first: gzip is the last one.
	encodings []encoding
	// names lists the names of the encodings, as grpc-accept-encoding has them.
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

// best returns the encoding for a peer that does not say what it reads; nil means no compression.
func (c *compression) best() *encoding {
	if c.longer <= 0 {
		return nil
	}
	return &c.encodings[0]
}

// bestOf returns the best encoding of those that a peer's grpc-accept-encoding lists; nil means no compression.
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

// decompress decompresses a message.
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

// compress compresses a message if it is long enough and the encoding is not nil.
func (c *compression) compress(by *encoding, message h2.Message) (sent h2.Message, isCompressed bool) {
	if by != nil && message.Size() > c.longer {
		return compressed{message, by.Compressor}, true
	}
	return message, false
}
