package harness

import (
	"context"
	"net/rpc"
	"time"

	"hone/bench/gauge"
)

// Idled is the memory of a server before and after connections were opened, over each of which one call was made.
type Idled struct {
	Connections int    `json:"connections"`
	Before      Memory `json:"before"`
	// AsIs is the memory a second after the last call; Settled is the memory after garbage was collected and free memory was returned.
	AsIs    Memory `json:"as_is"`
	Settled Memory `json:"settled"`
}

// idle opens connections, each by a client of its own.
func idle(stack Stack, args arguments) (*Idled, error) {
	control, err := controlOf(args)
	if err != nil {
		return nil, err
	}
	defer control.Close()
	idled := &Idled{Connections: args.connections}
	// A first call makes the server create what it needs only once.
	if err := callOnce(stack, args); err != nil {
		return nil, err
	}
	if err := settled(control, &idled.Before); err != nil {
		return nil, err
	}
	for range args.connections {
		if err := callOnce(stack, args); err != nil {
			return nil, err
		}
	}
	time.Sleep(time.Second)
	if err := control.Call("Control.Memory", gauge.Nothing{}, &idled.AsIs); err != nil {
		return nil, err
	}
	return idled, settled(control, &idled.Settled)
}

// callOnce makes a call over a connection of its own, which stays open until the process ends.
func callOnce(stack Stack, args arguments) error {
	calls, err := stack.Dial(args.variant, args.address, Echo, 1)
	if err != nil {
		return err
	}
	kept = append(kept, calls[0])
	return calls[0](context.Background())
}

// kept holds the clients of idle connections, so that they are not collected.
var kept []Call

func settled(control *rpc.Client, memory *Memory) error {
	if err := control.Call("Control.Settle", gauge.Nothing{}, &gauge.Nothing{}); err != nil {
		return err
	}
	return control.Call("Control.Memory", gauge.Nothing{}, memory)
}
