package rpc

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"hone/go/rpc/balance"
	"hone/go/rpc/breaker"
	"hone/go/rpc/outlier"
	"hone/go/thrift"
)

// instance is one address of a service, with the connections to it and what policies know of it.
type instance struct {
	client *Client
	route  *route
	at     endpoint
	// serverName is the name that the other side's certificate must have, where the resolver tells it.
	serverName string
	turn       atomic.Uint32
	// slots are for the connections of calls. The first one is kept filled.
	slots []slot
	// streamSlots are for streams of Thrift: servers of Kitex tell by a connection's first frame whether it has streams or calls, and a
	// stream that sends much does not hold calls up.
	streamSlots []slot
	keeper

	node    *balance.Node
	breaker *breaker.Breaker
	host    *outlier.Host
	// attempt is that of all calls, where no policy wants to tell them apart.
	attempt attempt
	// warmsSince is when the instance was first seen. Both are the route's.
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

// connections are those that calls are sent over.
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
			// A timeout is that of the connection then.
			failure.Code = Unavailable
		}
		return failure.within(ctx)
	}
	var failure *Error
	switch conn := conn.connection.(type) {
	case *clientConn:
		if r.stream != nil {
			failure = conn.open(ctx, i, r)
		} else {
			failure = conn.attempt(ctx, i, r, result)
		}
	case *grpcConn:
		if r.stream != nil {
			failure = conn.open(ctx, i, r)
		} else {
			failure = conn.attempt(ctx, i, r, result)
		}
	}
	if failure != nil && !conn.takesCalls() {
		// The next call does not find the connection, whoever is first to see that it is over.
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
