// Packages whose names are words of Go, and of generated code.
namespace go odd.type
struct Value { 1: i32 a }
