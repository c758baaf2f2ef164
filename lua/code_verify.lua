-- Compares a guess with a verification, counts it if it is wrong, and uses the verification up if it is right.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  app
-- ARGV[4]  how many digits the guess has
-- ARGV[5]  scene, or '' for any
-- ARGV[6]  keyed hash of the phone, or '' for any
-- ARGV[7]  keyed hashes that the code may have, one behind the other, 16 bytes each
-- ARGV[8]  what takes the place of the code's hash when it is used, 16 bytes; '' leaves it
-- returns  {status; the server's clock; the value as it is now, or ''}
if late then return { LATE, server, '' } end
local v = read()
if not v or v.app ~= ARGV[3] then return { NONE, server, '' } end

local status = state(v)
if status == DONE and v.length ~= tonumber(ARGV[4]) then status = LENGTH end
if status ~= DONE then return { status, server, v.value } end

-- Every hash is looked at, whichever is right. Equal strings are one string in Lua, so that comparing two takes
-- the same time wherever they differ.
local hits = 0
for at = 1, #ARGV[7], 16 do
  if string.sub(ARGV[7], at, at + 15) == v.code then hits = hits + 1 end
end
local scene_fits = ARGV[5] == '' or ARGV[5] == v.scene
local phone_fits = ARGV[6] == '' or ARGV[6] == v.phone
local body = string.sub(v.value, BODY_AT)
if hits > 0 and scene_fits and phone_fits then
  v.used = 1
  if ARGV[8] ~= '' then body = string.sub(body, 1, 1) .. ARGV[8] .. string.sub(body, 18) end
else
  v.left, status = v.left - 1, WRONG
end
return { status, server, save(v, body) }
