-- Asks every cell of every plan and, if no cell of an enforced plan refuses, charges them, all or nothing.
--
-- KEYS[i]    the key of group i
-- ARGV[3]    0 take, 1 peek (changes nothing), 2 force (charges without asking)
-- ARGV[4]    reservation id
-- ARGV[4+i]  the plan of group i
-- returns    {1 allowed, 0 refused, -1 late; the server's clock; and for each cell in order:
--            used, 2 * wait in ms + (1 if the cell refuses)}; after the charge if there was one
local mode, id = ARGV[3], tonumber(ARGV[4])
local force = mode == '2'
if mode ~= '1' and late() then return { -1, server } end

local AHEAD = 1000       -- ms; an instant stored further ahead than this is from before a step of the clock
local MAX_ENTRIES = 128  -- of a section, before it is compacted
local MAX_COUNT = 4294967295 -- what four bytes hold

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

-- Used, the wait as it stands, and the wait with one entry more: until the limit-th newest leaves the
-- window, which then is what is now the one after it.
local function ask_log(list, count, limit, window, mark)
  local used, since = 0, now - window
  local limit_th, one_after = now, now
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

local function log_cell(g, s, charges, limit, window, mark)
  g.lists[s] = g.lists[s] or entries(g, s)
  local used, wait, wait_after = ask_log(g.lists[s], g.count[s], limit, window, mark)
  local added
  if g.shadow then
    added = charges and (force or wait == 0)
    if added then g.added[s] = (g.added[s] or '') .. entry(mark) end
  else
    added = g.added[s] and (mark == 0 or mark == g.mark)
  end
  if added then answer(used, wait, used + 1, wait_after) else answer(used, wait, used, wait) end
  return wait
end

-- A record brought to this moment and to the window of its cell: start, current, previous.
local function roll(window, old, start, current, previous)
  if not old then return now, 0, 0 end
  if start > now then start = now end
  local elapsed = now - start
  if elapsed >= 2 * old then return now, 0, 0 end
  if elapsed >= old then start, current, previous = start + old, 0, current end
  if old == window then return start, current, previous end
  return now, 0, current + ceil(previous * (start + old - now) / old)
end

-- Used and the wait, with rest ms left of the current bucket.
local function ask_counter(current, previous, rest, limit, window)
  local used, room = current + ceil(previous * rest / window), limit - 1 - current
  if previous * rest <= room * window then return used, 0 end
  if room >= 0 then return used, ceil((previous * rest - room * window) / previous) end
  return used, rest + ceil(-room * window / current)
end

