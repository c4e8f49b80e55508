package retry

import (
	"errors"
	"time"
)

// Method holds what the calls of one method share. Package rpc has one Method for each method.
type Method struct {
	// IsIdempotent is true if the handler may run twice for a call without harm.
	IsIdempotent bool
	// Policy is a policy that [Policy.Check] returned.
	Policy Policy
	// Budget is the budget of retries, one for all methods of a service. If it is nil, only the number of attempts bounds retries.
	Budget *Budget
	// Hedge sends backup requests. Nil sends none.
	Hedge *Hedge
}

// Check returns the error of a method that cannot work with these fields.
func (m *Method) Check() error {
	if m.Hedge != nil && !m.IsIdempotent {
		return errors.New("retry: backup requests run a handler twice; mark the method as idempotent, or leave Hedge nil")
	}
	_, err := m.Policy.Check()
	return err
}

// Call follows one call from attempt to attempt: retries and backup requests together. It counts an attempt from the moment it
// returns [Send], also while the caller still waits to send the attempt.
type Call struct {
	method            *Method
	deadline          time.Duration
	attempts, backups int
	retries           int
	waiting           int // the number of attempts without an answer
}

// Action is what the caller of a [Call] does next.
type Action uint8

const (
	// GiveUp ends the call with the error of the attempt.
	GiveUp Action = iota
	// Wait for the attempts that are still under way.
	Wait
	// Send another attempt, after the decision's time After.
	Send
)

// Decision is an [Action] with its reason, for errors and counters.
type Decision struct {
	Action Action
	// After is the time to wait before [Send].
	After  time.Duration
	Reason Reason
}

// Reason says why no further attempt is made.
type Reason uint8

const (
	// None: a further attempt is made.
	None Reason = iota
	// Unsafe: another attempt could do harm, or would change nothing.
	Unsafe
	// NoAttempts: all attempts have been made.
	NoAttempts
	// NoTime: too little time is left until the deadline.
	NoTime
	// NoBudget: other calls have used up the budget.
	NoBudget
	// Forbidden: the server asked for no retry.
	Forbidden
)

var reasonNames = [...]string{"", "it may have run and is not idempotent, or would fail again", "no attempts are left", "no time is left",
	"the retry budget is empty", "the server forbids a retry"}

func (r Reason) String() string { return reasonNames[min(int(r), len(reasonNames)-1)] }

// NoDeadline is the deadline of a call that has none.
const NoDeadline = time.Duration(1<<63 - 1)

// Begin begins a call. The caller sends its first attempt.
func (m *Method) Begin(deadline time.Duration) Call {
	if m.Budget != nil {
		m.Budget.Deposit()
	}
	if m.Hedge != nil {
		m.Hedge.budget.Deposit()
	}
	return Call{method: m, deadline: deadline, attempts: 1, waiting: 1}
}

// AttemptDeadline returns the time at which an attempt that is sent now ends: at the deadline of the call at the latest.
func (c *Call) AttemptDeadline(now time.Duration) time.Duration {
	timeout := c.method.Policy.AttemptTimeout
	if timeout == 0 || c.deadline-now < timeout {
		return c.deadline
	}
	return now + timeout
}

// Failure is what is known about an attempt that failed.
type Failure struct {
	Class Class
	// Pushback is the time after which the server asks to be tried again (gRFC A6, "grpc-retry-pushback-ms"), in place of the policy's
	// wait. A negative time forbids a retry. It counts only if HasPushback is true.
	Pushback    time.Duration
	HasPushback bool
}

// Failed decides what follows the failure of an attempt. Retries after [NotSent] take nothing from the budget, since no server
// worked for the attempt. The first such retry does not wait, since another instance is tried.
func (c *Call) Failed(now time.Duration, failure Failure, random uint64) Decision {
	c.waiting--
	policy := &c.method.Policy
	if !failure.Class.IsSafe(c.method.IsIdempotent) {
		// An answer ends the call, whatever the other attempts would be answered.
		if failure.Class >= Application {
			return Decision{Reason: Unsafe}
		}
		return c.without(Unsafe)
	}
	if failure.HasPushback && failure.Pushback < 0 {
		return c.without(Forbidden)
	}
	if c.attempts >= policy.Attempts {
		return c.without(NoAttempts)
	}
	after := policy.Backoff(c.retries+1, random)
	if failure.HasPushback {
		after = failure.Pushback
	} else if failure.Class == NotSent && c.retries == 0 {
		after = 0
	}
	if c.deadline-now < after || c.deadline-now-after < policy.MinAttempt {
		return c.without(NoTime)
	}
	if failure.Class != NotSent && c.method.Budget != nil && !c.method.Budget.Withdraw(now) {
		return c.without(NoBudget)
	}
	c.attempts++
	c.retries++
	c.waiting++
	return Decision{Action: Send, After: after}
}

// BackupAfter returns the time after which [Call.Backup] should be called, counted from when an attempt was sent. It returns false
// if no backup request can follow.
func (c *Call) BackupAfter() (time.Duration, bool) {
	hedge := c.method.Hedge
	if hedge == nil || !c.method.IsIdempotent || c.backups >= hedge.backups || c.attempts >= c.method.Policy.Attempts {
		return 0, false
	}
	return hedge.Delay()
}

// Backup decides whether a backup request is sent now. The last attempt has had no answer for the time of [Call.BackupAfter]. The
// decision is never [GiveUp].
func (c *Call) Backup(now time.Duration) Decision {
	hedge := c.method.Hedge
	switch {
	case hedge == nil || !c.method.IsIdempotent:
		return Decision{Action: Wait, Reason: Unsafe}
	case c.backups >= hedge.backups || c.attempts >= c.method.Policy.Attempts:
		return Decision{Action: Wait, Reason: NoAttempts}
	case c.deadline-now < c.method.Policy.MinAttempt:
		return Decision{Action: Wait, Reason: NoTime}
	case !hedge.budget.Withdraw(now):
		return Decision{Action: Wait, Reason: NoBudget}
	}
	c.attempts++
	c.backups++
	c.waiting++
	return Decision{Action: Send}
}

// without makes the decision where no attempt follows: to wait for the answers of the other attempts, if there are any.
func (c *Call) without(reason Reason) Decision {
	if c.waiting > 0 {
		return Decision{Action: Wait, Reason: reason}
	}
	return Decision{Reason: reason}
}
