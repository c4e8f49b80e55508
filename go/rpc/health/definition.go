package health

import (
	"sync"

	"hone/go/rpc/internal/definition"
)

// file is the definition of gRPC's health checking (https://github.com/grpc/grpc-proto/blob/master/grpc/health/v1/health.proto).
var file = sync.OnceValue(func() definition.File { return definition.Parse(text) })

const text = `
name: "grpc/health/v1/health.proto" package: "grpc.health.v1" syntax: "proto3"
message_type { name: "HealthCheckRequest" field { name: "service" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL } }
message_type {
  name: "HealthCheckResponse"
  field { name: "status" number: 1 type: TYPE_ENUM type_name: ".grpc.health.v1.HealthCheckResponse.ServingStatus" label: LABEL_OPTIONAL }
  enum_type {
    name: "ServingStatus"
    value { name: "UNKNOWN" number: 0 }
    value { name: "SERVING" number: 1 }
    value { name: "NOT_SERVING" number: 2 }
    value { name: "SERVICE_UNKNOWN" number: 3 }
  }
}
message_type { name: "HealthListRequest" }
message_type {
  name: "HealthListResponse"
  field { name: "statuses" number: 1 type: TYPE_MESSAGE type_name: ".grpc.health.v1.HealthListResponse.StatusesEntry" label: LABEL_REPEATED }
  nested_type {
    name: "StatusesEntry"
    field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".grpc.health.v1.HealthCheckResponse" label: LABEL_OPTIONAL }
    options { map_entry: true }
  }
}
service {
  name: "Health"
  method { name: "Check" input_type: ".grpc.health.v1.HealthCheckRequest" output_type: ".grpc.health.v1.HealthCheckResponse" }
  method { name: "List" input_type: ".grpc.health.v1.HealthListRequest" output_type: ".grpc.health.v1.HealthListResponse" }
  method { name: "Watch" input_type: ".grpc.health.v1.HealthCheckRequest" output_type: ".grpc.health.v1.HealthCheckResponse" server_streaming: true }
}
`
