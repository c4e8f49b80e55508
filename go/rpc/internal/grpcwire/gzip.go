package grpcwire

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"sync"
)

// These are the values of grpc-encoding that this package knows.
const (
	Identity = "identity"
	Gzip     = "gzip"
)

// ErrExpands is the error of a message that would be longer than allowed after decompression.
var ErrExpands = errors.New("a compressed message is longer than it may be")

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// AppendGzip appends a compressed message.
func AppendGzip(to, message []byte) []byte {
	out := appender{to}
	w := writers.Get().(*gzip.Writer)
	w.Reset(&out)
	// A write to memory does not fail.
	w.Write(message)
	w.Close()
	writers.Put(w)
	return out.bytes
}

type appender struct{ bytes []byte }

func (a *appender) Write(more []byte) (int, error) {
	a.bytes = append(a.bytes, more...)
	return len(more), nil
}

// inflater is a decompressor with its source.
type inflater struct {
	gzip.Reader
	source bytes.Reader
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// leastRoom is the least room that is made for bytes that come.
const leastRoom = 512

// AppendGunzip appends a compressed message in its decompressed form, which may have so many bytes.
//
// # Errors
//
// [ErrExpands]; the error of bytes that are not gzip.
func AppendGunzip(to, compressed []byte, most int) ([]byte, error) {
	in := inflaters.Get().(*inflater)
	defer func() {
		in.source.Reset(nil)
		inflaters.Put(in)
	}()
	in.source.Reset(compressed)
	if err := in.Reset(&in.source); err != nil {
		return to, fmt.Errorf("decompress a message: %w", err)
	}
	for start := len(to); ; {
		if cap(to)-len(to) < leastRoom {
			to = append(to, make([]byte, leastRoom)...)[:len(to)]
		}
		n, err := in.Read(to[len(to):cap(to)])
		to = to[:len(to)+n]
		switch {
		case len(to)-start > most:
			return to[:start], ErrExpands
		case err == io.EOF:
			return to, nil
		case err != nil:
			return to[:start], fmt.Errorf("decompress a message: %w", err)
		}
	}
}
