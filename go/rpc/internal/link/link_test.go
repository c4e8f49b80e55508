package link

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var background = context.Background()

// bytesOf is a frame of these bytes.
type bytesOf []byte

func (b bytesOf) AppendFrame(to []byte) ([]byte, error) { return append(to, b...), nil }

// badFrame is a frame that returns an error, or panics.
type badFrame struct{ panics bool }

var errBad = errors.New("bad")

func (b badFrame) AppendFrame(to []byte) ([]byte, error) {
	if b.panics {
		panic("torn")
	}
	return append(to, "part"...), errBad
}

// pair makes a connection: a link, and the other side. The connection has descriptors, or none.
func pair(t *testing.T, hasDescriptors bool, options Options) (*Link, net.Conn) {
	t.Helper()
	var ours, theirs net.Conn
	if hasDescriptors {
		listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		if ours, err = net.Dial("unix", listener.Addr().String()); err != nil {
			t.Fatal(err)
		}
		if theirs, err = listener.Accept(); err != nil {
			t.Fatal(err)
		}
	} else {
		ours, theirs = net.Pipe()
	}
	l := New(ours, options)
	t.Cleanup(func() {
		l.Close(ErrClosed)
		theirs.Close()
	})
	return l, theirs
}

func eachKind(t *testing.T, test func(t *testing.T, hasDescriptors bool)) {
	t.Run("socket", func(t *testing.T) { test(t, true) })
	t.Run("without a descriptor", func(t *testing.T) { test(t, false) })
}

func TestFramesOfManyGoroutinesComeWhole(t *testing.T) {
	eachKind(t, func(t *testing.T, hasDescriptors bool) {
		l, peer := pair(t, hasDescriptors, Options{})
		const senders, frames, size = 50, 40, 100
		var sending sync.WaitGroup
		for sender := range senders {
			sending.Add(1)
			go func() {
				defer sending.Done()
				for range frames {
					if err := l.Send(background, bytesOf(bytes.Repeat([]byte{byte(sender)}, size))); err != nil {
						t.Error(err)
					}
				}
			}()
		}
		counts := [senders]int{}
		frame := make([]byte, size)
		for range senders * frames {
			if _, err := io.ReadFull(peer, frame); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(frame, bytes.Repeat(frame[:1], size)) {
				t.Fatalf("%v", frame)
			}
			counts[frame[0]]++
		}
		sending.Wait()
		for sender, count := range counts {
			if count != frames {
				t.Fatal(sender, count)
			}
		}
	})
}

