-- Part of take: keys that are not there, which are most of them: few numbers ask twice. A plan of logs alone brings what they
-- answer (see counter_value.lua).
local values, groups = #KEYS > 0 and redis.call('MGET', unpack(KEYS)), {}
local allowed, unsettled = true, false

-- The answers as things stand and after a charge; place is where the next one goes. (Lua makes room for as
-- many as are written here, in one go.)
local stands = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local charged = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local place = 3

-- What is written of each group, false for nothing; and what is answered.
local written, reply = {}, charged

-- Answers for a group of which nothing is stored, and returns its first value, or false if the plan charges nothing.
local function first(plan, flags)
  local count = (#plan - 44) / 12
  local after = { struct.unpack('>' .. string.rep('BI5', count / 2), plan, 45) }
  for i = 1, count do stands[place], charged[place], place = 0, after[i], place + 1 end
  local send, verify, guess = flags % 4 >= 2 and 1 or 0, flags % 8 >= 4 and 1 or 0, flags % 16 >= 8 and 1 or 0
  local entry = struct.pack('>I6I4', now, tonumber(ARGV[4])) .. string.sub(plan, 2, 3)
  return send + verify + guess > 0
    and struct.pack('>BHHHH', 2, send, verify, guess, 0) .. string.rep(entry, send + verify + guess)
end

-- If it is so of every group, the other parts do not run, and Lua does not make their functions in vain.
local every = true
for i = 1, plans do every = every and not values[i] and string.byte(ARGV[4 + i]) >= 32 end
for i = 1, every and plans or 0 do written[i] = first(ARGV[4 + i], string.byte(ARGV[4 + i])) end
if every and peek then return stands end
