package thrift

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// lastAnswer is how long an answer may still take to be sent once a server is to end.
const lastAnswer = 5 * time.Second

// past is a deadline that ends what waits.
var past = time.Unix(1, 0)

// peer is the other side of a connection that a server answers, and how long it is waited for; for ever if that is 0.
type peer struct {
	ctx     context.Context
	stream  net.Conn
	timeout time.Duration
}

// mayWrite waits for its bytes from now on. The end of ctx is asked for last, so that it is not put off.
func (p *peer) mayWrite() {
	if p.timeout > 0 {
		p.stream.SetReadDeadline(time.Now().Add(p.timeout))
	}
	if p.ctx.Err() != nil {
		p.stream.SetReadDeadline(past)
	}
}

// mayRead waits from now on for it to take an answer, however long that took to make.
func (p *peer) mayRead() {
	if p.timeout > 0 {
		p.stream.SetWriteDeadline(time.Now().Add(p.timeout))
	}
	if p.ctx.Err() != nil {
		p.stream.SetWriteDeadline(time.Now().Add(lastAnswer))
	}
}

// endedBy is what is wrong with a connection that ends between two messages: nothing, most often.
func (p *peer) endedBy(err error) error {
	var timeout net.Error
	isIdle := p.timeout > 0 && errors.As(err, &timeout) && timeout.Timeout()
	if err == io.EOF || isIdle || p.ctx.Err() != nil {
		return nil
	}
	return err
}

// places are for connections; nil are as many as there are.
type places chan struct{}

// placesFor are n places; without end for 0.
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

// leave gives a place to another connection.
func (p places) leave() {
	if p != nil {
		<-p
	}
}
