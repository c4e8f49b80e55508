package rpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	google "google.golang.org/protobuf/proto"

	"hone/go/internal/wait"
	"hone/go/rpc/balance"
	"hone/go/rpc/breaker"
	"hone/go/rpc/retry"
)

// attempt is a call on its way to one instance.
type attempt struct {
	instance *instance
	ticket   breaker.Ticket
}

// newAttempt begins an attempt; false where the instance's circuit breaker is open.
func newAttempt(node *balance.Node) (*attempt, bool) {
	made := &node.Value().(*instance).attempt
	if made.instance.breaker == nil {
		node.Begin()
		return made, true
	}
	ticket, isAllowed := made.instance.breaker.Allow(made.instance.client.governance.now())
	if !isAllowed {
		return nil, false
	}
	node.Begin()
	return &attempt{made.instance, ticket}, true
}

// end tells the policies of the instance how the attempt ended.
func (a *attempt) end(o outcome) {
	a.instance.node.End()
	if a.instance.breaker == nil && a.instance.host == nil {
		return
	}
	now := a.instance.client.governance.now()
	if a.instance.breaker != nil {
		a.instance.breaker.Done(now, a.ticket, o.forBreaker())
	}
	if a.instance.host != nil && o != untold {
		a.instance.host.Report(now, o == faulty)
	}
}

// request is a call to be made, as often as policies say.
type request struct {
	client          *Client
	service, method string
	// isIdempotent is whether the definition says that the function may run twice for one call.
	isIdempotent bool
	// args is what is sent, and result a pointer to what the answer is read into; nil for a call that is not answered.
	args, result any
	// path is /service/method, and reply takes what comes beside the response, unless it is nil; for gRPC.
	path  string
	reply *Reply
	// stream is what is opened, where the call is one with several requests or responses.
	stream streamWire
}

// do makes the call: one attempt after the other, or beside each other.
func (r *request) do(ctx context.Context) error {
	if r.client.Wire == GRPC {
		if err := checkOutgoing(outgoingOf(ctx).single); err != nil {
			return r.name(err)
		}
	}
	if timeout := r.client.Timeout; timeout > 0 && r.stream == nil {
		if _, has := ctx.Deadline(); !has {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, timeout)
			defer cancel()
		}
	}
	g := r.client.governance
	done, err := g.admit()
	if err != nil {
		return r.name(err)
	}
	method := g.method(r)
	var last outcome
	if method.Hedge != nil && r.stream == nil {
		last, err = r.hedge(ctx, method)
	} else {
		last, err = r.retry(ctx, method)
	}
	if done != nil {
		done(last)
	}
	if err != nil {
		return r.name(err)
	}
	return nil
}

// name says in an error which function was called.
func (r *request) name(err error) error {
	var own *Error
	if errors.As(err, &own) && own.Method == "" {
		own.Method = fullName(r.service, r.method)
	}
	return err
}

// retry makes one attempt after the other.
func (r *request) retry(ctx context.Context, method *retry.Method) (outcome, error) {
	g := r.client.governance
	follow := method.Begin(deadlineOf(ctx, g))
	var room [retry.MaxAttempts]*balance.Node
	tried := room[:0]
	for {
		result, err := r.once(ctx, &follow, &tried)
		if err == nil {
			return result, nil
		}
		class, judged := classify(ctx, err)
		decision := follow.Failed(g.now(), err.failure(class), rand.Uint64())
		if decision.Action != retry.Send || !wait.For(ctx, decision.After) {
			return judged, err
		}
	}
}

// once makes one attempt.
func (r *request) once(ctx context.Context, follow *retry.Call, tried *[]*balance.Node) (outcome, *Error) {
	made, err := r.client.route.pick(ctx, tried, true)
	if err != nil {
		return untold, asError(err)
	}
	return r.sendUntilSent(ctx, made, tried, r.attemptTime(follow), r.result)
}

// mostConnections is how many connections may end, one after the other, before a call is sent over one: a server that closes each at once would keep its clients
// connecting.
const mostConnections = 4

// sendUntilSent makes an attempt, and goes on with another connection where one has ended before anything of the call was sent: that has done no harm.
func (r *request) sendUntilSent(ctx context.Context, made *attempt, tried *[]*balance.Node, most time.Duration, result any) (outcome, *Error) {
	for connections := 1; ; connections++ {
		failed := r.send(ctx, made, most, result)
		isUnsent := failed != nil && errors.Is(failed, errNotSent)
		if err := ctx.Err(); isUnsent && err != nil {
			// With more time it would have gone over another connection.
			failed.Code, failed.Cause = CodeOf(err), errors.Join(err, failed.Cause)
			isUnsent = false
		}
		goesOn := isUnsent && connections < mostConnections && !r.client.isClosed.Load()
		judged := r.judge(ctx, made, failed, goesOn)
		if !goesOn {
			return judged, failed
		}
		var err error
		if made, err = r.client.route.pick(ctx, tried, true); err != nil {
			return untold, asError(err)
		}
	}
}

