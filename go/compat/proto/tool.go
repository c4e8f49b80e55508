//go:build tools

package proto

// Code whose definitions the tests take.
import _ "go.opentelemetry.io/proto/otlp/trace/v1"
