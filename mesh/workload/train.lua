-- Requests that hone-mesh is trained on: an API, mostly read, with fields as programs send them.
local paths = {
  "/api/users/17/bytes/300", "/api/users/42?fields=name,mail", "/api/orders/bytes/2000", "/health", "/api/search?q=pears&limit=20", "/api/cart/bytes/120",
}
local body = string.rep("item=pear&", 30)
local count = 0

request = function()
  count = count + 1
  local path = paths[count % #paths + 1]
  local fields = { ["user-agent"] = "train/1.0", ["accept"] = "application/json", ["x-request-start"] = tostring(count) }
  if count % 7 == 0 then return wrk.format("POST", "/api/orders", fields, body) end
  if count % 5 == 0 then fields["cookie"] = "session=0123456789abcdef; theme=dark" end
  return wrk.format("GET", path, fields)
end
