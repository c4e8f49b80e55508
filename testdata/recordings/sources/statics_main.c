unsigned long one(unsigned long), two(unsigned long);
int main(void) { return one(two(1)) == 0; }
