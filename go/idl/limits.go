package idl

// What the package accepts from outside.
const (
	// MaxSourceBytes bounds one file.
	MaxSourceBytes = 16 << 20
	// MaxNesting bounds types within types and constants within constants.
	MaxNesting = 64
	// MaxFiles bounds the files of one program.
	MaxFiles = 4096
	// MaxTypedefs bounds typedefs of typedefs, and constants that name constants.
	MaxTypedefs = 1024
	// MaxTypes bounds the types that one is made of, with typedefs replaced by what they name.
	MaxTypes = 1024
	// MaxValues bounds the values that the constants and defaults of a file are made of, with constants replaced by what they name.
	MaxValues = 1 << 20
	// MaxProblems bounds the errors that are told of one file, and the warnings; the last one says that there are more.
	MaxProblems = 100
)
