include "main.thrift"
namespace go odd.ofmain
struct Holder { 1: main.Value value }
