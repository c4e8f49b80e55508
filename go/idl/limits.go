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
	// MaxProblems bounds the problems that are told of one file; the last one
	// says that there are more.
	MaxProblems = 100
)
