package reflection

// text is the definition of gRPC's reflection (https://github.com/grpc/grpc-proto/blob/master/grpc/reflection/v1/reflection.proto).
// The two versions differ only in their names.
const text = `
name: "grpc/reflection/VERSION/reflection.proto" package: "grpc.reflection.VERSION" syntax: "proto3"
message_type {
  name: "ServerReflectionRequest"
  oneof_decl { name: "message_request" }
  field { name: "host" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "file_by_filename" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "file_containing_symbol" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "file_containing_extension" number: 5 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ExtensionRequest" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "all_extension_numbers_of_type" number: 6 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "list_services" number: 7 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
}
message_type {
  name: "ExtensionRequest"
  field { name: "containing_type" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "extension_number" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL }
}
message_type {
  name: "ServerReflectionResponse"
  oneof_decl { name: "message_response" }
  field { name: "valid_host" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "original_request" number: 2 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ServerReflectionRequest" label: LABEL_OPTIONAL }
  field { name: "file_descriptor_response" number: 4 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.FileDescriptorResponse" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "all_extension_numbers_response" number: 5 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ExtensionNumberResponse" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "list_services_response" number: 6 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ListServiceResponse" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "error_response" number: 7 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ErrorResponse" label: LABEL_OPTIONAL oneof_index: 0 }
}
message_type {
  name: "FileDescriptorResponse"
  field { name: "file_descriptor_proto" number: 1 type: TYPE_BYTES label: LABEL_REPEATED }
}
message_type {
  name: "ExtensionNumberResponse"
  field { name: "base_type_name" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "extension_number" number: 2 type: TYPE_INT32 label: LABEL_REPEATED }
}
message_type {
  name: "ListServiceResponse"
  field { name: "service" number: 1 type: TYPE_MESSAGE type_name: ".grpc.reflection.VERSION.ServiceResponse" label: LABEL_REPEATED }
}
message_type {
  name: "ServiceResponse"
  field { name: "name" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
}
message_type {
  name: "ErrorResponse"
  field { name: "error_code" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
  field { name: "error_message" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
}
service {
  name: "ServerReflection"
  method {
    name: "ServerReflectionInfo" client_streaming: true server_streaming: true
    input_type: ".grpc.reflection.VERSION.ServerReflectionRequest" output_type: ".grpc.reflection.VERSION.ServerReflectionResponse"
  }
}
`
