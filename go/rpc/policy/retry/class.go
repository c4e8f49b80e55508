package retry

// Class says how far a failed attempt came. That decides whether another attempt could do the work twice.
type Class uint8

const (
	// NotSent attempts ended before a byte left: no connection could be made, or the connection was known to be closed.
	NotSent Class = iota
	// Refused attempts reached the server, which promised that no handler ran: REFUSED_STREAM, a GOAWAY below the stream's number, or
	// an answer that the server is overloaded or is shutting down.
	Refused
	// Failed attempts lost the connection after the request was sent, at least in part: the handler may have run.
	Failed
	// Timeout attempts ended by their own timeout: the handler may have run, or may still run.
	Timeout
	// Transient attempts were answered with an error that the handler calls temporary: the handler had begun its work.
	Transient
	// Application attempts were answered with an error that another attempt would meet again.
	Application
	// Cancelled attempts ended because the caller, or the deadline of the whole call, ended them.
	Cancelled
)

var classNames = [...]string{"not sent", "refused", "failed", "timed out", "transient error", "application error", "cancelled"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return "unknown class"
}

// IsSafe reports whether another attempt can do no harm: for every method if no handler ran, for idempotent methods if one may have
// run. An answer of the application, and an end by the caller, are never followed by another attempt. gRFC A6 calls the first two
// rows "transparent retries": https://github.com/grpc/proposal/blob/master/A6-client-retries.md.
//
//	            not idempotent  idempotent
//	NotSent     safe            safe
//	Refused     safe            safe
//	Failed      no              safe
//	Timeout     no              safe
//	Transient   no              safe
//	Application no              no
//	Cancelled   no              no
func (c Class) IsSafe(isIdempotent bool) bool {
	return c <= Refused || isIdempotent && c <= Transient
}
