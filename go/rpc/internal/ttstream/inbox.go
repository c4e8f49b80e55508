package ttstream

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// These are the limits of messages that have come and wait to be received. A message is taken in any case if it is the only one
// that would be counted: another limit bounds the length of one message.
const (
	// StreamBytes is the limit for one stream.
	StreamBytes = 16 << 20
	// ConnectionBytes is the limit for all streams of a connection.
	ConnectionBytes = 128 << 20
	// messageBytes is the cost of a message besides its own bytes.
	messageBytes = 64
)

// ErrFull is the error of a message for which there is no room.
var ErrFull = errors.New("more messages came over the stream than were received: let the sender wait for answers, or use gRPC, whose senders are slowed down")

// Room is the room that the streams of a connection share.
type Room struct{ used atomic.Int64 }

// Inbox holds the messages of a stream that have come. One goroutine puts messages into it, and one receives them.
type Inbox struct {
	room *Room
	// told has a token when something has changed that a receiver may wait for.
	told chan struct{}

	mu      sync.Mutex
	waiting [][]byte
	bytes   int64
	// end is the result behind the last message; nil as long as more messages may come.
	end       error
	isDropped bool
}

// NewInbox makes an inbox without messages.
func NewInbox(room *Room) *Inbox { return &Inbox{room: room, told: make(chan struct{}, 1)} }

// Put takes a message, which the inbox owns from then on. A message that comes behind the end is dropped.
//
// # Errors
//
// [ErrFull].
func (b *Inbox) Put(message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.end != nil {
		return nil
	}
	cost := costOf(message)
	if isTooMuch(b.bytes, cost, StreamBytes) || isTooMuch(b.room.used.Load(), cost, ConnectionBytes) {
		return ErrFull
	}
	b.waiting = append(b.waiting, message)
	b.take(cost)
	b.tell()
	return nil
}

// isTooMuch reports whether there is no room for more bytes besides those that are there.
func isTooMuch(there, more, limit int64) bool { return there > 0 && there+more > limit }

func costOf(message []byte) int64 { return int64(len(message)) + messageBytes }

// take counts bytes that have come, or gone. The lock is held.
func (b *Inbox) take(bytes int64) {
	b.bytes += bytes
	b.room.used.Add(bytes)
}

func (b *Inbox) tell() {
	select {
	case b.told <- struct{}{}:
	default:
	}
}

// End sets the result behind the messages that wait. Only the first end counts.
func (b *Inbox) End(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.end == nil {
		b.end = err
	}
	b.tell()
}

// Drop forgets the messages that wait, and takes no more: the end comes next. Only the first Drop counts.
func (b *Inbox) Drop(end error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isDropped {
		return
	}
	b.isDropped, b.end, b.waiting = true, end, nil
	b.take(-b.bytes)
	b.tell()
}

// Next waits for the next message.
//
// # Errors
//
// The error that the stream ended with; the context's cause.
func (b *Inbox) Next(ctx context.Context) ([]byte, error) {
	for {
		if message, isThere, err := b.next(); isThere || err != nil {
			return message, err
		}
		select {
		case <-b.told:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// next returns the next message if there is one, or the end.
func (b *Inbox) next() (message []byte, isThere bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return nil, false, b.end
	}
	message, b.waiting[0] = b.waiting[0], nil
	b.waiting = b.waiting[1:]
	b.take(-costOf(message))
	return message, true, nil
}
