-- Compares a guess with a verification, counts it if it is wrong, and uses the verification up if it is right; see
-- code_compare.lua, which comes next.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  the guess, as code_value.lua has one
-- returns  an answer with the value as it is now, or ''
if late then return struct.pack(ANSWER, LATE, server) end
local values = redis.call('MGET', KEYS[1])
