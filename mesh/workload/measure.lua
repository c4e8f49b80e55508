-- Requests that hone-mesh is measured by: a shop in a browser, with long fields, uploads and redirects.
local paths = {
  "/shop/pears/bytes/4000", "/shop/cart", "/shop/pears?beta=1&page=3", "/shop/style.css/bytes/9000", "/old/pears", "/shop/checkout/bytes/600", "/about/bytes/1200",
}
local agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
local body = string.rep("0123456789abcdef", 200)
local count = 0

request = function()
  count = count + 1
  local fields = {
    ["user-agent"] = agent, ["accept"] = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", ["accept-language"] = "de,en;q=0.7",
    ["accept-encoding"] = "gzip, br", ["cookie"] = "session=fedcba9876543210; seen=1,2,3,5,8,13; lang=de", ["origin"] = "https://shop.example",
  }
  if count % 11 == 0 then return wrk.format("PUT", "/shop/cart/items", fields, body) end
  if count % 4 == 0 then fields["x-forwarded-for"] = "203.0.113.7" end
  return wrk.format("GET", paths[count % #paths + 1], fields)
end
