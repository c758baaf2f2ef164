-- Tries each command that the scripts use, as the scripts would.
--
-- KEYS[1]  a key that may be written
-- returns  the server's answer to each of MGET, SET and DEL: '' or an error
local function try(...)
  local answer = redis.pcall(...)
  return type(answer) == 'table' and answer.err or ''
end
return { try('MGET', KEYS[1]), try('SET', KEYS[1], '', 'PX', 1), try('DEL', KEYS[1]) }
