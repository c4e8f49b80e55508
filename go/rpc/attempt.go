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
	"hone/go/rpc/policy/balance"
	"hone/go/rpc/policy/breaker"
	"hone/go/rpc/policy/retry"
)

// attempt is a call on its way to one instance.
type attempt struct {
	instance *instance
	ticket   breaker.Ticket
}

// newAttempt begins an attempt. It returns false if the instance's circuit breaker is open.
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

// request is a call that is attempted as often as the policies allow.
type request struct {
	client          *Client
	service, method string
	// isIdempotent is true if the definition says that the function may run twice for one call.
	isIdempotent bool
	// args is the value that is sent, and result a pointer to the value that the answer is read into; it is nil for a call that is not answered.
	args, result any
	// path is /service/method, and reply receives the metadata of the answer, unless it is nil; both are for gRPC alone.
	path  string
	reply *Reply
	// stream is the stream to open, if the call has several requests or responses.
	stream streamWire
}

// do makes the call: by attempts one after the other, or at the same time.
func (r *request) do(ctx context.Context) error {
	if err := wires[r.client.Wire].checkOutgoing(ctx); err != nil {
		return r.name(err)
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

// name sets the name of the called function in an error.
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

// mostConnections is the number of connections that may end, one after the other, before a call is sent over one: a server that closes each at once would
// keep its clients connecting.
const mostConnections = 4

// sendUntilSent makes an attempt. If a connection ends before anything of the call was sent, it uses another one: an unsent call has done no harm.
func (r *request) sendUntilSent(ctx context.Context, made *attempt, tried *[]*balance.Node, most time.Duration, result any) (outcome, *Error) {
	for connections := 1; ; connections++ {
		failed := r.send(ctx, made, most, result)
		isUnsent := failed != nil && errors.Is(failed, errNotSent)
		if err := ctx.Err(); isUnsent && err != nil {
			// With more time the call would have gone over another connection.
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

// attemptTime returns the time limit of an attempt that begins now; 0 means the rest of the call's time.
func (r *request) attemptTime(follow *retry.Call) time.Duration {
	g := r.client.governance
	if g.Retry.AttemptTimeout == 0 {
		return 0
	}
	now := g.now()
	return follow.AttemptDeadline(now) - now
}

// send makes an attempt at the instance that was picked.
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

// judge tells the instance's policies how an attempt ended. The attempt of an open stream ends later, with the stream. If the call goes on over
// another connection, the attempt counts as untold.
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

// deadlineOf returns the deadline of a context in the time of the policies.
func deadlineOf(ctx context.Context, g *governance) time.Duration {
	deadline, has := ctx.Deadline()
	if !has {
		return retry.NoDeadline
	}
	return deadline.Sub(g.began)
}

// answer is the end of one of several attempts: its result or its error.
type answer struct {
	result  any
	reply   *Reply
	outcome outcome
	err     *Error
	took    time.Duration
}

// hedge makes attempts at the same time: a backup request if an attempt takes long, and another attempt if one fails. The first answer
// counts; the other attempts are given up. Each attempt reads into a result of its own. No attempt goes on when the call returns, since the
// caller may then change the request that attempts write.
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

// never is a duration that no call reaches.
const never = 24 * time.Hour

// backupAfter returns the time after which a backup request may follow.
func backupAfter(follow *retry.Call) time.Duration {
	if after, may := follow.BackupAfter(); may {
		return after
	}
	return never
}

// begin begins one of several attempts, and sends its answer to the channel. The instance is picked here, so that the attempts go to different ones.
func (r *request) begin(ctx context.Context, follow *retry.Call, tried *[]*balance.Node, isOnly bool, answers chan<- answer) {
	// A backup request does not wait for a connection, since the earlier request may be answered meanwhile.
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
		// The goroutine must not look at the caller's result, since another attempt may be answered meanwhile.
		result = blankLike(r.result)
	}
	go func() {
		began := time.Now()
		outcome, err := own.sendUntilSent(ctx, made, &triedBefore, most, result)
		answers <- answer{result, own.reply, outcome, err, time.Since(began)}
	}()
}

// blankLike returns an empty result of the same kind. A result whose type alone does not determine its kind has a method Blank that makes it.
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
