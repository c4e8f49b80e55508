-- A small generator of our own (xorshift), so that every version of Lua gives the same numbers.
local Random = {}
Random.__index = Random

function Random.new(seed)
  return setmetatable({ state = seed }, Random)
end

-- Uniform in [low, high].
function Random:between(low, high)
  local x = self.state
  x = x ~ (x << 13)
  x = x ~ (x >> 7)
  x = x ~ (x << 17)
  self.state = x
  return low + (x >> 11) % (high - low + 1)
end

function Random:word(least, most)
  local letters = {}
  for i = 1, self:between(least, most) do
    letters[i] = string.char(96 + self:between(1, 26))
  end
  return table.concat(letters)
end

return Random
