// Package protogen writes the code of protoc-gen-hone: beside the structs of protoc-gen-go, methods that read and write them without reflection, and services. Package
// hone/go/proto has what the code of messages calls, and says how it works; package hone/go/rpc has what that of services calls.
package protogen
