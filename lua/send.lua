-- Stores a new verification in the same step as the charge that take.lua has come to, if that is allowed and nothing is
-- under the verification's key.
--
-- KEYS[#KEYS]      the verification's key, behind those of the groups
-- ARGV[#ARGV]      the verification, as code_put.lua has it
-- returns          what take.lua does, with status 2 for 1 where the verification was stored
if reply[1] == 1 then
  local attempts, life, keep, ttl, body = struct.unpack(NEW, ARGV[#ARGV])
  local value = struct.pack(HEAD, 1, 0, attempts, now, now + life, keep) .. string.sub(ARGV[#ARGV], body)
  local stored = redis.call('SET', KEYS[#KEYS], value, 'PX', longer == 0 and ttl or longer + ttl, 'NX')
  if stored then reply[1] = 2 end
end
