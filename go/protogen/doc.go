// Package protogen writes the code of protoc-gen-hone: beside the structs of protoc-gen-go, methods that read and write them without reflection. Package
// hone/go/proto has what this code calls, and says how it works.
package protogen
