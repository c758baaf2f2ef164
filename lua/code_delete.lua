-- Forgets a verification.
--
-- KEYS[1]  the verification's key
-- returns  {1 done, -1 late; the server's clock}
if late then return { -1, server } end
redis.call('DEL', KEYS[1])
return { 1, server }
