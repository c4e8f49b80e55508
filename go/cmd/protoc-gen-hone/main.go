// Command protoc-gen-hone is a plugin of protoc and buf. Beside the structs of protoc-gen-go it writes methods that read and write these structs
// without reflection, and services for package rpc.
package main

import (
	google "google.golang.org/protobuf/compiler/protogen"
	"hone/go/protogen"
)

func main() {
	var options protogen.Options
	google.Options{ParamFunc: options.Set}.Run(options.Generate)
}
