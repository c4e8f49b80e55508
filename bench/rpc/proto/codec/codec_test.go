// Package codec measures how fast protoc-gen-hone's code, google.golang.org/protobuf and vtprotobuf read and write messages. All use the same structs
// and the same bytes.
package codec

import (
	"bytes"
	"syscall"
	"testing"
	"time"

	google "google.golang.org/protobuf/proto"
	"hone/bench/rpc/proto/payload"
	"hone/go/proto"
)

// vt is the interface of a message that vtprotobuf's code has.
type vt interface {
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	MarshalVT() ([]byte, error)
	UnmarshalVT([]byte) error
}

// contestant is one codec.
type contestant struct {
	name string
	// read reads into an empty message, marshal returns new bytes, and write fills a buffer that is long enough.
	read    func(body []byte, into proto.Message) error
	marshal func(from proto.Message) ([]byte, error)
	write   func(to []byte, from proto.Message) ([]byte, error)
}

var hone = contestant{
	name:    "hone",
	read:    func(body []byte, into proto.Message) error { return into.UnmarshalPB(body) },
	marshal: func(from proto.Message) ([]byte, error) { return proto.Marshal(from) },
	write: func(to []byte, from proto.Message) ([]byte, error) {
		start, err := from.MarshalToPB(to)
		return to[start:], err
	},
}

// again is hone once more, measured after its peers: the difference to hone shows the error of measurement.
func again() contestant {
	c := hone
	c.name = "again"
	return c
}

// sized measures a message before it writes, as vtprotobuf does.
func sized() contestant {
	c := hone
	c.name = "sized"
	c.write = func(to []byte, from proto.Message) ([]byte, error) {
		to = to[:from.SizePB()]
		_, err := from.MarshalToPB(to)
		return to, err
	}
	c.marshal = func(from proto.Message) ([]byte, error) {
		to := make([]byte, from.SizePB())
		_, err := from.MarshalToPB(to)
		return to, err
	}
	return c
}

var contestants = []contestant{
	hone,
	{
		name:    "google",
		read:    func(body []byte, into proto.Message) error { return google.Unmarshal(body, into) },
		marshal: func(from proto.Message) ([]byte, error) { return google.Marshal(from) },
		write: func(to []byte, from proto.Message) ([]byte, error) {
			return google.MarshalOptions{}.MarshalAppend(to[:0], from)
		},
	},
	{
		name:    "vtproto",
		read:    func(body []byte, into proto.Message) error { return into.(vt).UnmarshalVT(body) },
		marshal: func(from proto.Message) ([]byte, error) { return from.(vt).MarshalVT() },
		write: func(to []byte, from proto.Message) ([]byte, error) {
			to = to[:from.(vt).SizeVT()]
			_, err := from.(vt).MarshalToSizedBufferVT(to)
			return to, err
		},
	},
	sized(),
	again(),
}

func messages() []payload.Message { return append(payload.Tuned(), payload.Held()...) }

// encoded returns a message's bytes and a buffer that is long enough for them.
func encoded(t testing.TB, m payload.Message) (body, buffer []byte) {
	body, err := google.MarshalOptions{Deterministic: true}.Marshal(m.Of)
	if err != nil {
		t.Fatal(err)
	}
	return body, make([]byte, len(body))
}

func empty(m payload.Message) proto.Message {
	return m.Of.ProtoReflect().New().Interface().(proto.Message)
}

func TestAllCodecsAgree(t *testing.T) {
	for _, m := range messages() {
		body, buffer := encoded(t, m)
		t.Logf("%s: %d bytes", m.Name, len(body))
		for _, c := range contestants {
			read, again := empty(m), empty(m)
			written, err := c.write(buffer, m.Of)
			marshalled, marshalErr := c.marshal(m.Of)
			if err != nil || marshalErr != nil || len(written) != len(body) || len(marshalled) != len(body) || google.Unmarshal(written, again) != nil {
				t.Fatalf("%s writes another %s: %v, %v", c.name, m.Name, err, marshalErr)
			}
			if err := c.read(bytes.Clone(body), read); err != nil || !google.Equal(read, m.Of) || !google.Equal(again, m.Of) {
				t.Fatalf("%s reads or writes another %s: %v", c.name, m.Name, err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	each(b, func(m payload.Message, c contestant) func() error {
		body, _ := encoded(b, m)
		of := m.Of.ProtoReflect().Type()
		return func() error { return c.read(body, of.New().Interface().(proto.Message)) }
	})
}

func BenchmarkWrite(b *testing.B) {
	each(b, func(m payload.Message, c contestant) func() error {
		_, buffer := encoded(b, m)
		return func() error {
			_, err := c.write(buffer, m.Of)
			return err
		}
	})
}

func BenchmarkMarshal(b *testing.B) {
	each(b, func(m payload.Message, c contestant) func() error {
		return func() error {
			_, err := c.marshal(m.Of)
			return err
		}
	})
}

// each measures the CPU time of work, with that of the collector, which runs on the same core: codecs follow each other message by message.
func each(b *testing.B, work func(m payload.Message, c contestant) func() error) {
	for _, m := range messages() {
		for _, c := range contestants {
			b.Run(m.Name+"/codec="+c.name, func(b *testing.B) {
				once := work(m, c)
				b.ReportAllocs()
				before := used()
				for b.Loop() {
					if err := once(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}

// used returns the CPU time of the process.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
