// A newer build, in which functions have their calls at other lines or another name.
__attribute__((noinline)) int one(int x) { return x ^ 5; }
__attribute__((noinline)) int two(int x) { return x * 7; }
__attribute__((noinline)) int moved(int x) {
    // These two lines
    // are new.
    x += one(x);
    x += two(x);
    return x;
}
__attribute__((noinline)) int new_name(int x) {
    x = one(x);
    return two(x) + 1;
}
int main(int argc, char **argv) { return moved(argc) + new_name(argc); }
