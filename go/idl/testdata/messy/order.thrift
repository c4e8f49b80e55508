/* header */ namespace go a.b
namespace   py c


include "x.thrift"   // beside
# unix
typedef   map < string ,list<i32> >   M  (a="b",c) ;
struct A{1:i32 a;2:optional string b="x",// of b
// of c
3: required list< A > c (x = "1"   y = "2")
-1:i32 d


   /*  doc
     *  of e
   */
4:A&e}
// of B
struct B {}
enum E{A B=2;C=0x3 (x)
/* last */}
const map<string,list<i32>> T={"a":[1;2 3],"b":[
4]}
const list<i32> L = [ // numbers
1, 2
/* tail */ ];
exception X { /* nothing */ }

service S extends other.T{void f(),oneway void g(1:i32 a;2:i32 b)
A h(
1: i32 a, /* of b */ 2: i32 b) throws(1:X x)(deprecated)// of h
;

}(x="y")
// the end
