-- Part of take: the plain case, which almost every call is, in one go and without a function (Lua would make each anew at
-- every run). It says and writes what the other parts would; what it does not know it leaves to them whole, before anything
-- is written. It knows a group with a plan of flag 32, whose key is not there, or holds a value with
--   no entries in shadow, at most 20 entries, and 8 records, each of a live counter, under a slot of its own;
--   no instant in the future, and no section that is to be emptied;
--   the record of each counter that the plan names, with its window, and none of a log that the plan names.
local values = reads > 0 and redis.call('MGET', unpack(KEYS, 1, reads))

-- What is written of each group, false for nothing. The answers as things stand, which before keeps, and after a charge;
-- place is where the next one goes. (Lua makes room for as many as are written here, in one go.)
local written = {}
local stands = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local charged = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local place, reply, before = 3, charged, stands

local plain = true -- as far as is known
local allowed = true
local entry = struct.pack('>I6I4', now, tonumber(ARGV[4])) -- and the plan's mark

for i = 1, plain and plans or 0 do
  local value, plan = values[i], ARGV[4 + i]
  local flags = string.byte(plan)
  local grows = flags % 4 >= 2 and 0 or flags % 8 >= 4 and 1 or flags % 16 >= 8 and 2 -- the section that is charged
  if flags < 32 then
    plain = false
  elseif not value then
    -- Nothing is stored. What that answers, Go knows.
    stands[place], charged[place], place = -1, -1, place + 1
    local send, verify, guess, records = grows == 0 and 1 or 0, grows == 1 and 1 or 0, grows == 2 and 1 or 0, ''
    for at = 54, flags >= 64 and #plan or 0, 18 do
      local kind, window, slot = struct.unpack('>xBxxxxI4xxI4', plan, at)
      if kind == 5 then records = records .. struct.pack('>I4BI3I4I6I4I4', slot, 1, 0, window, now, 1, 0) end
    end
    written[i] = flags % 32 >= 16 and struct.pack('>BHHHH', 2, send, verify, guess, #records / 26)
      .. (grows and entry .. string.sub(plan, 2, 3) or '') .. records
  else
    -- The parts of the value.
    local version, sends, verifies, guesses, records = 0, 0, 0, 0, 0
    if #value >= 9 then version, sends, verifies, guesses, records = struct.unpack('>BHHHH', value) end
    local verify, guess = sends, sends + verifies -- how many entries stand before the two
    local count = guess + guesses
    plain = version == 2 and count <= 20 and records <= 8 and #value == 9 + 12 * count + 26 * records
    if not plain then break end

    -- The entries as one flat list (ms, id, mark, ms, ...), and what else must hold of them and of the records.
    local mark, ttl = struct.unpack('>Hs', plan, 2)
    local list = { struct.unpack(string.sub('>I6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4H'
      .. 'I6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4HI6I4H', 1, 1 + 5 * count), value, 10) }
    local newest, emptied = sends > 0 and list[3 * sends - 2] or now, now - ttl
    if newest > now or newest <= emptied then plain = false end
    if count > sends then
      newest = verifies > 0 and list[3 * guess - 2] or now
      if newest > now or newest <= emptied then plain = false end
      newest = guesses > 0 and list[3 * count - 2] or now
      if newest > now or newest <= emptied then plain = false end
    end
    local places = records > 0 and {} -- of the records, by slot
    for at = 10 + 12 * count, #value, 26 do
      local slot, kind, none, window, start = struct.unpack('>I4BI3I4I6', value, at)
      if kind ~= 1 or none ~= 0 or start > now or now - start >= 2 * window or places[slot] then plain = false end
      places[slot] = at
    end
    if not plain then break end

    for at = 54, #plan, 18 do
      local s, kind, limit, window, cell_mark = struct.unpack('>BBI4I4H', plan, at)
      local at_record = places and places[struct.unpack('>I4', plan, at + 12)]
      if kind % 4 == 0 then -- as log_cell does in take_cells.lua
        if at_record then plain = false break end
        local from, to = 1, 3 * sends
        if s == 1 then from, to = 3 * verify + 1, 3 * guess elseif s == 2 then from, to = 3 * guess + 1, 3 * count end
        local used, since, limit_th, one_after = 0, now - window, now, now
        for j = to - 2, from, -3 do
          local ms = list[j]
          if ms > now then ms = now end
          if ms <= since then break end
          if cell_mark == 0 or list[j + 2] == cell_mark then
            used = used + 1
            if used == limit then limit_th = ms elseif used == limit - 1 then one_after = ms end
          end
        end
        local wait = used >= limit and 2 * (limit_th - since) + 1 or 0
        if wait > 0 and not force then allowed = false end
        stands[place], stands[place + 1] = used, wait
        if allowed then
          if s == grows and (cell_mark == 0 or cell_mark == mark) then
            used, wait = used + 1, wait % 2 + (used + 1 >= limit and 2 * (one_after - since) or 0)
          end
          charged[place], charged[place + 1] = used, wait
        end
      else -- as record_cell does
        if not at_record then plain = false break end
        local own, start, current, previous = struct.unpack('>I4I6I4I4', value, at_record + 8)
        if own ~= window then plain = false break end
        if now - start >= window then start, current, previous = start + window, 0, current end
        local rest, refuses = start + window - now, 0
        for charge = 0, 1 do -- as things stand, and after the charge
          local room, weight, wait = limit - 1 - current, previous * rest, 0
          if weight > room * window then
            wait = room >= 0 and math.ceil((weight - room * window) / previous) or rest + math.ceil(-room * window / current)
          end
          if charge == 0 and wait > 0 then refuses = 1 end
          local answers = charge == 0 and stands or charged
          answers[place], answers[place + 1] = current + math.ceil(weight / window), 2 * wait + refuses
          if charge == 0 and kind == 5 then current = math.min(current + 1, 2000000) end -- MaxCount
        end
        if refuses == 1 and not force then allowed = false end
        if kind == 5 then
          value = string.sub(value, 1, at_record + 11) .. struct.pack('>I6I4I4', start, current, previous)
            .. string.sub(value, at_record + 26)
        end
      end
      place = place + 2
    end

    -- The new value: the records are in it already; a section grows, without what no rule can read any more.
    if grows and allowed then
      local first, last = 1, sends -- of the section's entries
      if grows == 1 then first, last = verify + 1, guess elseif grows == 2 then first, last = guess + 1, count end
      local from, retained = first, now - struct.unpack('>I4', plan, 18 + 4 * grows)
      while from <= last and list[3 * from - 2] <= retained do from = from + 1 end
      local more = 1 - (from - first)
      if grows == 0 then sends = sends + more elseif grows == 1 then verifies = verifies + more else guesses = guesses + more end
      value = struct.pack('>BHHHH', 2, sends, verifies, guesses, records) .. string.sub(value, 10, 12 * first - 3)
        .. string.sub(value, 12 * from - 2, 12 * last + 9) .. entry .. string.sub(plan, 2, 3) .. string.sub(value, 12 * last + 10)
    end
    written[i] = flags % 32 >= 16 and value
  end
  if not plain then break end
end
if plain and not allowed then stands[1] = 0 end
if plain and (peek or not allowed) then return stands end
