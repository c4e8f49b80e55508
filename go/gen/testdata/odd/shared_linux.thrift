include "shared_test.thrift"
namespace go odd.shared
struct thing { 1: list<shared_test.Thing> things, 2: map<i32, list<i64>> numbers }
struct ThingClient { 1: i32 a }
struct NewThing { 1: i32 a }
enum kind { a }
struct KindPtr { 1: i32 a }
struct kindFromString { 1: kind a }
service Thing_ { thing get() }
