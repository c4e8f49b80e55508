package command

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"hone/go/generic"
	"hone/go/rpc"
)

// Kind returns the kind of a call's error, in a few words.
func Kind(err error) string {
	var thrown *Thrown
	var unreadable *generic.Error
	var failed *rpc.Error
	var number syscall.Errno
	switch {
	case errors.As(err, &thrown):
		return thrown.Error()
	case errors.As(err, &unreadable):
		return "the answer cannot be read: " + shortened(unreadable.Problem)
	case !errors.As(err, &failed):
		return shortened(err.Error())
	case failed.Code == rpc.DeadlineExceeded:
		return "timeout"
	case errors.As(err, &number):
		// The text around the number has ports, which differ for each connection.
		return fmt.Sprintf("%s: %s: %v", failed.Stage, failed.Code, number)
	}
	kind := rpc.Error{Code: failed.Code, Message: failed.Message, Stage: failed.Stage, Cause: failed.Cause}
	return shortened(kind.Error())
}

// mostShown is the largest number of bytes of a text that is shown.
const mostShown = 80

func shortened(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > mostShown {
		return strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return text
}

// Thrown is an exception of the definition, as an error.
type Thrown struct{ Name string }

// Error names the exception.
func (t *Thrown) Error() string { return "exception " + t.Name }
