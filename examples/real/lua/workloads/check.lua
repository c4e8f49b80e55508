-- Checks an interpreter: language, libraries, collector. Ends with an error at the first wrong
-- answer.
local checks = 0
local function check(condition, what)
  checks = checks + 1
  if not condition then
    error("wrong: " .. what, 2)
  end
end

-- numbers
check(7 // 2 == 3 and -7 // 2 == -4 and 7 % -3 == -2, "floor division")
check(7.5 // 2 == 3.0 and -7.5 % 2 == 0.5, "float division")
check(math.maxinteger + 1 == math.mininteger, "integers wrap around")
check(1 << 63 == math.mininteger and 1 << 64 == 0 and -1 >> 60 == 15, "shifts")
check(0x7fffffffffffffff // -1 == -math.maxinteger, "integer limits")
check(math.type(3) == "integer" and math.type(3.0) == "float", "number types")
check(2 ^ 53 == 9007199254740992.0 and 10 / 2 == 5.0, "powers")
check(tostring(1e15) == "1e+15" and tostring(-0.0) == "-0.0", "numbers as text")
check(tonumber("0x10") == 16 and tonumber("z", 36) == 35 and not tonumber("1x"), "text as numbers")
check(math.tointeger(3.0) == 3 and not math.tointeger(3.5), "conversion")
check(0 / 0 ~= 0 / 0 and 1 / 0 > math.maxinteger, "not a number, infinity")
check(3 < 3.5 and math.maxinteger < math.maxinteger + 0.0, "mixed comparison")

-- strings
check(("x"):rep(3, ",") == "x,x,x" and ("abc"):sub(-2) == "bc", "strings")
check(("hello world"):find("o w") == 5 and ("a.b"):find(".", 1, true) == 2, "find")
check(("k=v, k2=v2"):gsub("(%w+)=(%w+)", "%2=%1") == "v=k, v2=k2", "gsub")
check(("THE (quick) fox"):match("%((%a+)%)") == "quick", "match")
check(("[[x]]"):match("%b[]") == "[[x]]" and ("THE"):find("%f[%a]%a+%f[%A]") == 1, "patterns")
check(string.format("%5.2f|%-4d|%q|%x", 3.14159, 7, "a\nb", 255) == " 3.14|7   |\"a\\\nb\"|ff", "format")
check(string.pack("<i4", 258) == "\2\1\0\0" and string.unpack(">I2", "\1\2") == 258, "pack")
check(utf8.char(8364) == "\u{20AC}" and utf8.len("a\u{20AC}b") == 3, "utf8")
check(#table.concat({ 1, 2.5, "x" }, "-") == 7, "concat")
check("a" < "b" and "a" < "aa" and not ("b" < "aa"), "order of strings")

-- tables
local list = { 5, 2, 8, 1 }
table.sort(list)
check(table.concat(list, " ") == "1 2 5 8", "sort")
table.insert(list, 2, 9)
check(table.remove(list) == 8 and list[2] == 9 and #list == 4, "insert and remove")
check(select("#", table.unpack({ 1, nil, 3 }, 1, 3)) == 3, "unpack")
check(table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ",") == "1,1,2,3", "move")
local big = {}
for i = 1, 10000 do
  big[i] = i
  big["k" .. i] = i
end
local sum = 0
for _, value in pairs(big) do
  sum = sum + value
end
check(sum == 100010000, "pairs visits everything once")
for i = 1, 10000, 2 do
  big[i] = nil
end
check(next({}) == nil and big[2] == 2 and big[3] == nil and big.k777 == 777, "holes")

-- functions, closures, control
local function counter()
  local n = 0
  return function()
    n = n + 1
    return n
  end
end
local a, b = counter(), counter()
check(a() == 1 and a() == 2 and b() == 1, "closures")
local function sumAll(...)
  local total = 0
  for i = 1, select("#", ...) do
    total = total + (select(i, ...))
  end
  return total
end
check(sumAll(1, 2, 3) == 6 and sumAll() == 0, "varargs")
local function loop(n)
  if n == 0 then
    return "done"
  end
  return loop(n - 1)
end
check(loop(200000) == "done", "tail calls")
local evens = 0
for i = 1, 10 do
  if i % 2 == 1 then
    goto continue
  end
  evens = evens + 1
  ::continue::
end
check(evens == 5, "goto")
local closed = {}
do
  local first <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "first" end })
  local second <close> = setmetatable({}, { __close = function() closed[#closed + 1] = "second" end })
  check(first ~= second, "to-be-closed variables")
end
check(table.concat(closed, " ") == "second first", "closing order")

-- metatables
local Vector = {}
Vector.__index = Vector
Vector.__add = function(p, q)
  return setmetatable({ x = p.x + q.x }, Vector)
end
Vector.__eq = function(p, q)
  return p.x == q.x
end
Vector.__lt = function(p, q)
  return p.x < q.x
end
Vector.__len = function(p)
  return p.x
end
Vector.__call = function(p, k)
  return p.x * k
end
Vector.__concat = function(p, q)
  return (type(p) == "table" and p.x or p) .. "+" .. (type(q) == "table" and q.x or q)
end
local v, w = setmetatable({ x = 1 }, Vector), setmetatable({ x = 2 }, Vector)
check((v + w).x == 3 and v < w and v ~= w and #w == 2 and w(5) == 10, "metamethods")
check(v .. "a" == "1+a" and "a" .. v .. w == "a1+2", "concatenation")
local proxy = setmetatable({}, { __index = function(_, k) return k .. "!" end })
check(proxy.some == "some!" and rawget(proxy, "some") == nil, "index functions")

-- errors
local ok, message = pcall(error, { code = 7 })
check(not ok and message.code == 7, "error values")
ok, message = pcall(function() return nil + 1 end)
check(not ok and message:find("arithmetic on a nil value", 1, true), "messages")
ok = xpcall(function() error("x", 0) end, function(text) message = text .. "y" end)
check(not ok and message == "xy", "handlers")
ok, message = pcall(string.rep, "x", -1)
check(ok and message == "", "pcall of a library function")
check(select(2, load("x =")):find("unexpected symbol", 1, true), "syntax errors")
check(load("return ...", "chunk", "t", {})(42) == 42, "load")

-- coroutines
local co = coroutine.create(function(x)
  local y = coroutine.yield(x * 2)
  error("end " .. y)
end)
local _, doubled = coroutine.resume(co, 4)
ok, message = coroutine.resume(co, "now")
check(doubled == 8 and not ok and message:find("end now", 1, true), "coroutines")
check(coroutine.status(co) == "dead", "dead coroutines")
local order = {}
for value in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do
  order[#order + 1] = value
end
check(#order == 3, "generators")

-- collector
local weak = setmetatable({}, { __mode = "v" })
weak[1] = {}
local finalised = false
setmetatable({}, { __gc = function() finalised = true end })
collectgarbage()
collectgarbage()
check(weak[1] == nil and finalised, "weak tables and finalisers")
collectgarbage("generational")
local keep = {}
for i = 1, 50000 do
  keep[i % 100 + 1] = { i, tostring(i) }
end
collectgarbage("incremental")
check(keep[1][1] == 50000 and keep[1][2] == "50000", "both collectors")

print("check", checks)
