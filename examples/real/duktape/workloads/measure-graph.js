// Measured: shortest paths over a random road network with a binary heap, and a table of the results.
var rounds = 80;
var state = 52128862;

function between(low, high) {
  state = state * 16807 % 2147483647;
  return low + state % (high - low + 1);
}

function Heap() {
  this.items = [];
}
Heap.prototype.push = function (item) {
  var items = this.items, at = items.length;
  items.push(item);
  while (at > 0) {
    var parent = (at - 1) >> 1;
    if (items[parent].cost <= item.cost) {
      break;
    }
    items[at] = items[parent];
    at = parent;
  }
  items[at] = item;
};
Heap.prototype.pop = function () {
  var items = this.items, top = items[0], last = items.pop(), size = items.length, at = 0;
  while (2 * at + 1 < size) {
    var child = 2 * at + 1;
    if (child + 1 < size && items[child + 1].cost < items[child].cost) {
      child++;
    }
    if (last.cost <= items[child].cost) {
      break;
    }
    items[at] = items[child];
    at = child;
  }
  if (size > 0) {
    items[at] = last;
  }
  return top;
};

function makeTowns(count) {
  var towns = [];
  for (var i = 0; i < count; i++) {
    towns.push({ name: "town" + i, roads: [], cost: Infinity, from: null });
  }
  for (i = 0; i < count; i++) {
    for (var road = 0; road < 4; road++) {
      var other = towns[(i + between(1, road < 3 ? 20 : count - 1)) % count];
      var length = between(1, 100);
      towns[i].roads.push({ to: other, length: length });
      other.roads.push({ to: towns[i], length: length });
    }
  }
  return towns;
}

function shortestPaths(towns, start) {
  var heap = new Heap();
  towns.forEach(function (town) {
    town.cost = Infinity;
    town.from = null;
  });
  start.cost = 0;
  heap.push({ town: start, cost: 0 });
  while (heap.items.length > 0) {
    var best = heap.pop(), town = best.town;
    if (best.cost > town.cost) {
      continue;
    }
    for (var i = 0; i < town.roads.length; i++) {
      var road = town.roads[i], cost = town.cost + road.length;
      if (cost < road.to.cost) {
        road.to.cost = cost;
        road.to.from = town;
        heap.push({ town: road.to, cost: cost });
      }
    }
  }
}

function describe(town) {
  var names = [];
  for (var at = town; at; at = at.from) {
    names.unshift(at.name);
  }
  return names.join(" > ") + ": " + town.cost;
}

var towns = makeTowns(1500), total = 0;
for (var round = 0; round < rounds; round++) {
  shortestPaths(towns, towns[between(0, towns.length - 1)]);
  for (var i = 0; i < towns.length; i += 3) {
    var text = describe(towns[i]);
    total = (total * 31 + text.length + towns[i].cost) % 1000003;
  }
}
print("measure-graph", total);