func TestNothingIsSentOfAFrameThatFails(t *testing.T) {
	l, peer := pair(t, true, Options{})
	var panicked *PanicError
	if err := l.Send(background, badFrame{panics: true}); !errors.As(err, &panicked) || panicked.Value != "torn" {
		t.Fatal(err)
	}
	if err := l.Send(background, badFrame{}); err != errBad {
		t.Fatal(err)
	}
	if err := l.Send(background, bytesOf("whole")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if io.ReadFull(peer, got); string(got) != "whole" {
		t.Fatalf("%q", got)
	}
}

func TestSendersWaitForAPeerThatDoesNotRead(t *testing.T) {
	eachKind(t, func(t *testing.T, hasDescriptors bool) {
		l, peer := pair(t, hasDescriptors, Options{Waiting: 1000, WriteTimeout: time.Hour})
		frame := bytesOf(make([]byte, 600))
		sent := 0
		for {
			ctx, cancel := context.WithTimeout(background, 20*time.Millisecond)
			err := l.Send(ctx, frame)
			cancel()
			if errors.Is(err, context.DeadlineExceeded) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if sent++; sent > 100000 {
				t.Fatal("memory grows without end")
			}
		}
		// Everything that was sent comes once the peer reads, and then there is room again.
		go l.Send(background, frame)
		if _, err := io.CopyN(io.Discard, peer, int64((sent+1)*len(frame))); err != nil {
			t.Fatal(err)
		}
		if err := l.SendNow(frame); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAPeerThatTakesNothingLosesTheConnection(t *testing.T) {
	eachKind(t, func(t *testing.T, hasDescriptors bool) {
		l, _ := pair(t, hasDescriptors, Options{WriteTimeout: 10 * time.Millisecond})
		if err := l.Send(background, bytesOf(make([]byte, 8<<20))); err != nil {
			t.Fatal(err)
		}
		<-l.Closed()
		var timeout net.Error
		if !errors.As(l.Cause(), &timeout) || !timeout.Timeout() {
			t.Fatal(l.Cause())
		}
		if err := l.Send(background, bytesOf("late")); err != l.Cause() {
			t.Fatal(err)
		}
	})
}

func TestFramesThatAreCollectedAreWrittenBeforeTheReaderWaits(t *testing.T) {
	eachKind(t, func(t *testing.T, hasDescriptors bool) {
		l, peer := pair(t, hasDescriptors, Options{})
		l.SendLater(background, bytesOf("one"))
		l.SendLater(background, bytesOf("two"))
		go l.Peek(1)
		got := make([]byte, 6)
		if _, err := io.ReadFull(peer, got); err != nil || string(got) != "onetwo" {
			t.Fatalf("%q %v", got, err)
		}
	})
}

func TestDrainWaitsUntilAllIsWritten(t *testing.T) {
	l, peer := pair(t, true, Options{})
	const size = 4 << 20
	l.Send(background, bytesOf(make([]byte, size)))
	read := make(chan int64)
	go func() {
		n, _ := io.Copy(io.Discard, peer)
		read <- n
	}()
	l.Drain()
	l.Close(ErrClosed)
	if n := <-read; n != size {
		t.Fatal(n)
	}
}

func TestPeekGivesWhatIsAskedForHoweverItComes(t *testing.T) {
	eachKind(t, func(t *testing.T, hasDescriptors bool) {
		l, peer := pair(t, hasDescriptors, Options{})
		text := make([]byte, 400<<10)
		for i := range text {
			text[i] = byte(i * 7 >> 3)
		}
		go func() {
			for off, part := 0, 1; off < len(text); part = part*3 + 1 {
				end := min(len(text), off+part%(100<<10))
				peer.Write(text[off:end])
				off = end
			}
			peer.Close()
		}()
		off := 0
		for _, want := range []int{1, 3, 100, 5000, 70 << 10, 1, 200 << 10} {
			got, err := l.Peek(want)
			if err != nil || len(got) < want || !bytes.Equal(got[:want], text[off:off+want]) {
				t.Fatal(want, len(got), err)
			}
			l.Skip(want)
			off += want
		}
		own := make([]byte, 1000)
		if _, err := l.ReadFull(own); err != nil || !bytes.Equal(own, text[off:off+1000]) {
			t.Fatal(err)
		}
		off += 1000
		if _, err := l.Peek(len(text) - off + 1); err != io.ErrUnexpectedEOF {
			t.Fatal(err)
		}
		l.Skip(l.Buffered())
		if _, err := l.Peek(1); err != io.EOF {
			t.Fatal(err)
		}
	})
}

func TestALinkThatWaitsHoldsNoBuffer(t *testing.T) {
	l, peer := pair(t, true, Options{})
	peer.Write([]byte("12345678"))
	if _, err := l.Peek(8); err != nil {
		t.Fatal(err)
	}
	l.Skip(8)
	seen := make(chan bool, 1)
	attempt := l.reader.attempt
	l.reader.attempt = func(descriptor uintptr) bool {
		isDone := attempt(descriptor)
		if !isDone {
			seen <- l.reader.buffer == nil
		}
		return isDone
	}
	go l.Peek(1)
	if !<-seen {
		t.Fatal("it holds one")
	}
	// This lets the reader end before the next look at the link.
	peer.Write([]byte("x"))
}

// The goroutine that reads writes collected frames before it waits. When it closed the connection from there, it once waited for
// itself.
func TestAReaderEndsWhereWhatItWritesBeforeItWaitsFails(t *testing.T) {
	l, other := pair(t, true, Options{})
	if err := other.(*net.UnixConn).CloseRead(); err != nil {
		t.Fatal(err)
	}
	if err := l.SendLater(background, bytesOf("nobody reads this")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Peek(1); err == nil {
		t.Fatal("the connection is broken, and was read from")
	}
	<-l.Closed()
	if err := l.Cause(); err == nil {
		t.Fatal("the link does not say why it was closed")
	}
}

func TestRoomForABigMessageIsMadeAsItsBytesCome(t *testing.T) {
	l, other := pair(t, true, Options{})
	if _, err := other.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	other.Close()
	if _, err := l.Peek(largest); err == nil {
		t.Fatal("there are only 100 bytes")
	}
	if held := cap(l.reader.buffer); held > smallest {
		t.Fatalf("%d bytes of room for 100", held)
	}
}

// late is a connection that takes long to clear its deadline for the first time.
type late struct {
	net.Conn
	cleared       atomic.Int32
	clearing, now chan struct{}
}

func (l *late) SetWriteDeadline(at time.Time) error {
	if at.IsZero() && l.cleared.Add(1) == 1 {
		close(l.clearing)
		<-l.now
	}
	return l.Conn.SetWriteDeadline(at)
}

func TestOneWriterDoesNotTakeTheDeadlineOfAnother(t *testing.T) {
	ours, theirs := net.Pipe()
	conn := &late{Conn: ours, clearing: make(chan struct{}), now: make(chan struct{})}
	l := New(conn, Options{WriteTimeout: 50 * time.Millisecond})
	defer l.Close(ErrClosed)
	if err := l.Send(context.Background(), numbered{1, 10}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(theirs, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	<-conn.clearing
	// Nobody reads this frame.
	l.Send(context.Background(), numbered{2, 10})
	close(conn.now)
	<-l.Closed()
}

// lastWords is a connection whose owner tries to send while the connection is being closed.
type lastWords struct {
	net.Conn
	say func()
}

func (l *lastWords) Close() error {
	l.say()
	return l.Conn.Close()
}

func TestWhoSeesALinkClosedSendsNothingMoreOverIt(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	conn := &lastWords{Conn: ours}
	l := New(conn, Options{})
	said := make(chan error, 1)
	conn.say = func() {
		<-l.Closed()
		said <- l.Send(background, bytesOf("still there"))
	}
	heard := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(theirs)
		heard <- all
	}()
	l.Close(ErrClosed)
	if err := <-said; !errors.Is(err, ErrClosed) {
		t.Errorf("sent: %v", err)
	}
	if all := <-heard; len(all) > 0 {
		t.Errorf("heard %q", all)
	}
}
