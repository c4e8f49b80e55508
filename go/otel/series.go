package otelrpc

import (
	"net"
	"strconv"
	"strings"
	"unicode"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"hone/go/rpc"
	"hone/go/rpc/metrics"
)

// series holds the common data of a function's calls that end alike, made once for all of them.
type series struct {
	// name and start describe the function alone, ended and isFailure the end of the calls.
	name  string
	start []trace.SpanStartOption
	ended []attribute.KeyValue
	// isFailure is true if the side of the call counts its end as an error.
	isFailure bool
	record    []metric.RecordOption
}

// fallbackKey is true for calls that a fallback has answered. Their code is that of the error that the fallback replaced.
const fallbackKey = attribute.Key("hone.rpc.fallback")

// newSeries returns the series of an RPC system, which has its name in the semantic conventions.
func newSeries(system string) *metrics.Series[series] {
	return metrics.NewSeries(func(k metrics.Key) *series {
		made := &series{name: k.Method, isFailure: isFailure(k.Side, k.Code)}
		if k.Service != "" {
			made.name = k.Service + "/" + k.Method
		}
		function := []attribute.KeyValue{semconv.RPCSystemNameKey.String(system), semconv.RPCMethod(made.name)}
		made.start = []trace.SpanStartOption{trace.WithSpanKind(kindOf(k.Side)), trace.WithAttributes(function...)}
		made.ended = []attribute.KeyValue{semconv.RPCResponseStatusCode(nameOf(k.Code))}
		if made.isFailure {
			made.ended = append(made.ended, semconv.ErrorTypeKey.String(nameOf(k.Code)))
		}
		if k.IsFallback {
			made.ended = append(made.ended, fallbackKey.Bool(true))
		}
		made.record = []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(append(function, made.ended...)...))}
		return made
	})
}

// end writes the end of a call into its span. A failure without an error is a panic, which is passed on.
func (s *series) end(span trace.Span, err error) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(s.ended...)
	switch {
	case !s.isFailure:
	case err == nil:
		span.SetStatus(codes.Error, "panic")
	default:
		span.RecordError(err)
		span.SetStatus(codes.Error, err.Error())
	}
}

func kindOf(side rpc.Side) trace.SpanKind {
	if side == rpc.ServerSide {
		return trace.SpanKindServer
	}
	return trace.SpanKindClient
}

// isFailure reports whether a code is an error to a side: all codes but OK are errors to a client, and only its own faults to a server
// (https://opentelemetry.io/docs/specs/semconv/rpc/grpc/).
func isFailure(side rpc.Side, code rpc.Code) bool {
	if side == rpc.ClientSide {
		return code != rpc.OK
	}
	switch code {
	case rpc.Unknown, rpc.DeadlineExceeded, rpc.Unimplemented, rpc.Internal, rpc.Unavailable, rpc.DataLoss:
		return true
	}
	return false
}

// nameOf returns a code's name as gRPC writes it, such as DEADLINE_EXCEEDED.
func nameOf(code rpc.Code) string {
	switch {
	case code == rpc.OK:
		return "OK"
	case code == rpc.Canceled:
		return "CANCELLED"
	case code > rpc.Unauthenticated:
		return strconv.FormatUint(uint64(code), 10)
	}
	var name strings.Builder
	for i, letter := range code.String() {
		if i > 0 && unicode.IsUpper(letter) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToUpper(letter))
	}
	return name.String()
}

// otherSide returns the address of the server that a client calls, or of the caller of a server. Callers by a Unix socket have no address.
func otherSide(call *rpc.Call) []attribute.KeyValue {
	if call.Side == rpc.ClientSide {
		return hostAndPort(call.Target, semconv.ServerAddressKey, semconv.ServerPortKey)
	}
	if call.Address == nil || call.Address.Network() == "unix" {
		return nil
	}
	return hostAndPort(call.Address.String(), semconv.NetworkPeerAddressKey, semconv.NetworkPeerPortKey)
}

// hostAndPort returns the attributes of an address. Text of another form, such as the name of a service or several addresses, becomes the host
// unchanged.
func hostAndPort(address string, hostKey, portKey attribute.Key) []attribute.KeyValue {
	if strings.Contains(address, ",") {
		return []attribute.KeyValue{hostKey.String(address)}
	}
	if _, behind, hasScheme := strings.Cut(address, "://"); hasScheme {
		address = behind
	}
	host, portText, err := net.SplitHostPort(strings.TrimPrefix(address, "/"))
	port, portErr := strconv.Atoi(portText)
	if err != nil || portErr != nil {
		return []attribute.KeyValue{hostKey.String(address)}
	}
	return []attribute.KeyValue{hostKey.String(host), portKey.Int(port)}
}
