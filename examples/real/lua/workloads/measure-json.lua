-- Measured: a JSON reader and writer in Lua, over generated documents.
-- usage: lua measure-json.lua ROUNDS
local directory = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = directory .. "/?.lua;" .. package.path
local Random = require("random")
local rounds = tonumber(arg[1]) or 1
local random = Random.new(362436069)

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }

local write
local function writeString(out, text)
  out[#out + 1] = '"' .. text:gsub('["\\\n\t]', escapes) .. '"'
end
local function writeArray(out, array)
  out[#out + 1] = "["
  for i = 1, #array do
    if i > 1 then
      out[#out + 1] = ","
    end
    write(out, array[i])
  end
  out[#out + 1] = "]"
end
local function writeObject(out, object)
  local names = {}
  for name in pairs(object) do
    names[#names + 1] = name
  end
  table.sort(names)
  out[#out + 1] = "{"
  for i, name in ipairs(names) do
    if i > 1 then
      out[#out + 1] = ","
    end
    writeString(out, name)
    out[#out + 1] = ":"
    write(out, object[name])
  end
  out[#out + 1] = "}"
end
function write(out, value)
  local kind = type(value)
  if kind == "string" then
    writeString(out, value)
  elseif kind == "table" then
    if value[1] ~= nil then
      writeArray(out, value)
    else
      writeObject(out, value)
    end
  else
    out[#out + 1] = tostring(value)
  end
end

local unescapes = { n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\" }

local read
local function skip(text, at)
  return text:find("[^ \n\t]", at) or #text + 1
end
local function readString(text, at)
  local parts = {}
  while true do
    local stop = text:find('["\\]', at)
    if not stop then
      error("a string is never closed")
    end
    parts[#parts + 1] = text:sub(at, stop - 1)
    if text:byte(stop) == 34 then
      return table.concat(parts), stop + 1
    end
    parts[#parts + 1] = unescapes[text:sub(stop + 1, stop + 1)]
    at = stop + 2
  end
end
local function readArray(text, at)
  local array = {}
  at = skip(text, at)
  if text:byte(at) == 93 then
    return array, at + 1
  end
  while true do
    array[#array + 1], at = read(text, at)
    at = skip(text, at)
    local c = text:byte(at)
    at = at + 1
    if c == 93 then
      return array, at
    elseif c ~= 44 then
      error("',' or ']' expected at " .. at)
    end
  end
end
local function readObject(text, at)
  local object, name = {}, nil
  at = skip(text, at)
  if text:byte(at) == 125 then
    return object, at + 1
  end
  while true do
    at = skip(text, at)
    name, at = readString(text, at + 1)
    at = skip(text, at)
    object[name], at = read(text, at + 1)
    at = skip(text, at)
    local c = text:byte(at)
    at = at + 1
    if c == 125 then
      return object, at
    elseif c ~= 44 then
      error("',' or '}' expected at " .. at)
    end
  end
end
function read(text, at)
  at = skip(text, at)
  local c = text:byte(at)
  if c == 34 then
    return readString(text, at + 1)
  elseif c == 123 then
    return readObject(text, at + 1)
  elseif c == 91 then
    return readArray(text, at + 1)
  elseif text:find("^true", at) then
    return true, at + 4
  elseif text:find("^false", at) then
    return false, at + 5
  end
  local first, last = text:find("^-?%d+%.?%d*", at)
  if not first then
    error("a value expected at " .. at)
  end
  return tonumber(text:sub(first, last)), last + 1
end

local function makeDocument(items)
  local list = {}
  for i = 1, items do
    list[i] = {
      id = i,
      name = random:word(4, 12),
      price = random:between(1, 99999) / 4,
      tags = { random:word(3, 5), random:word(3, 5), 'a "quoted"\ttag' },
      stock = { north = random:between(0, 50), south = random:between(0, 50) },
      active = random:between(0, 3) > 0,
    }
  end
  return { items = list, total = items, title = random:word(10, 20) }
end

local sum = 0
for _ = 1, rounds do
  local out = {}
  write(out, makeDocument(120))
  local text = table.concat(out)
  local back = read(text, 1)
  local again = {}
  write(again, back)
  assert(table.concat(again) == text, "a document did not come back as it was")
  for i = 1, #text, 97 do
    sum = (sum * 31 + text:byte(i)) % 1000000007
  end
  for _, item in ipairs(back.items) do
    sum = (sum + item.stock.north * item.id + #item.tags[2]) % 1000000007
  end
end
print("measure-json", sum)
