package protogen

import "fmt"

// Options are the user's options of this plugin, beside the options that all Go plugins have.
type Options struct{ Services Services }

// Services is the place where the code of services is written.
type Services uint8

// These are all places.
const (
	// Beside is the Go package of the messages.
	Beside Services = iota
	// Apart is a package of its own below the package of the messages, such as example.com/hello/v1/hellov1rpc. It is for messages whose package has
	// the code of another plugin for services, such as protoc-gen-go-grpc, which uses the same names.
	Apart
	// Off writes no services.
	Off
)

// Set takes an option as protoc passes it: services=on, services=package or services=off.
func (o *Options) Set(name, value string) error {
	if name != "services" {
		return fmt.Errorf("option %q is not known; protoc-gen-hone knows services, and those of all Go plugins: paths, module, M, default_api_level", name)
	}
	switch value {
	case "on":
		o.Services = Beside
	case "package":
		o.Services = Apart
	case "off":
		o.Services = Off
	default:
		return fmt.Errorf("services=%s is not known; write services=on, services=package or services=off", value)
	}
	return nil
}
