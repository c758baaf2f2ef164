-- Reads a verification.
--
-- KEYS[1]  the verification's key
-- returns  an answer with the value, or ''; its status is 1 or 0
local v = read(redis.call('MGET', KEYS[1])[1])
if v then return struct.pack(ANSWER, DONE, server) .. v.value end
return struct.pack(ANSWER, NONE, server)
