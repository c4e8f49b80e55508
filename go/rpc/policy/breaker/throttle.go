package breaker

import (
	"cmp"
	"fmt"
	"time"
)

// Throttle is the client-side throttling of Google's SRE book (chapter "Handling Overload", https://sre.google/sre-book/handling-overload/):
// of the calls in a window, accepted ones are compared with all that were asked for, and a call is dropped here with the probability
// max(0, (requests - K*accepts) / (requests + 1)). Unlike a [Breaker] it has no states: some calls always pass, and as soon as more are
// accepted, more pass. Calls that are under way count once they have ended: nobody knows before what the server says of them. After an outage the share that passes grows about K-fold in a window, from Floor up.
type Throttle struct {
	k, floor float64
	window   window
}

// ThrottleOptions are what a [Throttle] is made of. The zero value has the defaults.
type ThrottleOptions struct {
	// K is the number of calls that may be sent for each one that is accepted. 0 is 2, the book's; at least 1. Larger ones waste more of the server,
	// smaller ones drop calls that would have been accepted.
	K float64
	// Window of the counts. 0 is 30 s; the book's two minutes take four times as long to recover from an outage.
	Window time.Duration
	// Floor is the share of calls that always pass. 0 is 0.01; the book has none, so that its clients hardly notice the end of an outage.
	Floor float64
}

// NewThrottle makes a throttle that drops nothing yet.
func NewThrottle(options ThrottleOptions) (*Throttle, error) {
	options.K = cmp.Or(options.K, 2)
	options.Window = cmp.Or(options.Window, 30*time.Second)
	options.Floor = cmp.Or(options.Floor, 0.01)
	if !(options.K >= 1 && options.K <= 1000) || options.Window < bucketCount*time.Millisecond || !(options.Floor > 0 && options.Floor <= 1) {
		return nil, fmt.Errorf("breaker: the throttle has K %v, a window of %v and a floor of %v; "+
			"write K from 1 to 1000, a window of 10ms or more and a floor above 0, at most 1", options.K, options.Window, options.Floor)
	}
	return &Throttle{k: options.K, floor: options.Floor, window: newWindow(options.Window)}, nil
}

// Allow is true if a call may be sent; [Throttle.Done] is told how it ended.
func (t *Throttle) Allow(now time.Duration, random uint64) bool {
	isAllowed := float64(random>>11)/(1<<53) >= t.Share(now)
	if !isAllowed {
		t.window.add(now, 1, 0)
	}
	return isAllowed
}

// Done tells how an allowed call ended: the server accepted it, unless it was an overload, a broken connection or a timeout. A call of which the end says
// nothing of the server is not told.
func (t *Throttle) Done(now time.Duration, isAccepted bool) {
	accepted := uint64(0)
	if isAccepted {
		accepted = 1
	}
	t.window.add(now, 1, accepted)
}

// Share of calls that are dropped now.
func (t *Throttle) Share(now time.Duration) float64 {
	requests, accepts := t.window.sums(now)
	return min(1-t.floor, max(0, (float64(requests)-t.k*float64(accepts))/float64(requests+1)))
}
