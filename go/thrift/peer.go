package thrift

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// lastAnswer is the time that an answer may still take to be sent once a server is to end.
const lastAnswer = 5 * time.Second

// past is a deadline that ends reads and writes that wait.
var past = time.Unix(1, 0)

// peer is the other side of a connection that a server answers. The server waits for it for the timeout, or for ever if that is 0.
type peer struct {
	ctx     context.Context
	stream  net.Conn
	timeout time.Duration
}

// mayWrite gives the peer its time to send bytes, from now on. It looks at ctx last, so that its own deadline does not put off the
// end.
func (p *peer) mayWrite() {
	if p.timeout > 0 {
		p.stream.SetReadDeadline(time.Now().Add(p.timeout))
	}
	if p.ctx.Err() != nil {
		p.stream.SetReadDeadline(past)
	}
}

// mayRead gives the peer its time to take an answer, from now on, however long the handler took.
func (p *peer) mayRead() {
	if p.timeout > 0 {
		p.stream.SetWriteDeadline(time.Now().Add(p.timeout))
	}
	if p.ctx.Err() != nil {
		p.stream.SetWriteDeadline(time.Now().Add(lastAnswer))
	}
}

// endedBy returns the error of a connection that ends between two messages: most often none.
func (p *peer) endedBy(err error) error {
	var timeout net.Error
	isIdle := p.timeout > 0 && errors.As(err, &timeout) && timeout.Timeout()
	if err == io.EOF || isIdle || p.ctx.Err() != nil {
		return nil
	}
	return err
}

// places are the places for connections; nil means no limit.
type places chan struct{}

// placesFor makes n places, and nil, for no limit, if n is 0.
func placesFor(n int) places {
	if n <= 0 {
		return nil
	}
	return make(places, n)
}

// take waits for a place, until ctx ends.
func (p places) take(ctx context.Context) bool {
	if p == nil {
		return true
	}
	select {
	case p <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// leave frees a place for another connection.
func (p places) leave() {
	if p != nil {
		<-p
	}
}
