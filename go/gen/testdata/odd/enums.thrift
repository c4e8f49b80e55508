namespace go odd.enums
enum Some { A, B = 3 }
enum None {}
