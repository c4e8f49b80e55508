package rpc

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"hone/go/rpc/policy/balance"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/outlier"
	"hone/go/thrift"
)

// instance is one address of a service, with the connections to it and the state that policies keep about it.
type instance struct {
	client *Client
	route  *route
	at     endpoint
	// serverName is the name that the server's certificate must have, if the resolver gives one.
	serverName string
	turn       atomic.Uint32
	// slots hold the connections of calls. The first one is kept filled.
	slots []slot
	// streamSlots hold the connections of streams, where the wire separates these from calls: so a stream that sends much does not delay calls.
	streamSlots []slot
	keeper

	node    *balance.Node
	breaker *breaker.Breaker
	host    *outlier.Host
	// attempt is shared by all calls, if no circuit breaker has to tell them apart.
	attempt attempt
	// warmsSince is the time at which the instance was first seen, and isWarming is true while it warms up. The route uses them, under its lock.
	warmsSince time.Duration
	isWarming  bool
}

func newInstance(r *route, at endpoint, serverName string) (*instance, error) {
	client := r.client
	made := &instance{client: client, route: r, at: at, serverName: serverName, slots: make([]slot, client.Connections), streamSlots: make([]slot, client.Connections)}
	made.attempt.instance = made
	if options := client.governance.Breaker; options != nil {
		var err error
		if made.breaker, err = breaker.New(*options); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// leave closes the connections as soon as the calls over them are answered.
func (i *instance) leave() {
	i.giveUp()
	for conn := range i.connections() {
		conn.leave()
	}
}

// connections returns the connections over which calls are sent.
func (i *instance) connections() iter.Seq[connection] {
	return func(yield func(connection) bool) {
		for _, slots := range [][]slot{i.slots, i.streamSlots} {
			for n := range slots {
				if conn := slots[n].current.Load(); conn != nil && !yield(conn.connection) {
					return
				}
			}
		}
	}
}

// call makes an attempt of a call over one of the instance's connections.
func (i *instance) call(ctx context.Context, r *request, result any) *Error {
	if err := ctx.Err(); err != nil {
		return &Error{Code: CodeOf(err), Stage: Connecting, Cause: err}
	}
	conn, err := i.connection(ctx, r.stream != nil)
	if err != nil {
		failure := i.failed(Connecting, err)
		if ctx.Err() == nil {
			// The call still has time, so a timeout is that of the attempt to connect.
			failure.Code = Unavailable
		}
		return failure.within(ctx)
	}
	var failure *Error
	if r.stream != nil {
		failure = conn.open(ctx, i, r)
	} else {
		failure = conn.attempt(ctx, i, r, result)
	}
	if failure != nil && !conn.takesCalls() {
		// The next call must not find the connection, whichever goroutine sees first that the connection is over.
		i.lose(conn)
	}
	return failure.within(ctx)
}

// failed makes the error of an attempt.
func (i *instance) failed(stage Stage, err error) *Error {
	failure := &Error{Code: Internal, Stage: stage, Address: i.at.String(), Cause: err}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		failure.Code = CodeOf(err)
	case stage == Connecting, stage == Waiting, errors.Is(err, errNotSent):
		failure.Code = Unavailable
	case errors.As(err, new(*thrift.TooLongError)):
		failure.Code = ResourceExhausted
	case errors.Is(err, thrift.ErrLength):
		failure.Code, failure.Cause = ResourceExhausted, thrift.ErrLength
	}
	return failure
}
