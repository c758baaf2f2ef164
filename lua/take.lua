-- Asks every cell of every plan and, if no cell of an enforced plan refuses, charges them, all or nothing.
-- What a cell reads, and what is written, is the contract of throttle.Store; of its bounds, counts stop at
-- 2000000 (throttle.MaxCount), and a section of more than 128 entries (throttle.MaxEntries) is compacted. One that is
-- longer all the same, since rules read that many, is indexed before it is read.
--
-- KEYS[i]    the key of group i
-- ARGV[3]    0 take, 1 peek (writes nothing), 2 force (charges without asking), 3 take, with one more key behind those of
--            the groups (see send.lua)
-- ARGV[4]    reservation id
-- ARGV[4+i]  the plan of group i
-- returns    {1 allowed, 0 refused, -1 late; the server's clock; and for each cell in order:
--            used, 2 * wait in ms + (1 if the cell refuses)}; after the charge if there was one
local peek, force = ARGV[3] == '1', ARGV[3] == '2'
local plans = ARGV[3] == '3' and #KEYS - 1 or #KEYS
if late and not peek then return { -1, server } end

-- What a log cell counts, its wait, and its wait with one entry more: until the limit-th newest leaves
-- the window, which then is what is now the one after it.
local function ask_log(g, s, limit, window, mark)
  local used, since, count = 0, now - window, g.count[s]
  if count > 128 then -- MaxEntries; those up to used are later than since, those from beyond on are not
    local found = g.instants[s][mark] or {}
    local beyond = #found + 1
    while beyond - used > 1 do
      local middle = math.floor((used + beyond) / 2)
      if found[middle] > since then used = middle else beyond = middle end
    end
    return used, used >= limit and found[limit] - since or 0,
      used + 1 >= limit and (found[limit - 1] or now) - since or 0
  end
  local list, limit_th, one_after = g[s], now, now
  for i = 3 * count - 2, 1, -3 do
    local ms = list[i]
    if ms > now then ms = now end
    if ms <= since then break end
    if mark == 0 or list[i + 2] == mark then
      used = used + 1
      if used == limit then limit_th = ms elseif used == limit - 1 then one_after = ms end
    end
  end
  return used, used >= limit and limit_th - since or 0, used + 1 >= limit and one_after - since or 0
end

-- What a record counts, and its wait.
local function ask_record(start, current, previous, limit, window)
  local rest, room = start + window - now, limit - 1 - current
  local used = current + math.ceil(previous * rest / window)
  if previous * rest <= room * window then return used, 0 end
  if room >= 0 then return used, math.ceil((previous * rest - room * window) / previous) end
  return used, rest + math.ceil(-room * window / current)
end

-- The live record of a slot, in the cell's window: start, current, previous; or nothing. If that is more than time
-- has made of it, the key must hold it from now on, even after a refusal: g.settled.
local function read_record(g, slot, window)
  local own, start, current, previous = find_record(g, slot)
  if not own then return end
  local settles = start > now or own ~= window
  if start > now then start = now end
  if now - start >= 2 * own then return end
  if now - start >= own then start, current, previous = start + own, 0, current end
  if own ~= window then
    local used = current + math.ceil(previous * (start + own - now) / own)
    start, current, previous = now, 0, math.min(used, 2000000) -- MaxCount
  end
  if settles then
    g.unsettled, g.settled = true, g.settled or {}
    g.settled[slot] = struct.pack('>I4I4I6I4I4', slot, window, start, current, previous)
  end
  return start, current, previous
end

-- A cell's used and wait, and both again after a charge. What a charge adds goes to g.marks (by section,
-- the marks of new entries), and to g.slots and g.fresh (the records).
local function log_cell(g, s, charges, limit, window, mark, slot)
  local used, wait, wait_after = ask_log(g, s, limit, window, mark)
  local left_used, left_wait = 0, 0 -- of the time when the rule was a counter
  if g.records > 0 then
    local start, current, previous = read_record(g, slot, window)
    if start then left_used, left_wait = ask_record(start, current, previous, limit, window) end
  end
  local adds
  if g.shadow then
    adds = charges and (force or wait == 0 and left_wait == 0)
    if adds then g.marks[s] = g.marks[s] .. struct.pack('>H', mark) end
  else
    adds = g.marks[s] ~= '' and (mark == 0 or mark == g.mark)
  end
  local used_after = used + 1
  if not adds then used_after, wait_after = used, wait end
  if left_used == 0 then return used, wait, used_after, wait_after end
  return math.max(used, left_used), math.max(wait, left_wait),
    math.max(used_after, left_used), math.max(wait_after, left_wait)
