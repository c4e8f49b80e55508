package rpc

import (
	"errors"
	"strconv"
	"time"

	"hone/go/rpc/internal/h2"
	"hone/go/rpc/internal/thriftwire"
)

// The names under which a server of this package sends the facts about an error that have no place of their own on the wire: its code, that no
// handler has run, and when the call may be repeated.
const (
	// Names in a TTHeader.
	codeFact       = "code"
	refusedFact    = "refused"
	retryAfterFact = "retry-after-ms"
	// Names in a trailer of gRPC. All clients of gRPC know the second (https://github.com/grpc/proposal/blob/master/A6-client-retries.md).
	refusedTrailer    = "hone-refused"
	retryAfterTrailer = "grpc-retry-pushback-ms"
)

// verdict holds the facts about an error that are sent beside its text.
type verdict struct {
	code       Code
	isRefused  bool
	retryAfter time.Duration
}

// verdictOf returns the facts about an error of a handler, or of code that runs around it.
func verdictOf(err error) verdict {
	told := verdict{code: CodeOf(err)}
	if own := (*Error)(nil); errors.As(err, &own) && own != nil {
		told.isRefused, told.retryAfter = own.IsRefused, own.RetryAfter
	}
	return told
}

// setIn sets the facts in a client's error.
func (v verdict) setIn(failure *Error) {
	failure.Code, failure.IsRefused, failure.RetryAfter = v.code, v.isRefused, v.retryAfter
}

// appendFacts appends the facts for a TTHeader.
func (v verdict) appendFacts(to []thriftwire.Named) []thriftwire.Named {
	if v.code != Unknown {
		to = append(to, thriftwire.Named{Name: codeFact, Value: strconv.Itoa(int(v.code))})
	}
	if v.isRefused {
		to = append(to, thriftwire.Named{Name: refusedFact, Value: "1"})
	}
	if v.retryAfter != 0 {
		to = append(to, thriftwire.Named{Name: retryAfterFact, Value: retryAfterText(v.retryAfter)})
	}
	return to
}

// readFact reads a fact that a TTHeader has under a name.
func (v *verdict) readFact(name, value string) {
	switch name {
	case codeFact:
		if number, err := strconv.ParseUint(value, 10, 32); err == nil {
			v.code = Code(number)
		}
	case refusedFact:
		v.isRefused = true
	case retryAfterFact:
		v.retryAfter = parseRetryAfter(value)
	}
}

// trailerWith returns the fields of a trailer of gRPC; the code has a place of its own there. The facts come before the handler's fields, since the
// last fields are left out if there is no room for all.
func (v verdict) trailerWith(fields []h2.Field) []h2.Field {
	var all []h2.Field
	if v.isRefused {
		all = append(all, h2.Field{Name: refusedTrailer, Value: "1"})
	}
	if v.retryAfter != 0 {
		all = append(all, h2.Field{Name: retryAfterTrailer, Value: retryAfterText(v.retryAfter)})
	}
	if all == nil {
		return fields
	}
	return append(all, fields...)
}

// readTrailer reads the facts in a trailer of gRPC.
func (v *verdict) readTrailer(fields []h2.Field) {
	for _, field := range fields {
		switch field.Name {
		case refusedTrailer:
			v.isRefused = true
		case retryAfterTrailer:
			v.retryAfter = parseRetryAfter(field.Value)
		}
	}
}

func retryAfterText(after time.Duration) string {
	if after < 0 {
		return "-1"
	}
	return milliseconds(after)
}

// maxRetryAfter is the longest time that a server may ask a client to wait: a server that asks for more is not called again.
const maxRetryAfter = time.Minute

// parseRetryAfter reads milliseconds: 0 means at once, and a text that is no number forbids repeating the call, as a negative number does.
func parseRetryAfter(text string) time.Duration {
	ms, err := strconv.ParseInt(text, 10, 32)
	switch {
	case err != nil || ms < 0 || ms > maxRetryAfter.Milliseconds():
		return -1
	case ms == 0:
		return time.Nanosecond
	}
	return time.Duration(ms) * time.Millisecond
}
