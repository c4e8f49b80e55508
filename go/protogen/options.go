package protogen

import "fmt"

// Options are the plugin's options beside those of all Go plugins.
type Options struct{ Services Services }

// Services is where the code of services goes.
type Services uint8

// All places.
const (
	// Beside is the package of the messages.
	Beside Services = iota
	// Apart is a package of their own below that of the messages, for those whose package has the code of another plugin for services, such as
	// protoc-gen-go-grpc, which has the same names: example.com/hello/v1/hellov1rpc.
	Apart
	// Off writes none.
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
