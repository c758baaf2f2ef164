-- Stores a new verification in the same step as the charge that take.lua has come to, if that is allowed and nothing is
-- under the verification's key.
--
-- KEYS[#KEYS]      the verification's key, behind those of the groups
-- ARGV[#ARGV - 3]  attempts
-- ARGV[#ARGV - 2]  how long it lives, in ms
-- ARGV[#ARGV - 1]  how long after that it is forgotten, in ms
-- ARGV[#ARGV]      the body
-- returns          what take.lua does, with status 2 for 1 where the verification was stored
if reply[1] == 1 and not values[#KEYS] then
  local attempts, ttl, keep, body = unpack(ARGV, #ARGV - 3)
  local value = struct.pack(HEAD, 1, 0, attempts, now, now + ttl, keep) .. body
  redis.call('SET', KEYS[#KEYS], value, 'PX', longer + math.max(1, ttl + keep))
  reply[1] = 2
end
