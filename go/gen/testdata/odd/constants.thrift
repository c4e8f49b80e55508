namespace go odd.constants
const i32 A = 1
const list<string> B = ["a"]
const uuid C = "00112233-4455-6677-8899-aabbccddeeff"
