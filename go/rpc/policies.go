package rpc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"hone/go/rpc/policy/balance"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/outlier"
	"hone/go/rpc/policy/retry"
	"hone/go/rpc/policy/warmup"
)

// Balance is the way in which the instance for a call is chosen.
type Balance uint8

// All ways to choose.
const (
	// LeastRequests takes the less busy of two instances that are drawn by weight.
	LeastRequests Balance = iota
	// RoundRobin takes turns by weight.
	RoundRobin
	// Random draws by weight.
	Random
	// ConsistentHash keeps calls of one key, which [WithHashKey] sets, on one instance as long as that instance is not too busy.
	ConsistentHash
)

// Policies define how a client handles instances and calls that fail or take long. The zero value retries calls that are safe to repeat, and
// does nothing else. docs/rpc/governance.md says when to use which policy, and when not to.
type Policies struct {
	Balance Balance
	// LocalFirst keeps calls on the machine of their caller, as many as possible while every instance gets its share of all calls. Nil turns this
	// off.
	LocalFirst *LocalFirst
	// PanicThreshold is the share of instances that must be healthy for health to count. 0 is 0.5.
	PanicThreshold float64
	// WaitForReady is true if calls wait while no instance is connected, until one is or their time is over. Otherwise they wait as long as an attempt
	// to connect is under way, and fail once all have failed. [WithWaitForReady] sets this for single calls.
	WaitForReady bool
	// ProbeNew is true if an instance of Thrift must answer a probe before the first call goes to it, if there are several instances. Otherwise the
	// first calls to an instance that takes connections and never answers run into their deadlines, and it is probed from then on. A probe is a call
	// of a function that no service has, over a connection of its own; servers of other packages may log it. Servers of gRPC show by themselves that
	// they answer.
	ProbeNew bool
	// IsIdempotent reports whether a function may run twice for one call without harm: only such functions are retried once a server may have
	// begun them, and only they get backup requests. Nil means that the definitions decide: (idempotent = "true") of functions of Thrift, option
	// idempotency_level of methods of protobuf.
	IsIdempotent func(service, method string) bool
	// Retry says how often and when a call is repeated.
	Retry retry.Policy
	// RetryBudget limits retries to a share of all calls.
	RetryBudget retry.BudgetOptions
	// Backup sends backup requests. Nil sends none.
	Backup *retry.HedgeOptions
	// Breaker stops calls to an instance that fails. Nil never does.
	Breaker *breaker.Options
	// ServiceBreaker stops calls to the service when it fails as a whole. Nil never does.
	ServiceBreaker *breaker.Options
	// Throttle drops calls in the client: the more calls the service refuses, the more it drops. Nil drops none.
	Throttle *breaker.ThrottleOptions
	// Outlier ejects instances that fail more than others. Nil ejects none.
	Outlier *outlier.Options
	// Fallback answers in the place of calls that have failed. Nil answers none.
	Fallback Fallback
	// WarmUp gives new instances their calls little by little.
	WarmUp warmup.Policy
}

// governance is the checked form of policies, with the state that all calls of a client share.
type governance struct {
	Policies
	began    time.Time
	methods  [2]retry.Method // of functions that are not idempotent, and of those that are
	breaker  *breaker.Breaker
	throttle *breaker.Throttle
	outliers *outlier.Detector
}

func newGovernance(p Policies) (*governance, error) {
	g := &governance{Policies: p, began: time.Now()}
	var err error
	if g.Retry, err = p.Retry.Check(); err != nil {
		return nil, err
	}
	if g.WarmUp, err = p.WarmUp.Check(); err != nil {
		return nil, err
	}
	budget, err := retry.NewBudget(p.RetryBudget)
	if err != nil {
		return nil, err
	}
	g.methods = [2]retry.Method{{Policy: g.Retry, Budget: budget}, {Policy: g.Retry, Budget: budget, IsIdempotent: true}}
	if p.Backup != nil {
		if g.methods[1].Hedge, err = retry.NewHedge(*p.Backup); err != nil {
			return nil, err
		}
	}
	if p.ServiceBreaker != nil {
		if g.breaker, err = breaker.New(*p.ServiceBreaker); err != nil {
			return nil, err
		}
	}
	if p.Throttle != nil {
		if g.throttle, err = breaker.NewThrottle(*p.Throttle); err != nil {
			return nil, err
		}
	}
	if p.Outlier != nil {
		if g.outliers, err = outlier.New(*p.Outlier); err != nil {
			return nil, err
		}
	}
	if p.Breaker != nil {
		// The breakers of instances are made later, from options that are known to be right.
		if _, err = breaker.New(*p.Breaker); err != nil {
			return nil, err
		}
	}
	if p.LocalFirst != nil {
		if err = p.LocalFirst.check(p.Balance); err != nil {
			return nil, err
		}
	}
	if p.Balance > ConsistentHash {
		return nil, fmt.Errorf("balance %d is not known; take LeastRequests, RoundRobin, Random or ConsistentHash", p.Balance)
	}
	return g, nil
}