local function counter_cell(g, charges, limit, window, slot)
  local start, current, previous = roll(window, find_record(g, slot))
  local rest = start + window - now
  local used, wait = ask_counter(current, previous, rest, limit, window)
  if not charges or (g.shadow and wait > 0 and not force) then
    answer(used, wait, used, wait)
    return wait
  end
  current = min(current + 1, MAX_COUNT)
  g.slots[#g.slots + 1] = slot
  g.fresh[slot] = pack_bytes('>I4I4I6I4I4', slot, window, start, current, previous)
  answer(used, wait, ask_counter(current, previous, rest, limit, window))
  return wait
end

-- One group, with what charging it adds: entries by section, records by slot.
local function ask(value, plan)
  local g = parts(value)
  local flags, mark = unpack_bytes('>BH', plan)
  g.plan, g.mark, g.shadow = plan, mark, flags % 2 == 1
  g.lists, g.added, g.slots, g.fresh = {}, {}, {}, {}
  if flags % 4 >= 2 then g.added[1] = entry(mark) end
  if flags % 8 >= 4 then g.added[2] = entry(mark) end
  if flags >= 8 then g.added[3] = entry(mark) end
  for at = PLAN_HEAD + 1, #plan, CELL do
    local section, kind, limit, window, cell_mark, slot = unpack_bytes('>BBI4I4HI4', plan, at)
    local wait
    if kind % 2 == 0 then
      wait = log_cell(g, section + 1, kind >= 2, limit, window, cell_mark)
    else
      wait = counter_cell(g, kind >= 2, limit, window, slot)
    end
    if wait > 0 and not g.shadow and not force then allowed = false end
  end
  return g
end

-- Keeps the newest all, and of each mark the newest per_mark.
local function compact(bytes, all, per_mark)
  local kept, of_mark, count = {}, {}, #bytes / ENTRY
  for i = count, 1, -1 do
    local at = ENTRY * (i - 1) + 1
    local mark = unpack_bytes('>H', bytes, at + ENTRY - 2)
    of_mark[mark] = (of_mark[mark] or 0) + 1
    local keep = count - i < all or of_mark[mark] <= per_mark
    kept[i] = keep and sub(bytes, at, at + ENTRY - 1) or ''
  end
  return table.concat(kept)
end

-- The bytes of a section without what is too old, and with what is new: before entries that a step of
-- the clock has left in the future.
local function grow(g, s, retain)
  local from, to = 1, g.count[s]
  while from <= to and ms_of(g, s, from) <= now - retain do from = from + 1 end
  if not g.added[s] then return slice(g, s, from, to) end
  local past = to
  while past >= from and ms_of(g, s, past) > now do past = past - 1 end
  local bytes = slice(g, s, from, past) .. g.added[s] .. slice(g, s, past + 1, to)
  if #bytes <= MAX_ENTRIES * ENTRY then return bytes end
  return compact(bytes, unpack_bytes('>I4I4', g.plan, 13 + 8 * s))
end

-- The records with those that changed, and without those that count nothing any more.
local function merge(g)
  local kept, fresh = {}, g.fresh
  for at = g.record, #g.value, RECORD do
    local slot, window, start = unpack_bytes('>I4I4I6', g.value, at)
    if fresh[slot] then
      kept[#kept + 1], fresh[slot] = fresh[slot], nil
    elseif start + 2 * window > now then
      kept[#kept + 1] = sub(g.value, at, at + RECORD - 1)
    end
  end
  for _, slot in ipairs(g.slots) do kept[#kept + 1] = fresh[slot] end
  return table.concat(kept)
end

local function charge(g)
  if not next(g.added) and #g.slots == 0 then return end
  local sends, verifies, guesses = unpack_bytes('>I4I4I4', g.plan, 9)
  return join({ grow(g, 1, sends), grow(g, 2, verifies), grow(g, 3, guesses) }, merge(g))
end

-- A section in which instants further ahead than AHEAD are now.
local function settle_section(g, s)
  local bytes, far = '', g.count[s]
  while far > 0 and ms_of(g, s, far) > now + AHEAD do
    bytes = pack_bytes('>I6', now) .. sub(slice(g, s, far, far), 7) .. bytes
    far = far - 1
  end
  local past = far
  while past > 0 and ms_of(g, s, past) > now do past = past - 1 end
  return slice(g, s, 1, past) .. bytes .. slice(g, s, past + 1, far), far < g.count[s]
end

local function settle_records(g)
  local bytes, changed = '', false
  for at = g.record, #g.value, RECORD do
    local slot, window, start, current, previous = unpack_bytes('>I4I4I6I4I4', g.value, at)
    if start > now + AHEAD then start, changed = now, true end
    bytes = bytes .. pack_bytes('>I4I4I6I4I4', slot, window, start, current, previous)
  end
  return bytes, changed
end

-- What a refusal writes: after a step of the clock, stored instants would otherwise count as now until the clock has caught
-- up with them. Nothing else changes.
local function settle(g)
  local sections, changed, any = {}, false, false
  for s = 1, 3 do
    sections[s], changed = settle_section(g, s)
    any = any or changed
  end
  local records, moved = settle_records(g)
  if any or moved then return join(sections, records) end
end

local values, groups = redis.call('MGET', unpack(KEYS)), {}
for i = 1, #KEYS do groups[i] = ask(values[i], ARGV[4 + i]) end
if not allowed then as_stands[1], if_charged[1] = 0, 0 end
if mode == '1' then return as_stands end

local written = {} -- all of them are made before the first is written
for i, g in ipairs(groups) do written[i] = (allowed and charge or settle)(g) or false end
for i, g in ipairs(groups) do
  if written[i] then write(KEYS[i], written[i], (unpack_bytes('>I5', g.plan, 4))) end
end
return allowed and if_charged or as_stands
