package gen

import "errors"

// Options say what is generated besides structs, their codec and services.
type Options struct {
	// Runtime is the import path of package thrift.
	Runtime string
	// Prefix is the import path of the directory that the packages are written to.
	Prefix string
	// Names says how names of the IDL become names of Go.
	Names Naming
	// JSON says how names of the IDL become names in the json tag.
	JSON JSONNames
	// Setters adds a method SetX for each field.
	Setters bool
	// DeepEqual adds a method DeepEqual for each struct.
	DeepEqual bool
	// DeepCopy adds a method DeepCopy for each struct.
	DeepCopy bool
	// KeepUnknown makes structs keep fields that the IDL does not have, and write them again.
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

// ApacheVersion names one of two sorts of Apache's module: its interfaces changed once.
type ApacheVersion string

// These are all versions. Without one, nothing is generated for Apache's module.
const (
	NoApache ApacheVersion = ""
	// Apache013 is for modules up to 0.13, such as those that Kitex and thriftgo use.
	Apache013 ApacheVersion = "0.13"
	// Apache014 is for modules since 0.14, whose methods take a context.
	Apache014 ApacheVersion = "0.14"
)

// String returns the version; "" for none. With Set, it makes the type usable for a flag.
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
