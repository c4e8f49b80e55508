struct Point { unsigned long x, y; };
unsigned long turn(const Point& point);
unsigned long turn(const Point& point) { return (point.x << 7 | point.x >> 57) + point.y; }
