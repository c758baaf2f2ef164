-- Removes keys.
--
-- KEYS     those to remove
-- returns  {1 done, -1 late; the server's clock}
if late then return { -1, server } end
redis.call('DEL', unpack(KEYS))
return { 1, server }
