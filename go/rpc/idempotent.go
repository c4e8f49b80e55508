package rpc

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// levels says, by the paths of methods, whether a method may run twice for one call, as its definition says. It is a copy from protobuf's registry,
// which takes longer to search. It is replaced when a method is called for the first time.
var (
	levels   atomic.Pointer[map[string]bool]
	levelsMu sync.Mutex
)

// isIdempotent reports whether a .proto file says that a method, /SERVICE/METHOD, may run twice for one call:
// option idempotency_level = IDEMPOTENT or NO_SIDE_EFFECTS. Code of protoc-gen-go puts this into the registry.
func isIdempotent(path string) bool {
	if known := levels.Load(); known != nil {
		if is, ok := (*known)[path]; ok {
			return is
		}
	}
	name := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	method, isMethod := found.(protoreflect.MethodDescriptor)
	if err != nil || !isMethod {
		// The name is not kept: a program that passes calls on may be asked for any name.
		return false
	}
	options, _ := method.Options().(*descriptorpb.MethodOptions)
	level := options.GetIdempotencyLevel()
	is := level == descriptorpb.MethodOptions_IDEMPOTENT || level == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
	levelsMu.Lock()
	defer levelsMu.Unlock()
	known := map[string]bool{path: is}
	if before := levels.Load(); before != nil {
		maps.Copy(known, *before)
	}
	levels.Store(&known)
	return is
}
