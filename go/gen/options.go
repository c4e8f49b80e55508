package gen

import "errors"

// Options say what is generated beside structs, their codec and services.
type Options struct {
	// Runtime is the import path of package thrift.
	Runtime string
	// Prefix is the import path of the directory that the packages are written to.
	Prefix string
	// Names is how names of the IDL become names of Go.
	Names Naming
	// JSON is how names of the IDL become those of the tag json.
	JSON JSONNames
	// Setters adds SetX for each field.
	Setters bool
	// DeepEqual adds DeepEqual for each struct.
	DeepEqual bool
	// DeepCopy adds DeepCopy for each struct.
	DeepCopy bool
	// KeepUnknown keeps fields that the IDL does not have, and writes them again.
	KeepUnknown bool
	// Values makes elements of containers structs instead of pointers to structs.
	Values bool
	// FastCodec adds the methods that Kitex calls: BLength, FastRead, FastWrite, FastWriteNocopy.
	FastCodec bool
	// Apache adds the methods that Apache's module calls: Read and Write by a TProtocol.
	Apache ApacheVersion
	// ApacheModule is the import path of Apache's package thrift.
	ApacheModule string
}

// ApacheVersion says which of Apache's modules is meant: its interfaces changed once.
type ApacheVersion string

// All versions. Without one nothing is generated for Apache's module.
const (
	NoApache ApacheVersion = ""
	// Apache013 is for modules up to 0.13, such as those that Kitex and thriftgo use.
	Apache013 ApacheVersion = "0.13"
	// Apache014 is for modules since 0.14, whose methods take a context.
	Apache014 ApacheVersion = "0.14"
)

// String is the version; "" for none. With Set, it makes the type a flag's.
func (v *ApacheVersion) String() string { return string(*v) }

// Set takes a version.
func (v *ApacheVersion) Set(text string) error {
	switch version := ApacheVersion(text); version {
	case NoApache, Apache013, Apache014:
		*v = version
		return nil
	}
	return errors.New("it is 0.13 or 0.14")
}

// DefaultApache is the import path of Apache's package thrift.
const DefaultApache = "github.com/apache/thrift/lib/go/thrift"

// DefaultRuntime is the import path of this module's package thrift.
const DefaultRuntime = "hone/go/thrift"

func (o Options) runtime() string {
	if o.Runtime == "" {
		return DefaultRuntime
	}
	return o.Runtime
}
