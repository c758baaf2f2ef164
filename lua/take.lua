-- Asks every cell of every plan and, if no cell of an enforced plan refuses, charges them, all or nothing.
-- What a cell reads, and what is written, is the contract of throttle.Store.
--
-- KEYS[i]    the key of group i
-- ARGV[3]    0 take, 1 peek (writes nothing), 2 force (charges without asking)
-- ARGV[4]    reservation id
-- ARGV[4+i]  the plan of group i
-- returns    {1 allowed, 0 refused, -1 late; the server's clock; and for each cell in order:
--            used, 2 * wait in ms + (1 if the cell refuses)}; after the charge if there was one
local mode, id = ARGV[3], tonumber(ARGV[4])
local force = mode == '2'
if mode ~= '1' and late() then return { -1, server } end

local AHEAD = 1000        -- ms; instants stored further ahead than this are replaced even by a refusal
local MAX_ENTRIES = 128   -- of a section, before it is compacted
local MAX_COUNT = 2000000 -- of a bucket

local allowed = true
local as_stands, if_charged, answered = { 1, server }, { 1, server }, 2

local function answer(used, wait, used_after, wait_after)
  local refuses = wait > 0 and 1 or 0
  as_stands[answered + 1], as_stands[answered + 2] = used, 2 * wait + refuses
  if_charged[answered + 1], if_charged[answered + 2] = used_after, 2 * wait_after + refuses
  answered = answered + 2
end

local function entry(mark)
  return pack_bytes('>I6I4H', now, id, mark)
end

-- Notes that a cell reads section s.
local function name_section(g, s)
  if g.lists[s] then return end
  g.lists[s] = entries(g, s)
  if g.count[s] > 0 and ms_of(g, s, g.count[s]) > now + AHEAD then g.unsettled = true end
end

-- Used, the wait as it stands, and the wait with one entry more: until the limit-th newest leaves the
-- window, which then is what is now the one after it.
local function ask_log(g, s, limit, window, mark)
  local list, used, since = g.lists[s], 0, now - window
  local limit_th, one_after = now, now
  for i = 3 * g.count[s] - 2, 1, -3 do
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

-- Used and the wait of a record with rest ms left of its current bucket.
local function ask_record(current, previous, rest, limit, window)
  local used, room = current + ceil(previous * rest / window), limit - 1 - current
  if previous * rest <= room * window then return used, 0 end
  if room >= 0 then return used, ceil((previous * rest - room * window) / previous) end
  return used, rest + ceil(-room * window / current)
end

-- The live record of a slot in the cell's window: start, current, previous; or nothing. What the key is
-- to hold in its stead is noted.
local function read_record(g, slot, window)
  if g.records == 0 then return end
  local own, start, current, previous = find_record(g, slot)
  if not own then return end
  local ahead = start > now
  if start > now + AHEAD then g.unsettled = true end
  if ahead then start = now end
  local elapsed = now - start
  if elapsed >= 2 * own then return end
  if elapsed >= own then start, current, previous = start + own, 0, current end
  if own ~= window then
    start, current, previous = now, 0, min(current + ceil(previous * (start + own - now) / own), MAX_COUNT)
    g.unsettled = true
  end
  if ahead or own ~= window then g.settled[slot] = record(slot, window, start, current, previous) end
  return start, current, previous
end

-- Whether charging an enforced group adds an entry that a cell counts.
local function adds(g, s, mark)
  return not g.shadow and g.added[s] and (mark == 0 or mark == g.mark)
end

local function log_cell(g, s, charges, limit, window, mark, slot)
  local used, wait, wait_after = ask_log(g, s, limit, window, mark)
  local start, current, previous = read_record(g, slot, window)
  local used_too, wait_too = 0, 0
  if start then used_too, wait_too = ask_record(current, previous, start + window - now, limit, window) end
  local refuses = math.max(wait, wait_too)
  local own = g.shadow and charges and (force or refuses == 0)
  if own then g.added[s] = (g.added[s] or '') .. entry(mark) end
  local used_after = used + 1
  if not own and not adds(g, s, mark) then used_after, wait_after = used, wait end
  answer(math.max(used, used_too), refuses, math.max(used_after, used_too), math.max(wait_after, wait_too))
  return refuses
end

