// Package protogen writes the code of protoc-gen-hone, beside the structs of protoc-gen-go: methods that read and write these structs without
// reflection, and services. The code of messages calls package hone/go/proto, whose documentation describes how that code works. The code of services
// calls package hone/go/rpc.
package protogen
