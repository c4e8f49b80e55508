// Trains on objects and numbers: prototypes, closures, arrays, a sieve, exceptions.
var rounds = 90;
var state = 24635342;

function between(low, high) {
  state = state * 16807 % 2147483647;
  return low + state % (high - low + 1);
}

function Shape(x, y) {
  this.x = x;
  this.y = y;
}
Shape.prototype.move = function (dx, dy) {
  this.x += dx;
  this.y += dy;
  return this;
};
function Box(x, y, w, h) {
  Shape.call(this, x, y);
  this.w = w;
  this.h = h;
}
Box.prototype = Object.create(Shape.prototype);
Box.prototype.area = function () {
  return this.w * this.h;
};
function Disc(x, y, r) {
  Shape.call(this, x, y);
  this.r = r;
}
Disc.prototype = Object.create(Shape.prototype);
Disc.prototype.area = function () {
  return 3.25 * this.r * this.r;
};

function shapes(count) {
  var list = [], sum = 0;
  for (var i = 0; i < count; i++) {
    list.push(between(0, 2) ? new Box(i, i, between(1, 9), between(1, 9)) : new Disc(i, -i, between(1, 9)));
  }
  for (var pass = 1; pass <= 4; pass++) {
    for (i = 0; i < list.length; i++) {
      sum += list[i].move(pass, -pass).area() + list[i].x;
    }
  }
  return sum;
}

function sieve(n) {
  var composite = [], count = 0;
  for (var i = 0; i <= n; i++) {
    composite.push(false);
  }
  for (i = 2; i <= n; i++) {
    if (!composite[i]) {
      count++;
      for (var j = i * i; j <= n; j += i) {
        composite[j] = true;
      }
    }
  }
  return count;
}

function compose(n) {
  var f = function (x) { return x; };
  function then(g, add) {
    return function (x) { return g(x) + add; };
  }
  for (var i = 0; i < 20; i++) {
    f = then(f, i);
  }
  var sum = 0;
  for (i = 0; i < n; i++) {
    sum += f(i);
  }
  return sum;
}

function failing(n) {
  var caught = 0;
  for (var i = 0; i < n; i++) {
    try {
      if (i % 3 === 0) {
        throw new Error("third");
      }
      caught += [i, i + 1].filter(function (x) { return x & 1; }).length;
    } catch (e) {
      caught += e.message.length;
    }
  }
  return caught;
}

var total = 0;
for (var round = 0; round < rounds; round++) {
  total += shapes(3000) + sieve(30000) + compose(2000) + failing(3000);
}
print("train-objects", total);
