package idl

// group says, for the formatter, what a bracket opens.
type group uint8

const (
	noGroup group = iota
	// blockGroup holds one statement a line: the body of a struct, enum or service.
	blockGroup
	// listGroup holds elements on one line or one a line: arguments, annotations, constants.
	listGroup
)

// layout is the parser's knowledge of a token's place in the syntax. The formatter works on tokens with these marks, and so cannot
// lose any of them.
type layout struct {
	// separator is a `,` or `;` that the language does not need.
	separator bool
	// starts and ends mark the first and last token of a statement or element.
	starts, ends bool
	// opens and closes mark the brackets of a group.
	opens  group
	closes bool
	// tight says that no blank goes before the token.
	tight bool
	// definition marks the first token of a definition that has a body.
	definition bool
	// ended marks the last token of a definition that has a body.
	ended bool
}
