package idl

// StreamingMode says which sides of a function may send several messages.
type StreamingMode uint8

// The modes. NotStreaming has one request and one response.
const (
	NotStreaming StreamingMode = iota
	ClientStreaming
	ServerStreaming
	BidirectionalStreaming
)

func (m StreamingMode) String() string {
	return [...]string{"no stream", "a stream of requests", "a stream of responses", "a stream both ways"}[m]
}

// streamingAnnotation is the annotation of functions that names the mode, as in thriftgo.
const streamingAnnotation = "streaming.mode"

// streamingModes are the values of the annotation. A unary function is like one without the annotation.
var streamingModes = map[string]StreamingMode{
	"unary": NotStreaming, "client": ClientStreaming, "server": ServerStreaming, "bidirectional": BidirectionalStreaming,
}

// Streaming returns the mode that the function's annotation names, as in `Reply talk(1: Request r) (streaming.mode =
// "bidirectional")`.
func (f *Function) Streaming() StreamingMode {
	value, _ := FindAnnotation(f.Annotations, streamingAnnotation)
	return streamingModes[value]
}

// streaming checks the annotation, and that the messages of a stream have types that they can have.
func (c *checker) streaming(f *Function) {
	for _, a := range f.Annotations {
		if a.Name != streamingAnnotation {
			continue
		}
		if _, known := streamingModes[a.Value]; !known {
			c.report.errorf(a.Position, `write "bidirectional", "client", "server" or "unary"`,
				"the function %s has the unknown %s '%s'", f.Name, streamingAnnotation, a.Value)
		}
	}
	if f.Streaming() == NotStreaming {
		return
	}
	if len(f.Arguments) != 1 {
		c.report.errorf(f.NamePosition, "put all of them into one struct", "the stream %s has %d arguments, where one is each request", f.Name, len(f.Arguments))
	} else if a := f.Arguments[0]; isNoStruct(a.Type) {
		c.report.errorf(a.Type.Position, "put it into a struct", "the stream %s has requests of the type %s, which is no struct", f.Name, a.Type)
	}
	switch {
	case f.Oneway:
		c.report.errorf(f.NamePosition, "remove 'oneway'", "the stream %s is oneway", f.Name)
	case f.Result == nil:
		c.report.errorf(f.NamePosition, "let it return a struct, which may be empty", "the stream %s has no type of responses", f.Name)
	case isNoStruct(f.Result):
		c.report.errorf(f.Result.Position, "put it into a struct", "the stream %s has responses of the type %s, which is no struct", f.Name, f.Result)
	}
	if len(f.Throws) > 0 {
		c.report.warnf(f.Throws[0].Position, "tell errors in responses", "the stream %s throws, but a stream tells exceptions by their text alone", f.Name)
	}
}

// isNoStruct reports whether a type is known and is not a struct.
func isNoStruct(t *Type) bool {
	isUnknown := t.Kind == Named && t.Target == nil
	return !isUnknown && t.Struct() == nil
}
