package command

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"hone/go/generic"
	"hone/go/rpc"
)

// Kind tells errors of calls apart, in a few words.
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
		// The text around it has ports, which are others for each connection.
		return fmt.Sprintf("%s: %s: %v", failed.Stage, failed.Code, number)
	}
	kind := rpc.Error{Code: failed.Code, Message: failed.Message, Stage: failed.Stage, Cause: failed.Cause}
	return shortened(kind.Error())
}

// mostShown is how much of a text is shown, in bytes.
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

// Error names it.
func (t *Thrown) Error() string { return "exception " + t.Name }