// now returns the time in which the policies count: from the moment at which they were checked.
func (g *governance) now() time.Duration { return time.Since(g.began) }

// method returns the rules by which a call is repeated.
func (g *governance) method(r *request) *retry.Method {
	isIdempotent := r.isIdempotent
	if g.IsIdempotent != nil {
		isIdempotent = g.IsIdempotent(r.service, r.method)
	}
	if isIdempotent {
		return &g.methods[1]
	}
	return &g.methods[0]
}

// picker makes a picker, which chooses among instances.
func (g *governance) picker(entries []balance.Entry) (balance.Picker, error) {
	options := balance.Options{PanicThreshold: g.PanicThreshold}
	switch g.Balance {
	case RoundRobin:
		return balance.NewRoundRobin(entries, options, rand.Uint64())
	case Random:
		return balance.NewRandom(entries, options, rand.Uint64)
	case ConsistentHash:
		return balance.NewConsistentHash(entries, balance.HashOptions{Options: options})
	}
	return balance.NewLeastRequests(entries, options, rand.Uint64)
}

// admit returns an error if the client drops the call, since the service fails or refuses calls. done takes the outcome of an admitted call; it may
// be nil.
func (g *governance) admit() (done func(outcome), err error) {
	if g.throttle == nil && g.breaker == nil {
		return nil, nil
	}
	now := g.now()
	if g.throttle != nil && !g.throttle.Allow(now, rand.Uint64()) {
		return nil, &Error{Code: Unavailable, Message: fmt.Sprintf("dropped by the client: the service refuses too many calls (%.0f %% are dropped now)",
			100*g.throttle.Share(now))}
	}
	var ticket breaker.Ticket
	if g.breaker != nil {
		var isAllowed bool
		if ticket, isAllowed = g.breaker.Allow(now); !isAllowed {
			return nil, &Error{Code: Unavailable, Message: "dropped by the client: the circuit breaker of the service is open"}
		}
	}
	return func(o outcome) {
		now := g.now()
		if g.breaker != nil {
			g.breaker.Done(now, ticket, o.forBreaker())
		}
		if g.throttle != nil && o != untold {
			g.throttle.Done(now, o == worked)
		}
	}, nil
}

// outcome is the judgement on an attempt that policies receive.
type outcome uint8

const (
	// worked attempts were answered, maybe with an error of the application.
	worked outcome = iota
	// faulty attempts show a fault of the instance: no connection, a lost one, a timeout, a refusal.
	faulty
	// untold attempts say nothing about the instance: the caller went away.
	untold
)

func (o outcome) forBreaker() breaker.Outcome {
	return [...]breaker.Outcome{worked: breaker.Success, faulty: breaker.Failure, untold: breaker.Ignored}[o]
}

// classify judges a failed attempt: for the code that might repeat the call, and for the policies of the instance.
func classify(ctx context.Context, err *Error) (retry.Class, outcome) {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && err.Stage >= Waiting && err.Code == DeadlineExceeded:
		// The instance has not answered in time.
		return retry.Cancelled, faulty
	case ctx.Err() != nil:
		return retry.Cancelled, untold
	case err.Stage == Answering && err.IsRefused:
		return retry.Refused, faulty
	case err.Stage == Answering && err.Code == Unavailable:
		return retry.Transient, faulty
	case err.Stage == Answering && err.Code == DeadlineExceeded:
		// The server has seen first that the time of the call is over.
		return retry.Application, faulty
	case err.Stage == Answering, err.Stage == Reading:
		return retry.Application, worked
	case err.Stage == Connecting, err.Stage == Sending && err.Code == Unavailable:
		return retry.NotSent, faulty
	case err.Code == DeadlineExceeded:
		return retry.Timeout, faulty
	case err.Stage == Sending:
		// A call that cannot be written cannot be written again.
		return retry.Application, untold
	}
	return retry.Failed, faulty
}

// failure describes the error to the code that might repeat the call.
func (e *Error) failure(class retry.Class) retry.Failure {
	return retry.Failure{Class: class, Pushback: e.RetryAfter, HasPushback: e.RetryAfter != 0}
}

type hashKey struct{}

// WithHashKey sets the key of calls that are made with the context, for [ConsistentHash].
func WithHashKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, hashKey{}, balance.Hash(key))
}