end

local function counter_cell(g, s, charges, limit, window, mark, slot)
  local start, current, previous
  if g.records > 0 then start, current, previous = read_record(g, slot, window) end
  local used, wait, used_after, wait_after
  if start then
    used, wait = ask_record(start, current, previous, limit, window)
    used_after, wait_after = used, wait
  else -- of the time when the rule was a log
    used, wait, used_after, wait_after = log_cell(g, s, false, limit, window, mark, -1)
    start, current, previous = now, 0, used
  end
  if charges and (force or not g.shadow or wait == 0) then
    current = math.min(current + 1, 2000000) -- MaxCount
    if not g.fresh then g.fresh, g.slots = {}, {} end
    g.slots[#g.slots + 1] = slot
    g.fresh[slot] = struct.pack('>I4I4I6I4I4', slot, window, start, current, previous)
    used_after, wait_after = ask_record(start, current, previous, limit, window)
  end
  return used, wait, used_after, wait_after
end

local values, groups = #KEYS > 0 and redis.call('MGET', unpack(KEYS)), {}
local allowed, unsettled = true, false

-- The answers as things stand and after a charge; place is where the next one goes. (Lua makes room for as
-- many as are written here, in one go.)
local stands = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local charged = { 1, server, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil }
local place, none = 3, {}

-- One group: what parts makes of its value, and beside it
--   plan, mark, shadow    of the plan, its mark as a number
--   place                 of its first answer
--   [1] to [3]            the sections that cells name, as lists
--   marks, slots, fresh, settled, unsettled, compacted   see below
--   instants              of each section too long to go through for every cell (over 128, MaxEntries): the instants of each mark,
--                         and of all under 0, newest first, each no later than the one before it
--   places                of many records: see find_record
local function ask(value, plan)
  local g = parts(value)
  local flags, mark = struct.unpack('>BH', plan)
  local own = string.sub(plan, 2, 3)
  g.plan, g.mark, g.shadow, g.place = plan, mark, flags % 2 == 1, place
  g.marks = { flags % 4 >= 2 and own or '', flags % 8 >= 4 and own or '', flags >= 8 and own or '' }
  for at = 45, #plan, 16 do
    local s, kind, limit, window, cell_mark, slot = struct.unpack('>BBI4I4HI4', plan, at)
    s = s + 1
    if not g[s] then
      g[s] = g.count[s] > 0 and entries(g, s) or none
      if g.count[s] > 0 and ms_of(g, s, g.count[s]) > now then g.unsettled = true end
      if g.count[s] > 128 then -- MaxEntries
        local ms, all = now, {}
        local by_mark = { [0] = all }
        for i = 3 * g.count[s] - 2, 1, -3 do
          ms = math.min(ms, g[s][i])
          all[#all + 1] = ms
          local own_mark = g[s][i + 2]
          by_mark[own_mark] = by_mark[own_mark] or {}
          if own_mark ~= 0 then table.insert(by_mark[own_mark], ms) end
        end
        g.instants = g.instants or {}
        g.instants[s] = by_mark
      end
    end
    local cell = kind % 2 == 1 and counter_cell or log_cell
    local used, wait, used_after, wait_after = cell(g, s, kind >= 2, limit, window, cell_mark, slot)
    local refuses = wait > 0 and 1 or 0
    stands[place], stands[place + 1] = used, 2 * wait + refuses
    charged[place], charged[place + 1] = used_after, 2 * wait_after + refuses
    place = place + 2
    if wait > 0 and not g.shadow and not force then allowed = false end
  end
  unsettled = unsettled or g.unsettled
  return g
end

for i = 1, plans do groups[i] = ask(values[i], ARGV[4 + i]) end
if not allowed then stands[1] = 0 end
if peek or (not allowed and not unsettled) then return stands end

-- What follows makes all values; take_write.lua writes them.

-- The entries of section s from the one in place from on; in a section that a cell reads, those in the
-- future are moved to now.
local function clamped(g, s, from)
  local last, count = g.count[s], g.count[s]
  while g[s] and last >= from and ms_of(g, s, last) > now do last = last - 1 end
  local bytes = slice(g, s, from, last)
  if last == count then return bytes end
  local stamp = string.gsub(struct.pack('>I6', now), '%%', '%%%%') -- as text of a replacement
  return bytes .. (string.gsub(slice(g, s, math.max(from, last + 1), count), '......(......)', stamp .. '%1'))
end

-- Keeps the newest all, and of each mark the newest per_mark; no more than a section may have.
local function compact(bytes, all, per_mark)
  local kept, newer_of, count, room = {}, {}, #bytes / 12, 65000
  for i = count, 1, -1 do
    local one = string.sub(bytes, 12 * i - 11, 12 * i)
    local mark = string.sub(one, 11)
    local newer = newer_of[mark] or 0
    local keeps = room > 0 and (count - i < all or newer < per_mark)
    kept[i] = keeps and one or ''
    if keeps then room = room - 1 end
    newer_of[mark] = newer + 1
  end
  return table.concat(kept)
end

-- Section s after a charge: retain, in ms, is how long its entries are kept.
local function grown(g, s, ttl, retain)
  local marks, count, added = g.marks[s], g.count[s], ''
  for at = 1, #marks, 2 do
    added = added .. struct.pack('>I6I4', now, tonumber(ARGV[4])) .. string.sub(marks, at, at + 1)
  end
  if count == 0 or ms_of(g, s, count) <= now - ttl then return added end
  if added == '' then return clamped(g, s, 1) end
  local from = 1
  while from <= count and ms_of(g, s, from) <= now - retain do from = from + 1 end
  local bytes = clamped(g, s, from) .. added
  if #bytes <= 12 * 128 then return bytes end -- MaxEntries
  g.compacted = true
  return compact(bytes, struct.unpack('>I4I4', g.plan, 13 + 8 * s))
end

-- The records as they are to be kept; after a charge without the dead ones, and with what is fresh.
local function merged(g, after_charge)
  if g.records == 0 and not g.fresh then return '' end
  local kept, fresh, settled = {}, after_charge and g.fresh or {}, g.settled or {}
  for at = g.record, #g.value, 22 do
    local slot, window, start = struct.unpack('>I4I4I6', g.value, at)
    if fresh[slot] then
      kept[#kept + 1], fresh[slot] = fresh[slot], nil
    elseif settled[slot] then
      kept[#kept + 1] = settled[slot]
    elseif not after_charge or now - start < 2 * window then
      kept[#kept + 1] = string.sub(g.value, at, at + 21)
    end
  end
  for _, slot in ipairs(g.slots or {}) do kept[#kept + 1] = fresh[slot] end
  return table.concat(kept, '', math.max(1, #kept - 16383)) -- the newest, if the names of rules have changed that often
end

-- The group's new value, if there is one: with the charge; or with what had to be settled, since a wait
-- would else not keep its word.
local function new_value(g)
  if allowed and (g.marks[1] ~= '' or g.marks[2] ~= '' or g.marks[3] ~= '' or g.fresh) then
    local ttl, sends, verifies, guesses = struct.unpack('>I5I4I4I4', g.plan, 4)
    return join(grown(g, 1, ttl, sends), grown(g, 2, ttl, verifies), grown(g, 3, ttl, guesses), merged(g, true))
  end
  return g.unsettled and join(clamped(g, 1, 1), clamped(g, 2, 1), clamped(g, 3, 1), merged(g, false))
end

local written = {}
for i = 1, #groups do written[i] = new_value(groups[i]) or false end

-- Compaction drops entries that were counted: then the answers after the charge are what the new value says.
local reply = allowed and charged or stands
for i = 1, #groups do
  local g = groups[i]
  if g.compacted then
    charged, place = {}, g.place
    ask(written[i], g.plan)
    for at = g.place, place - 2, 2 do
      reply[at], reply[at + 1] = stands[at], stands[at + 1] - stands[at + 1] % 2 + reply[at + 1] % 2
    end
  end
end