local function counter_cell(g, s, charges, limit, window, mark, slot)
  local start, current, previous = read_record(g, slot, window)
  local used, wait, used_after, wait_after
  if start then
    used, wait = ask_record(current, previous, start + window - now, limit, window)
    used_after, wait_after = used, wait
  else
    used, wait, wait_after = ask_log(g, s, limit, window, mark)
    used_after = used + 1
    if not adds(g, s, mark) then used_after, wait_after = used, wait end
    start, current, previous = now, 0, used
  end
  if not charges or (g.shadow and wait > 0 and not force) then
    answer(used, wait, used_after, wait_after)
    return wait
  end
  current = min(current + 1, MAX_COUNT)
  g.slots[#g.slots + 1] = slot
  g.fresh[slot] = record(slot, window, start, current, previous)
  answer(used, wait, ask_record(current, previous, start + window - now, limit, window))
  return wait
end

-- One group, with what charging it adds: entries by section, records by slot.
local function ask(value, plan)
  local g = parts(value)
  local flags, mark = unpack_bytes('>BH', plan)
  g.plan, g.mark, g.shadow, g.answers = plan, mark, flags % 2 == 1, answered
  g.lists, g.added, g.slots, g.fresh, g.settled = {}, {}, {}, {}, {}
  if flags % 4 >= 2 then g.added[1] = entry(mark) end
  if flags % 8 >= 4 then g.added[2] = entry(mark) end
  if flags >= 8 then g.added[3] = entry(mark) end
  for at = PLAN_HEAD + 1, #plan, CELL do
    local section, kind, limit, window, cell_mark, slot = unpack_bytes('>BBI4I4HI4', plan, at)
    name_section(g, section + 1)
    local cell = kind % 2 == 1 and counter_cell or log_cell
    local wait = cell(g, section + 1, kind >= 2, limit, window, cell_mark, slot)
    if wait > 0 and not g.shadow and not force then allowed = false end
  end
  return g
end

-- The entries of section s from the one in place from on; in a section that a cell reads, those in the future moved to now.
local function clamped(g, s, from)
  local last, count = g.count[s], g.count[s]
  if not g.lists[s] then return slice(g, s, from, count) end
  while last >= from and ms_of(g, s, last) > now do last = last - 1 end
  local bytes = slice(g, s, from, last)
  for i = last + 1, count do bytes = bytes .. pack_bytes('>I6', now) .. sub(slice(g, s, i, i), 7) end
  return bytes
end

-- Keeps the newest all, and of each mark the newest per_mark.
local function compact(bytes, all, per_mark)
  local kept, newer_of, count = {}, {}, #bytes / ENTRY
  for i = count, 1, -1 do
    local at = ENTRY * (i - 1) + 1
    local mark = unpack_bytes('>H', bytes, at + ENTRY - 2)
    local newer = newer_of[mark] or 0
    kept[i] = (count - i < all or newer < per_mark) and sub(bytes, at, at + ENTRY - 1) or ''
    newer_of[mark] = newer + 1
  end
  return table.concat(kept)
end

-- Section s after a charge.
local function grown(g, s, ttl, retain)
  local added, count = g.added[s], g.count[s]
  if count == 0 then return added or '' end
  local newest = ms_of(g, s, count)
  if newest <= now - ttl then return added or '' end
  if not added then return clamped(g, s, 1) end
  local from = 1
  while from <= count and ms_of(g, s, from) <= now - retain do from = from + 1 end
  local bytes = clamped(g, s, from) .. added
  if #bytes <= MAX_ENTRIES * ENTRY then return bytes end
  g.compacted = true
  return compact(bytes, unpack_bytes('>I4I4', g.plan, 13 + 8 * s))
end

-- The records with what changed of them; a charge drops those that are dead.
local function merged(g, charges)
  local kept = {}
  for at = g.record, #g.value, RECORD do
    local slot, window, start = unpack_bytes('>I4I4I6', g.value, at)
    if charges and g.fresh[slot] then
      kept[#kept + 1], g.fresh[slot] = g.fresh[slot], nil
    elseif g.settled[slot] then
      kept[#kept + 1] = g.settled[slot]
    elseif not charges or now - start < 2 * window then
      kept[#kept + 1] = sub(g.value, at, at + RECORD - 1)
    end
  end
  if charges then
    for _, slot in ipairs(g.slots) do kept[#kept + 1] = g.fresh[slot] end
  end
  return table.concat(kept)
end

local function charged(g)
  local ttl, sends, verifies, guesses = unpack_bytes('>I5I4I4I4', g.plan, 4)
  return join({ grown(g, 1, ttl, sends), grown(g, 2, ttl, verifies), grown(g, 3, ttl, guesses) }, merged(g, true))
end

-- What is written without a charge: a record whose window changed, and instants far ahead, would else not keep the word of a wait.
local function settled(g)
  return join({ clamped(g, 1, 1), clamped(g, 2, 1), clamped(g, 3, 1) }, merged(g, false))
end

local function next_value(g)
  if allowed and (next(g.added) or #g.slots > 0) then return charged(g) end
  return g.unsettled and settled(g)
end

-- Compaction drops entries that were counted: then the answers after the charge are what the new value says.
local function ask_again(g, value)
  local before = if_charged
  if_charged, answered = {}, g.answers
  ask(value, g.plan)
  for i = g.answers + 1, answered, 2 do
    before[i] = as_stands[i]
    before[i + 1] = as_stands[i + 1] - as_stands[i + 1] % 2 + before[i + 1] % 2
  end
  if_charged = before
end

local values, groups = #KEYS > 0 and redis.call('MGET', unpack(KEYS)), {}
for i = 1, #KEYS do groups[i] = ask(values[i], ARGV[4 + i]) end
if not allowed then as_stands[1] = 0 end
if mode == '1' then return as_stands end

local reply, written = allowed and if_charged or as_stands, {}
for i, g in ipairs(groups) do written[i] = next_value(g) or false end
for i, g in ipairs(groups) do
  if g.compacted then ask_again(g, written[i]) end
end
for i, g in ipairs(groups) do
  if written[i] then write(KEYS[i], written[i], (unpack_bytes('>I5', g.plan, 4))) end
end
return reply
