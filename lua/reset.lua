-- Removes keys.
--
-- KEYS     those to remove
-- returns  {1 done, -1 late; the server's clock}
if late then return { -1, server } end
for from = 1, #KEYS, 1000 do -- Lua's stack does not hold any number
  redis.call('DEL', unpack(KEYS, from, math.min(from + 999, #KEYS)))
end
return { 1, server }
