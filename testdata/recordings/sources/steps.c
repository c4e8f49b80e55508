int step(int x) { return x % 3 ? x * 5 : x / 3; }
int turn(int x) { return x ^ 5; }
int main(int argc, char **argv) { return step(argc) + turn(argc); }
