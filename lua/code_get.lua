-- Reads a verification.
--
-- KEYS[1]  the verification's key
-- returns  {1 or 0; the server's clock; the value or ''}
local v = read()
if v then return { DONE, server, v.value } end
return { NONE, server, '' }
