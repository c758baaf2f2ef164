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
  save({ used = 0, left = tonumber(ARGV[#ARGV - 3]), created = now, expires = now + ARGV[#ARGV - 2],
    keep = tonumber(ARGV[#ARGV - 1]) }, ARGV[#ARGV])
  reply[1] = 2
end
