#include "stubs.h"

#define DEFINE(n) unsigned long step##n(unsigned long x) { return x + 1; }
EACH(DEFINE)
