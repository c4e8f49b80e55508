package compat_test

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"hone/go/codec"
	theirOrder "hone/go/compat/apache/order"
	theirRecursive "hone/go/compat/apache/recursive"
	theirAPI "hone/go/compat/apache/shop/api"
	theirBase "hone/go/compat/apache/shop/base"
	"hone/go/compat/ours/gowords"
	"hone/go/compat/ours/order"
	"hone/go/compat/ours/recursive"
	"hone/go/compat/ours/shop/api"
	"hone/go/compat/ours/shop/base"
	"hone/go/thrift"
)

var background = context.Background()

// ours is a struct of our generated code, with the methods for Apache's module.
type ours interface {
	thrift.Reader
	thrift.Writer
	apache.TStruct
}

// kinds are the same structs by our code and by Apache's compiler, whose code for gowords does not compile: ours stands for both there.
var kinds = []struct {
	ours   func() ours
	theirs func() apache.TStruct
}{
	{func() ours { return new(api.Item) }, func() apache.TStruct { return new(theirAPI.Item) }},
	{func() ours { return new(api.Order) }, func() apache.TStruct { return new(theirAPI.Order) }},
	{func() ours { return new(api.Payment) }, func() apache.TStruct { return new(theirAPI.Payment) }},
	{func() ours { return new(api.OutOfStock) }, func() apache.TStruct { return new(theirAPI.OutOfStock) }},
	{func() ours { return new(api.Empty) }, func() apache.TStruct { return new(theirAPI.Empty) }},
	{func() ours { return new(api.ShopOrderArgs) }, func() apache.TStruct { return new(theirAPI.ShopOrderArgs) }},
	{func() ours { return new(api.ShopOrderResult) }, func() apache.TStruct { return new(theirAPI.ShopOrderResult) }},
	{func() ours { return new(api.ShopAllResult) }, func() apache.TStruct { return new(theirAPI.ShopAllResult) }},
	{func() ours { return new(base.Context) }, func() apache.TStruct { return new(theirBase.Context) }},
	{func() ours { return new(base.NotFound) }, func() apache.TStruct { return new(theirBase.NotFound) }},
	{func() ours { return new(recursive.Node) }, func() apache.TStruct { return new(theirRecursive.Node) }},
	{func() ours { return new(recursive.Tree) }, func() apache.TStruct { return new(theirRecursive.Tree) }},
	{func() ours { return order.NewMixed() }, func() apache.TStruct { return theirOrder.NewMixed() }},
	{func() ours { return order.NewInner() }, func() apache.TStruct { return theirOrder.NewInner() }},
	{func() ours { return order.NewEither() }, func() apache.TStruct { return theirOrder.NewEither() }},
	{func() ours { return order.NewProblem() }, func() apache.TStruct { return theirOrder.NewProblem() }},
	{func() ours { return new(order.OrdersFindArgs) }, func() apache.TStruct { return new(theirOrder.OrdersFindArgs) }},
	{func() ours { return new(order.OrdersFindResult) }, func() apache.TStruct { return new(theirOrder.OrdersFindResult) }},
	{func() ours { return new(gowords.Type) }, func() apache.TStruct { return new(gowords.Type) }},
}

// eachRandom calls do with random structs of all kinds, whose maps have up to the given number of pairs.
func eachRandom(count, pairs int, do func(filled ours, empty func() ours, theirs apache.TStruct)) {
	source := rand.New(rand.NewSource(1))
	for range count {
		for _, kind := range kinds {
			filled := kind.ours()
			random{source, source.Intn(7), pairs}.fill(reflect.ValueOf(filled).Elem())
			do(filled, kind.ours, kind.theirs())
		}
	}
}

func TestApacheReadsWhatOursWritesAndTheOtherWayRound(t *testing.T) {
	eachRandom(200, 3, func(filled ours, empty func() ours, theirs apache.TStruct) {
		written := thrift.Marshal(filled)
		// want is ours, read again, since nil and empty values are the same on the wire.
		want := empty()
		if err := thrift.Unmarshal(written, want); err != nil {
			t.Fatal(err)
		}
		read(t, apacheBinary, written, theirs)
		got := empty()
		if err := thrift.Unmarshal(write(t, apacheBinary, theirs), got); err != nil {
			t.Fatalf("%T: %v", filled, err)
		}
		if !thrift.DeepEqual(want, got) {
			t.Fatalf("%v became %v", want, got)
		}
	})
}

// Fields come in the order of their ids, as Apache's code writes them, whatever the order of the definitions. This also holds for structs with tags,
// and for the Compact protocol. Only maps with several pairs have no order.
func TestOursWritesTheBytesThatApacheWrites(t *testing.T) {
	eachRandom(200, 1, func(filled ours, _ func() ours, theirs apache.TStruct) {
		written := thrift.Marshal(filled)
		read(t, apacheBinary, written, theirs)
		byTags, err := codec.Marshal(filled)
		if err != nil {
			t.Fatal(err)
		}
		compact, err := codec.Compact{}.Marshal(filled)
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string][]byte{"binary": written, "tags": byTags, "compact": compact} {
			want := write(t, protocols[map[bool]string{true: "compact", false: "binary"}[name == "compact"]], theirs)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s of %T:\n%q\n%q", name, filled, got, want)
			}
		}
	})
}

