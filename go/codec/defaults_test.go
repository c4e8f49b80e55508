package codec_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"hone/go/codec"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// byMessage reads its defaults from a message of its own type.
type byMessage struct {
	Port int32      `thrift:"port,1,optional"`
	Next *byMessage `thrift:"next,2,optional"`
}

func (p *byMessage) InitDefault() {
	if err := codec.Unmarshal([]byte("\x08\x00\x01\x00\x00\x00\x50\x00"), p); err != nil {
		panic(err)
	}
}

// byOthers makes its defaults of the bytes that this package writes for other types, which have defaults themselves.
type byOthers struct {
	Size  int32      `thrift:"size,1,optional"`
	Other *byMessage `thrift:"other,2,optional"`
}

func (p *byOthers) InitDefault() {
	written, err := codec.Compact{}.Marshal(&byMessage{Port: 81})
	size, failed := codec.Size(&api.Item{Name: "a"})
	if err != nil || failed != nil || codec.Check(byOthers{}) != nil {
		panic("a type is refused")
	}
	p.Size = int32(size + len(written))
}

// ping and pong each write the other one for their defaults. Without a limit that would end only with the stack.
type ping struct {
	Count int32  `thrift:"count,1,optional"`
	Text  string `thrift:"text,2,optional"`
}

type pong struct {
	Count int32  `thrift:"count,1,optional"`
	Text  string `thrift:"text,2,optional"`
}

func (p *ping) InitDefault() { p.Count, p.Text = 7, written(&pong{Count: 1}) }
func (p *pong) InitDefault() { p.Count, p.Text = 8, written(&ping{Count: 1}) }

// own writes its own type for its defaults.
type own struct {
	Count int32  `thrift:"count,1,optional"`
	Text  string `thrift:"text,2,optional"`
}

func (p *own) InitDefault() { p.Count, p.Text = 9, written(&own{Count: 1})[:8] }

func written(v any) string {
	b, err := codec.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b[:min(len(b), 20)])
}

// ends calls functions all at once, and fails shortly before the test's deadline if some have not ended.
func ends(t *testing.T, functions ...func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var all sync.WaitGroup
		for _, function := range functions {
			all.Add(1)
			go func() {
				defer all.Done()
				function()
			}()
		}
		all.Wait()
	}()
	var late <-chan time.Time
	if deadline, isSet := t.Deadline(); isSet {
		late = time.After(time.Until(deadline) * 9 / 10)
	}
	select {
	case <-ended:
	case <-late:
		t.Fatal("a call waits for one that it has made itself")
	}
}

// Package codec once called InitDefault while it held the lock that it takes to look at a type. A call of the package from
// InitDefault waited for ever.
func TestAnInitDefaultMayCallThisPackage(t *testing.T) {
	ends(t, func() {
		var read []*byMessage
		for range 2 {
			outer := new(byMessage)
			if err := codec.Unmarshal([]byte("\x0c\x00\x02\x00\x00"), outer); err != nil || outer.Port != 0 || outer.Next.Port != 80 {
				t.Errorf("%+v %v", outer, err)
			}
			read = append(read, outer.Next)
		}
		for _, one := range read {
			if got := written(one); got != "\x00" {
				t.Errorf("what equals its default is written: %q", got)
			}
		}
		other := new(byOthers)
		if err := codec.Unmarshal([]byte("\x0c\x00\x02\x00\x00"), other); err != nil || other.Size != 0 || other.Other.Port != 80 {
			t.Errorf("%+v %v", other, err)
		}
		standard := new(byOthers)
		standard.InitDefault()
		if got := written(standard); standard.Size == 0 || got != "\x00" {
			t.Errorf("%+v is written as %q", standard, got)
		}
	})
}

func TestInitDefaultsThatWriteEachOtherComeToAnEnd(t *testing.T) {
	for range 20 {
		ends(t,
			func() { written(new(ping)) }, func() { written(new(pong)) }, func() { written(new(own)) },
			func() { written(&ping{Count: 1}) }, func() { written(&pong{Count: 1}) }, func() { written(&own{Count: 1}) },
		)
	}
	for value, want := range map[any]string{
		&ping{Count: 7}: "\x0b\x00\x02\x00\x00\x00\x00\x00", &pong{Count: 8}: "\x0b\x00\x02\x00\x00\x00\x00\x00",
		&own{Count: 1}: "\x08\x00\x01\x00\x00\x00\x01\x0b\x00\x02\x00\x00\x00\x00\x00",
	} {
		if got, err := codec.Marshal(value); err != nil || string(got) != want {
			t.Errorf("%+v is written as %q, not %q (%v)", value, got, want, err)
		}
	}
}

// The defaults of a type serve all goroutines, whichever asks for them first.
func TestDefaultsAskedForAtOnce(t *testing.T) {
	type late struct {
		Inner *api.Order `thrift:"inner,1,optional"`
		Other *byOthers  `thrift:"other,2,optional"`
	}
	message := []byte("\x0c\x00\x01\x00\x0c\x00\x02\x00\x00")
	want := thrift.Marshal(api.NewOrder())
	read := func() {
		got := new(late)
		if err := codec.Unmarshal(message, got); err != nil || got.Other.Size == 0 || !bytes.Equal(thrift.Marshal(got.Inner), want) {
			t.Errorf("%+v %v", got, err)
		}
	}
	ends(t, read, read, read, read)
}
