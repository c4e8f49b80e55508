package idl

// These are the limits on sources.
const (
	// MaxSourceBytes is the largest file in bytes.
	MaxSourceBytes = 16 << 20
	// MaxNesting is the deepest nesting of types within types and constants within constants.
	MaxNesting = 64
	// MaxFiles is the largest number of files of one program.
	MaxFiles = 4096
	// MaxTypedefs is the longest line of typedefs of typedefs, and of constants that name constants.
	MaxTypedefs = 1024
	// MaxTypes is the largest number of types that a type is made of, with typedefs replaced by the types that they name.
	MaxTypes = 1024
	// MaxValues is the largest number of values that the constants and defaults of a file are made of, with constants replaced by the
	// values that they name.
	MaxValues = 1 << 20
	// MaxProblems is the largest number of errors, and of warnings, that are reported for one file. The last one says that there are
	// more.
	MaxProblems = 100
)
