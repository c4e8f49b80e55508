// 512 small functions, for declaring, defining or calling each of them.
#define EACH_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH_64(X, n) EACH_8(X, n##0) EACH_8(X, n##1) EACH_8(X, n##2) EACH_8(X, n##3) \
    EACH_8(X, n##4) EACH_8(X, n##5) EACH_8(X, n##6) EACH_8(X, n##7)
#define EACH(X) EACH_64(X, 1) EACH_64(X, 2) EACH_64(X, 3) EACH_64(X, 4) EACH_64(X, 5) EACH_64(X, 6) EACH_64(X, 7) \
    EACH_64(X, 8)
#define DECLARE(n) unsigned long step##n(unsigned long x);
EACH(DECLARE)