// The guide documents both differences.
func TestWhatIsWrittenOtherwiseThanByApache(t *testing.T) {
	for name, c := range map[string]struct {
		ours, theirs         []byte
		wantOurs, wantTheirs string
	}{
		"an optional binary that equals its default": {
			thrift.Marshal(&order.Otherwise{Bytes: []byte("x"), Inner: new(order.Inner)}),
			write(t, apacheBinary, &theirOrder.Otherwise{Bytes: []byte("x"), Inner: new(theirOrder.Inner)}),
			"\x0b\x00\x01\x00\x00\x00\x01x\x0c\x00\x02", "\x0c\x00\x02",
		},
		"nil in these fields": {
			thrift.Marshal(new(order.Otherwise)), write(t, apacheBinary, new(theirOrder.Otherwise)),
			"\x00", "\x0b\x00\x01\x00\x00\x00\x00\x0c\x00\x02\x00\x00",
		},
	} {
		if !strings.HasPrefix(string(c.ours), c.wantOurs) || !strings.HasPrefix(string(c.theirs), c.wantTheirs) {
			t.Errorf("%s: %q and %q", name, c.ours, c.theirs)
		}
	}
}

func TestOursWritesByApachesProtocolsTheBytesThatApacheWrites(t *testing.T) {
	for name, protocol := range protocols {
		t.Run(name, func(t *testing.T) {
			eachRandom(60, 1, func(filled ours, empty func() ours, theirs apache.TStruct) {
				read(t, apacheBinary, thrift.Marshal(filled), theirs)
				byOurs, byTheirs := write(t, protocol, filled), write(t, protocol, theirs)
				if !bytes.Equal(byOurs, byTheirs) {
					t.Fatalf("%T:\n%q\n%q", filled, byOurs, byTheirs)
				}
				if name == "simple json" {
					return // no reader for this protocol
				}
				again := empty()
				read(t, protocol, byTheirs, again)
				want := empty()
				if err := thrift.Unmarshal(thrift.Marshal(filled), want); err != nil {
					t.Fatal(err)
				}
				if !thrift.DeepEqual(want, again) {
					t.Fatalf("%v became %v", want, again)
				}
			})
		})
	}
}

// Errors of Apache's protocols name the struct and the field before the error, and errors.Is finds a missing field.
func TestErrorsOfApachesProtocols(t *testing.T) {
	item := thrift.Marshal(&api.Item{ID: 1, Contexts: map[string]*base.Context{"a": {Caller: "b"}}})
	for n := range len(item) {
		err := new(api.Item).Read(background, apacheBinary(buffer(item[:n])))
		if err == nil || !strings.Contains(err.Error(), "*api.Item") {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	err := new(api.Item).Read(background, apacheBinary(buffer([]byte{0})))
	if err == nil || !strings.Contains(err.Error(), "required field is not set: id") {
		t.Fatal(err)
	}
	list := []byte("\x0f\x00\x04\x08\x00\x00\x00\x01\x00\x00\x00\x01\x00")
	if err = new(api.Item).Read(background, apacheBinary(buffer(list))); err == nil || !strings.Contains(err.Error(), "elements of another type") {
		t.Fatal(err)
	}
}

func TestExceptionsAreThoseOfApache(t *testing.T) {
	var exception apache.TException = &api.OutOfStock{ID: 1}
	if exception.TExceptionType() != apache.TExceptionTypeCompiled {
		t.Fatal(exception.TExceptionType())
	}
}

var protocols = map[string]func(apache.TTransport) apache.TProtocol{
	"binary":      apacheBinary,
	"compact":     func(t apache.TTransport) apache.TProtocol { return apache.NewTCompactProtocolConf(t, nil) },
	"json":        func(t apache.TTransport) apache.TProtocol { return apache.NewTJSONProtocol(t) },
	"simple json": func(t apache.TTransport) apache.TProtocol { return apache.NewTSimpleJSONProtocol(t) },
}

func apacheBinary(t apache.TTransport) apache.TProtocol { return apache.NewTBinaryProtocolConf(t, nil) }

func buffer(b []byte) *apache.TMemoryBuffer {
	return &apache.TMemoryBuffer{Buffer: bytes.NewBuffer(b)}
}

func write(t *testing.T, protocol func(apache.TTransport) apache.TProtocol, s apache.TStruct) []byte {
	t.Helper()
	into := buffer(nil)
	out := protocol(into)
	if err := s.Write(background, out); err != nil {
		t.Fatalf("%T: %v", s, err)
	}
	if err := out.Flush(background); err != nil {
		t.Fatal(err)
	}
	return into.Bytes()
}

func read(t *testing.T, protocol func(apache.TTransport) apache.TProtocol, b []byte, s apache.TStruct) {
	t.Helper()
	from := buffer(append([]byte(nil), b...))
	if err := s.Read(background, protocol(from)); err != nil {
		t.Fatalf("%T: %v", s, err)
	}
}

func TestApachesCodeIsWhatItsCompilerMakes(t *testing.T) {
	version, err := exec.Command("thrift", "--version").Output()
	if err != nil || strings.TrimSpace(string(version)) != "Thrift version 0.17.0" {
		t.Skipf("skipped: thrift 0.17.0 is not installed (%q, %v): apt-get install thrift-compiler", version, err)
	}
	out := t.TempDir()
	if text, err := exec.Command("sh", "regenerate-apache.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	same(t, out, "apache")
}

// same compares the files of a directory with the committed ones.
func same(t *testing.T, made, kept string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(made, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found++
		below, _ := filepath.Rel(made, path)
		now, _ := os.ReadFile(path)
		if before, err := os.ReadFile(filepath.Join(kept, below)); err != nil || !bytes.Equal(now, before) {
			t.Errorf("%s is not what is made today (%v): go generate", filepath.Join(kept, below), err)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%s: %d files, %v", made, found, err)
	}
}
