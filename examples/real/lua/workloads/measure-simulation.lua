-- Measured: a discrete-event simulation of a shop's queues: a binary heap of events, records,
-- handlers found in a table.
-- usage: lua measure-simulation.lua HOURS
local directory = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = directory .. "/?.lua;" .. package.path
local Random = require("random")
local hours = tonumber(arg[1]) or 1
local random = Random.new(521288629)

local Heap = {}
Heap.__index = Heap
function Heap.new()
  return setmetatable({ size = 0 }, Heap)
end
local function before(a, b)
  if a.time ~= b.time then
    return a.time < b.time
  end
  return a.order < b.order
end
function Heap:push(event)
  self.size = self.size + 1
  local at = self.size
  while at > 1 do
    local parent = at // 2
    if not before(event, self[parent]) then
      break
    end
    self[at] = self[parent]
    at = parent
  end
  self[at] = event
end
function Heap:pop()
  local top, last = self[1], self[self.size]
  self[self.size] = nil
  self.size = self.size - 1
  local at = 1
  while at * 2 <= self.size do
    local child = at * 2
    if child < self.size and before(self[child + 1], self[child]) then
      child = child + 1
    end
    if not before(self[child], last) then
      break
    end
    self[at] = self[child]
    at = child
  end
  if self.size > 0 then
    self[at] = last
  end
  return top
end

local shop = { events = Heap.new(), order = 0, tills = {}, served = 0, lost = 0, waited = 0.0 }
for i = 1, 6 do
  shop.tills[i] = { queue = {}, head = 1, tail = 0, busy = false, speed = 40 + 5 * i, takings = 0 }
end

function shop:at(time, kind, data)
  self.order = self.order + 1
  self.events:push({ time = time, order = self.order, kind = kind, data = data })
end

local function shortest(tills)
  local best
  for _, till in ipairs(tills) do
    if not best or till.tail - till.head < best.tail - best.head then
      best = till
    end
  end
  return best
end

local handlers = {}
function handlers.arrive(self, now, customer)
  self:at(now + random:between(60, 600), "queue", customer)
  self:at(now + random:between(1, 7), "arrive", { items = random:between(1, 30), since = 0 })
end
function handlers.queue(self, now, customer)
  local till = shortest(self.tills)
  if till.tail - till.head > 12 then
    self.lost = self.lost + 1
    return
  end
  customer.since = now
  till.tail = till.tail + 1
  till.queue[till.tail] = customer
  if not till.busy then
    till.busy = true
    self:at(now, "serve", till)
  end
end
function handlers.serve(self, now, till)
  local customer = till.queue[till.head]
  if not customer then
    till.busy = false
    return
  end
  till.queue[till.head] = nil
  till.head = till.head + 1
  self.served = self.served + 1
  self.waited = self.waited + (now - customer.since)
  till.takings = till.takings + customer.items * 2.75
  self:at(now + 10 + customer.items * 60 // till.speed, "serve", till)
end

shop:at(0, "arrive", { items = 3, since = 0 })
local stop = hours * 3600
while shop.events.size > 0 and shop.events[1].time < stop do
  local event = shop.events:pop()
  handlers[event.kind](shop, event.time, event.data)
end
local takings = 0
for _, till in ipairs(shop.tills) do
  takings = takings + till.takings
end
print("measure-simulation", shop.served, shop.lost, string.format("%.1f %.2f", shop.waited, takings))
