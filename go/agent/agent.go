// Package agent sends the durations of calls to hone-agent, by its client for Go.
//
//	client, err := agentclient.New(agentclient.Config{}) // of hone/clients/go
//	...
//	defer client.Close()
//	calls := agent.New(client)
//	server.Interceptors = append(server.Interceptors, calls.Intercept)
//
// The timers are rpc.server.call and rpc.client.call in milliseconds, with the tags service, method and code; for each timer the agent reports the
// number of calls, their total time, and quantiles. The tag service is left out for a call of which only the function is known. A call never waits
// for the agent, and samples that do not reach it are counted (docs/agent/clients.md); so are those of services whose names the protocol cannot
// carry, such as one with a space. A call that a fallback has answered has the code of the error that the fallback replaced, and the tag fallback.
//
// It is a module of its own, so that programs without the agent do not have its client.
package agent

import (
	"context"
	"time"

	agentclient "hone/clients/go"

	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// Calls sends durations of calls. Several goroutines may use it, and several servers and clients share it.
type Calls struct {
	timers *metrics.Series[agentclient.Timer]
}

// New returns Calls that send by a client, which stays the caller's: close it once no more calls come.
func New(client *agentclient.Client) *Calls {
	return &Calls{metrics.NewSeries(func(k metrics.Key) *agentclient.Timer {
		tags := make([]agentclient.Tag, 0, 4)
		if k.Service != "" {
			tags = append(tags, agentclient.T("service", k.Service))
		}
		tags = append(tags, agentclient.T("method", k.Method), agentclient.T("code", k.Code.String()))
		if k.IsFallback {
			tags = append(tags, agentclient.T("fallback", "true"))
		}
		timer := client.Timer("rpc."+k.Side.String()+".call", tags...)
		return &timer
	})}
}

// Intercept is the [rpc.Interceptor] that measures calls on the side where it is installed. It allocates nothing.
func (c *Calls) Intercept(ctx context.Context, call *rpc.Call, next func(context.Context) error) error {
	return c.timers.Observe(ctx, call, next, func(timer *agentclient.Timer, took time.Duration) { timer.Record(took) })
}
