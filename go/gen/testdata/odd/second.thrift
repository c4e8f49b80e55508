include "first.thrift"
include "words.thrift"
include "list.thrift"
namespace go odd.two.base
struct Context { 1: first.Context other, 2: list<first.Context> others, 3: list<Context> own, 4: list<words.Value> words, 5: list<list.Value> values }
struct BaseContext { 1: list<BaseContext> own, 2: list<list.E> enums, 3: map<list.E, list.Value> by, 4: optional list.E e }
exception Wrong { 1: list<i32> items }
service Child extends first.Parent { list<list.Value> all(1: list.Value value, 2: first.Context base) throws (1: Wrong wrong) }