// attemptTime is how long an attempt that begins now may take; 0 where it may take what is left of the call.
func (r *request) attemptTime(follow *retry.Call) time.Duration {
	g := r.client.governance
	if g.Retry.AttemptTimeout == 0 {
		return 0
	}
	now := g.now()
	return follow.AttemptDeadline(now) - now
}

// send makes an attempt by an instance that was picked.
func (r *request) send(ctx context.Context, made *attempt, most time.Duration, result any) *Error {
	if r.stream != nil {
		failed := made.instance.call(ctx, r, nil)
		if failed == nil {
			r.stream.opened().begin(r.stream, made)
		}
		return failed
	}
	if most != 0 {
		limited, cancel := context.WithTimeout(ctx, most)
		defer cancel()
		ctx = limited
	}
	return made.instance.call(ctx, r, result)
}

// judge tells the instance's policies of an attempt that has ended; that of a stream ends with it. One that goes on over another connection says nothing.
func (r *request) judge(ctx context.Context, made *attempt, failed *Error, goesOn bool) outcome {
	judged := worked
	switch {
	case failed == nil && r.stream != nil:
		return worked
	case goesOn:
		judged = untold
	case failed != nil:
		_, judged = classify(ctx, failed)
	}
	made.end(judged)
	return judged
}

func asError(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	return &Error{Code: CodeOf(err), Cause: err}
}

// deadlineOf is the deadline of a context in the time of policies.
func deadlineOf(ctx context.Context, g *governance) time.Duration {
	deadline, has := ctx.Deadline()
	if !has {
		return retry.NoDeadline
	}
	return deadline.Sub(g.began)
}

// answer is how one of several attempts ended.
type answer struct {
	result  any
	reply   *Reply
	outcome outcome
	err     *Error
	took    time.Duration
}

// hedge makes attempts beside each other: a backup request where an attempt takes long, and another attempt where one fails. The first answer
// counts; the others are given up. Each reads into a result of its own. None goes on when the call returns: its caller may change then what
// attempts write.
func (r *request) hedge(ctx context.Context, method *retry.Method) (outcome, error) {
	g := r.client.governance
	follow := method.Begin(deadlineOf(ctx, g))
	attempts, giveUp := context.WithCancel(ctx)
	answers, open := make(chan answer, retry.MaxAttempts), 0
	defer func() {
		giveUp()
		for ; open > 0; open-- {
			<-answers
		}
	}()
	tried := make([]*balance.Node, 0, retry.MaxAttempts)
	backup, again := time.NewTimer(never), time.NewTimer(never)
	defer backup.Stop()
	defer again.Stop()
	begin := func() {
		open++
		r.begin(attempts, &follow, &tried, open == 1, answers)
		backup.Reset(backupAfter(&follow))
	}
	begin()
	for {
		select {
		case <-again.C:
			begin()
		case <-backup.C:
			if follow.Backup(g.now()).Action == retry.Send {
				begin()
			}
		case got := <-answers:
			open--
			if got.err == nil {
				method.Hedge.Observe(g.now(), got.took)
				copyResult(r.result, got.result)
				if r.reply != nil {
					*r.reply = *got.reply
				}
				return got.outcome, nil
			}
			class, judged := classify(ctx, got.err)
			switch decision := follow.Failed(g.now(), got.err.failure(class), rand.Uint64()); decision.Action {
			case retry.GiveUp:
				return judged, got.err
			case retry.Send:
				again.Reset(decision.After)
			}
		}
	}
}

// never is a time that no call takes.
const never = 24 * time.Hour

// backupAfter is after how long a backup request may follow.
func backupAfter(follow *retry.Call) time.Duration {
	if after, may := follow.BackupAfter(); may {
		return after
	}
	return never
}

// begin begins one of several attempts, which tells its answer. The instance is picked here, so that the attempts go to different ones.
func (r *request) begin(ctx context.Context, follow *retry.Call, tried *[]*balance.Node, isOnly bool, answers chan<- answer) {
	// A backup request does not wait for a connection: the answer to the one before may come meanwhile.
	made, err := r.client.route.pick(ctx, tried, isOnly)
	if err != nil {
		answers <- answer{outcome: untold, err: asError(err)}
		return
	}
	most, triedBefore := r.attemptTime(follow), slices.Clone(*tried)
	own := *r
	own.reply = new(Reply)
	var result any
	if r.result != nil {
		// The goroutine must not look at the caller's: the answer to another attempt may come meanwhile.
		result = blankLike(r.result)
	}
	go func() {
		began := time.Now()
		outcome, err := own.sendUntilSent(ctx, made, &triedBefore, most, result)
		answers <- answer{result, own.reply, outcome, err, time.Since(began)}
	}()
}

// blankLike makes room for another result of the same kind. One whose type alone does not say what it is makes it itself.
func blankLike(result any) any {
	switch result := result.(type) {
	case interface{ Blank() any }:
		return result.Blank()
	case google.Message:
		return result.ProtoReflect().New().Interface()
	}
	return reflect.New(reflect.TypeOf(result).Elem()).Interface()
}

func copyResult(to, from any) {
	if to != nil {
		reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	}
}
