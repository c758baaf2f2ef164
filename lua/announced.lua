-- Reads the number of the latest reset.
--
-- KEYS[1]  where it is kept
-- returns  {1; the server's clock; the number, 0 where there is none}
local number = tonumber(redis.call('MGET', KEYS[1])[1] or '') or 0
if number ~= math.floor(number) or number < 0 or number >= 2 ^ 53 then number = 0 end
return { 1, server, number }
