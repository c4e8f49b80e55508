-- Trains on objects and numbers: classes with inheritance, closures, coroutines, a matrix, a sieve.
-- usage: lua train-objects.lua ROUNDS
local directory = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = directory .. "/?.lua;" .. package.path
local Random = require("random")
local rounds = tonumber(arg[1]) or 1
local random = Random.new(2463534242)

local function class(parent)
  local c = {}
  c.__index = c
  return setmetatable(c, {
    __index = parent,
    __call = function(self, ...)
      local object = setmetatable({}, self)
      object:init(...)
      return object
    end,
  })
end

local Shape = class()
function Shape:init(x, y)
  self.x, self.y = x, y
end
function Shape:moved(dx, dy)
  self.x, self.y = self.x + dx, self.y + dy
  return self
end
function Shape:area()
  return 0
end
local Box = class(Shape)
function Box:init(x, y, w, h)
  Shape.init(self, x, y)
  self.w, self.h = w, h
end
function Box:area()
  return self.w * self.h
end
local Disc = class(Shape)
function Disc:init(x, y, r)
  Shape.init(self, x, y)
  self.r = r
end
function Disc:area()
  return 3.25 * self.r * self.r
end

local function shapes(count)
  local list, sum = {}, 0
  for i = 1, count do
    if random:between(0, 2) == 0 then
      list[i] = Disc(i, -i, random:between(1, 9))
    else
      list[i] = Box(i, i, random:between(1, 9), random:between(1, 9))
    end
  end
  for pass = 1, 4 do
    for _, shape in ipairs(list) do
      sum = sum + shape:moved(pass, -pass):area() + shape.x
    end
  end
  return sum
end

local function multiply(n)
  local a, b, c = {}, {}, {}
  for i = 1, n do
    a[i], b[i], c[i] = {}, {}, {}
    for j = 1, n do
      a[i][j], b[i][j] = i + j, i - j + 0.5
    end
  end
  for i = 1, n do
    local ai, ci = a[i], c[i]
    for j = 1, n do
      local sum = 0
      for k = 1, n do
        sum = sum + ai[k] * b[k][j]
      end
      ci[j] = sum
    end
  end
  return c[n][n]
end

local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do
        composite[j] = true
      end
    end
  end
  return count
end

local function pipeline(n)
  local function source()
    for i = 1, n do
      coroutine.yield(i)
    end
  end
  local function filter(from)
    return coroutine.wrap(function()
      for value in from do
        if value % 3 ~= 0 then
          coroutine.yield(value * value)
        end
      end
    end)
  end
  local sum = 0
  for value in filter(coroutine.wrap(source)) do
    sum = sum + value
  end
  return sum
end

local function compose(n)
  local f = function(x)
    return x
  end
  for i = 1, 20 do
    local g = f
    f = function(x)
      return g(x) + i
    end
  end
  local sum = 0
  for i = 1, n do
    sum = sum + f(i)
  end
  return sum
end

local total = 0
for _ = 1, rounds do
  total = total + shapes(4000) + multiply(50) + sieve(40000) + pipeline(8000) + compose(4000)
end
print("train-objects", string.format("%.2f", total))
