package thrift_test

import (
	"context"
	"errors"
	"math"
	"net"
	"syscall"
	"testing"
	"unsafe"

	"hone/go/codec"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// isWide says that there are lengths that do not fit into an i32. Where an int has 32 bits, a message is too long before one of its
// lengths is.
const isWide = math.MaxInt > math.MaxInt32

// unreadable is a slice that takes addresses but no memory: code that reads or writes one of its elements ends the process.
func unreadable[T any](t *testing.T, n int) []T {
	t.Helper()
	var one T
	b, err := syscall.Mmap(-1, 0, n*int(unsafe.Sizeof(one)), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("skipped: %d addresses are not to be had: %v", n, err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

func unreadableText(t *testing.T, n int) string {
	t.Helper()
	b := unreadable[byte](t, n)
	return unsafe.String(unsafe.SliceData(b), n)
}

// refused returns the value that a function panics with.
func refused(do func()) (value any) {
	defer func() { value = recover() }()
	do()
	return nil
}

// overI32 gives lengths of more than 31 bits: as an i32 one of them is below zero, and the others are 5 and 0.
func overI32(t *testing.T) []int {
	t.Helper()
	if !isWide {
		t.Skip("skipped: no length is more than an i32 has, where an int has 32 bits")
	}
	all := int64(1) << 32
	return []int{int(all / 2), int(all + 5), int(all)}
}

// A length was once written without its upper bits: the reader would have read the bytes behind them in the text as fields.
func TestLengthsThatNoI32CanSayAreRefused(t *testing.T) {
	for _, n := range overI32(t) {
		text, bytes, bools := unreadableText(t, n), unreadable[byte](t, n), unreadable[bool](t, n)
		int8s, int16s, int32s := unreadable[int8](t, n), unreadable[int16](t, n), unreadable[int32](t, n)
		int64s, doubles := unreadable[int64](t, n), unreadable[float64](t, n)
		for where, b := range map[string][]byte{"into nothing": nil, "into enough": unreadable[byte](t, 2*n)} {
			for name, put := range map[string]func(){
				"text":           func() { thrift.PutText(b, 0, 0, text) },
				"binary":         func() { thrift.PutBinary(b, 0, 0, bytes) },
				"text element":   func() { thrift.PutTextElement(b, 0, text) },
				"binary element": func() { thrift.PutBinaryElement(b, 0, bytes) },
				"list":           func() { thrift.PutListHead(b, 0, thrift.Struct, n) },
				"map":            func() { thrift.PutMapHead(b, 0, thrift.Struct, thrift.Struct, n) },
				"bools":          func() { thrift.PutBoolList(b, 0, bools) },
				"i8s":            func() { thrift.PutI8List(b, 0, int8s) },
				"i16s":           func() { thrift.PutI16List(b, 0, int16s) },
				"i32s":           func() { thrift.PutI32List(b, 0, int32s) },
				"i64s":           func() { thrift.PutI64List(b, 0, int64s) },
				"doubles":        func() { thrift.PutDoubleList(b, 0, doubles) },
				"texts":          func() { thrift.PutTextList(nil, 0, []string{"a", text}) },
				"value":          func() { thrift.PutTextMap(nil, 0, map[string]string{"": text}) },
				"name":           func() { thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: text}, nil) },
				"compact name":   func() { codec.Compact{}.AppendMessage(nil, thrift.Header{Method: text}, nil) },
			} {
				if got := refused(put); got != thrift.ErrLength {
					t.Errorf("%s of %d %s: %v", name, n, where, got)
				}
			}
		}
	}
}

func TestMessagesWithSuchLengthsAreRefused(t *testing.T) {
	for _, n := range overI32(t) {
		for name, item := range map[string]*api.Item{
			"text":   {Name: unreadableText(t, n)},
			"binary": {Raw: unreadable[byte](t, n)},
			"texts":  {Labels: []string{"a", unreadableText(t, n)}},
		} {
			for way, write := range map[string]func(){
				"marshal": func() { thrift.Marshal(item) },
				"append":  func() { thrift.Append(make([]byte, 10, 100), item) },
				"size":    func() { thrift.Size(item) },
			} {
				if got := refused(write); got != thrift.ErrLength {
					t.Errorf("%s with a %s of %d: %v", way, name, n, got)
				}
			}
			for way, write := range map[string]func() error{
				"marshal": func() error { _, err := codec.Marshal(item); return err },
				"append":  func() error { _, err := codec.Append(make([]byte, 10, 100), item); return err },
				"size":    func() error { _, err := codec.Size(item); return err },
				"compact": func() error { _, err := codec.Compact{}.Marshal(item); return err },
			} {
				if err := write(); !errors.Is(err, thrift.ErrLength) {
					t.Errorf("codec's %s with a %s of %d: %v", way, name, n, err)
				}
			}
		}
	}
}

func TestTheLongestTextHasItsSize(t *testing.T) {
	if !isWide {
		t.Skip("skipped: such a message is longer than an int, where that has 32 bits")
	}
	longest := unreadableText(t, math.MaxInt32)
	if got, want := thrift.Size(&api.Item{Name: longest}), thrift.Size(new(api.Item))+math.MaxInt32; got != want {
		t.Errorf("%d, not %d", got, want)
	}
}

// Where an int has 32 bits, a message with the same text twice can be longer than the largest int.
func TestMessagesLongerThanAnIntAreRefused(t *testing.T) {
	if isWide {
		t.Skip("skipped: no message is longer than 64 bits say")
	}
	text := unreadableText(t, 1<<30)
	item := &api.Item{Labels: []string{text, text, text, text, text}}
	if got := refused(func() { thrift.Marshal(item) }); got != thrift.ErrLength {
		t.Error(got)
	}
	if _, err := (codec.Compact{}).Marshal(item); !errors.Is(err, thrift.ErrLength) {
		t.Error(err)
	}
	last := math.MaxInt - 10
	for name, put := range map[string]func(){
		"i64":         func() { thrift.PutI64(nil, last, 0, 1) },
		"i32 element": func() { thrift.PutI32Element(nil, last+7, 1) },
		"i64s":        func() { thrift.PutI64List(nil, last-100, make([]int64, 20)) },
		"texts":       func() { thrift.PutTextList(nil, last-100, []string{text}) },
		"unknown":     func() { thrift.PutUnknown(nil, last, make([]byte, 20)) },
		"end":         func() { thrift.PutEnd(nil, last+10) },
	} {
		if got := refused(put); got != thrift.ErrLength {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Nothing of such a message is sent, so that the connection can be used on. The caller gets an error, also where the answer is such
// a message.
func TestCallsWithSuchLengthsFailAlone(t *testing.T) {
	n := overI32(t)[0]
	for name, wire := range map[string]thrift.Wire{
		"framed": {Framed: true}, "unframed": {}, "compact": {Framed: true, Protocol: codec.Compact{}},
	} {
		t.Run(name, func(t *testing.T) {
			long := &api.Item{Name: unreadableText(t, n)}
			processor := api.NewShopProcessor(newShop())
			processor.Handle("long", thrift.Handler{
				Args:  func() thrift.Reader { return new(api.Empty) },
				Serve: func(context.Context, thrift.Reader) (thrift.Writer, error) { return long, nil },
			})
			here, there := net.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- processor.ServeConn(background, there, wire) }()
			caller := thrift.NewClient(here, wire)
			if err := caller.Call(background, "find", long, new(api.Item)); !errors.Is(err, thrift.ErrLength) {
				t.Error("arguments:", err)
			}
			if err := caller.Call(background, "long", new(api.Empty), new(api.Item)); typeOf(err) != thrift.InternalError {
				t.Error("an answer:", err)
			}
			if alive, err := api.NewShopClient(caller).Alive(background); !alive || err != nil {
				t.Error("the call after these:", err)
			}
			here.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// ready is a protocol that sends a given message unchanged.
type ready struct {
	thrift.Binary
	message []byte
}

func (r ready) AppendMessage([]byte, thrift.Header, thrift.Writer) []byte { return r.message }

// A frame of 4 GiB and 5 bytes once had the length 5 before it.
func TestFramesThatNoI32CanSayAreRefused(t *testing.T) {
	for _, n := range overI32(t) {
		frame, err := syscall.Mmap(-1, 0, n+4, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err != nil {
			t.Skipf("skipped: %d addresses are not to be had: %v", n, err)
		}
		here, there := net.Pipe()
		// Nobody reads, so a write would wait for ever.
		caller := thrift.NewClient(here, thrift.Wire{Framed: true, MessageBytes: math.MaxInt, Protocol: ready{message: frame}})
		var tooLong *thrift.TooLongError
		err = caller.Call(background, "find", new(api.Empty), nil)
		if !errors.As(err, &tooLong) || tooLong.Bytes != n || tooLong.Limit != math.MaxInt32 {
			t.Error(err)
		}
		here.Close()
		there.Close()
		syscall.Munmap(frame)
	}
}
