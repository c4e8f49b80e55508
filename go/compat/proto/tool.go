//go:build tools

package proto

// The code whose definitions the tests use.
import _ "go.opentelemetry.io/proto/otlp/trace/v1"
