-- Part of code_verify and of verify: compares the guess, which is the last argument, with the verification that the last of
-- values holds, and writes what that comes to. The outcome is status, and answer for who asked.
local v = read(values[#KEYS])
local length, phone, mark, app, scene, codes = struct.unpack(GUESS, ARGV[#ARGV])
local status, value = NONE, ''
if v and v.app == app then
  status, value = state(v), v.value
  if status == DONE and v.length ~= length then status = LENGTH end
end

if status == DONE then
  -- Every hash is looked at, whichever is right. Equal strings are one string in Lua, so that comparing two takes
  -- the same time wherever they differ.
  local hits = 0
  for at = codes, #ARGV[#ARGV], 16 do
    if string.sub(ARGV[#ARGV], at, at + 15) == v.code then hits = hits + 1 end
  end
  local scene_fits = scene == '' or scene == v.scene
  local phone_fits = phone == ZEROS or phone == v.phone
  local body = string.sub(value, BODY_AT)
  if hits > 0 and scene_fits and phone_fits then
    v.used = 1
    if mark ~= ZEROS then body = string.sub(body, 1, 1) .. mark .. string.sub(body, 18) end
  else
    v.left, status = v.left - 1, WRONG
  end
  value = save(v, body)
end
local answer = struct.pack(ANSWER, status, server) .. value
