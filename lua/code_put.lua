-- Stores a new verification.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  the verification, as code_value.lua has a new one
-- returns  {1 done, 0 there is one already, -1 late; the server's clock}
if late then return { LATE, server } end
if read(redis.call('MGET', KEYS[1])[1]) then return { NONE, server } end
local attempts, life, keep, _, body = struct.unpack(NEW, ARGV[3])
save({ used = 0, left = attempts, created = now, expires = now + life, keep = keep }, string.sub(ARGV[3], body))
return { DONE, server }
