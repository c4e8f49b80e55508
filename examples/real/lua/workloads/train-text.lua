-- Trains on text: templates, word counts, patterns, a tokenizer and sorting.
-- usage: lua train-text.lua ROUNDS
local directory = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = directory .. "/?.lua;" .. package.path
local Random = require("random")
local rounds = tonumber(arg[1]) or 1
local random = Random.new(88172645463325252)

local function makeText(words)
  local vocabulary, out = {}, {}
  for i = 1, 400 do
    vocabulary[i] = random:word(2, 9)
  end
  for i = 1, words do
    out[i] = vocabulary[random:between(1, random:between(1, 400))]
    if i % 12 == 0 then
      out[i] = out[i] .. "."
    end
  end
  return table.concat(out, " ")
end

local function countWords(text)
  local counts = {}
  for word in text:gmatch("%a+") do
    counts[word] = (counts[word] or 0) + 1
  end
  local list = {}
  for word, count in pairs(counts) do
    list[#list + 1] = { word = word, count = count }
  end
  table.sort(list, function(a, b)
    if a.count ~= b.count then
      return a.count > b.count
    end
    return a.word < b.word
  end)
  return list
end

local function expand(template, values)
  return (template:gsub("{(%w+)}", values))
end

local function tokenize(source)
  local tokens, at = {}, 1
  while at <= #source do
    local c = source:byte(at)
    local first, last
    if c == 32 or c == 10 then
      at = at + 1
    elseif c >= 48 and c <= 57 then
      first, last = source:find("^%d+%.?%d*", at)
    elseif (c >= 97 and c <= 122) or c == 95 then
      first, last = source:find("^[%a_][%w_]*", at)
    else
      first, last = at, at
    end
    if first then
      tokens[#tokens + 1] = source:sub(first, last)
      at = last + 1
    end
  end
  return tokens
end

local total = 0
for round = 1, rounds do
  local text = makeText(6000)
  local list = countWords(text)
  local lines = {}
  for i = 1, math.min(200, #list) do
    local entry = list[i]
    lines[i] = expand("{rank}: {word} x {count}", { rank = i, word = entry.word, count = entry.count })
    lines[i] = string.format("%-24s|%5d|%6.2f%%", lines[i]:upper(), entry.count, entry.count / 60)
  end
  total = (total * 31 + #table.concat(lines, "\n")) % 1000000007
  local program = {}
  for i = 1, 300 do
    program[i] = ("let v_%d = (%d + x%d) * %d.5;\n"):format(i, i * round, i % 7, i)
  end
  local tokens = tokenize(table.concat(program))
  total = (total * 31 + #tokens) % 1000000007
  local reversed = text:reverse():gsub("[aeiou]+", "_")
  total = (total * 31 + #reversed + reversed:byte(-1)) % 1000000007
end
print("train-text", total)
