-- Compares a guess with a verification, counts it if it is wrong, and uses the verification up if it is right.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  the guess, as code_value.lua has one
-- returns  an answer with the value as it is now, or ''
if late then return struct.pack(ANSWER, LATE, server) end
local v = read()
local length, phone, mark, app, scene, codes = struct.unpack(GUESS, ARGV[3])
if not v or v.app ~= app then return struct.pack(ANSWER, NONE, server) end

local status = state(v)
if status == DONE and v.length ~= length then status = LENGTH end
if status ~= DONE then return struct.pack(ANSWER, status, server) .. v.value end

-- Every hash is looked at, whichever is right. Equal strings are one string in Lua, so that comparing two takes
-- the same time wherever they differ.
local hits = 0
for at = codes, #ARGV[3], 16 do
  if string.sub(ARGV[3], at, at + 15) == v.code then hits = hits + 1 end
end
local scene_fits = scene == '' or scene == v.scene
local phone_fits = phone == ZEROS or phone == v.phone
local body = string.sub(v.value, BODY_AT)
if hits > 0 and scene_fits and phone_fits then
  v.used = 1
  if mark ~= ZEROS then body = string.sub(body, 1, 1) .. mark .. string.sub(body, 18) end
else
  v.left, status = v.left - 1, WRONG
end
return struct.pack(ANSWER, status, server) .. save(v, body)
