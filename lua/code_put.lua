-- Stores a new verification.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  attempts
-- ARGV[4]  how long it lives, in ms
-- ARGV[5]  how long after that it is forgotten, in ms
-- ARGV[6]  the body
-- returns  {1 done, 0 there is one already, -1 late; the server's clock}
if late then return { LATE, server } end
if read() then return { NONE, server } end
local v = { used = 0, left = tonumber(ARGV[3]), created = now, expires = now + ARGV[4], keep = tonumber(ARGV[5]) }
save(v, ARGV[6])
return { DONE, server }
