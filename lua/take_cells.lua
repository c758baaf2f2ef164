-- Part of take: how a cell is read, and what it adds to its key.

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

-- What a record of the cell's numbers counts, and its wait.
local function ask_record(kind, start, current, previous, limit, window, burst)
  if kind == 1 then
    local rest, room = start + window - now, limit - 1 - current
    local used = current + math.ceil(previous * rest / window)
    if previous * rest <= room * window then return used, 0 end
    if room >= 0 then return used, math.ceil((previous * rest - room * window) / previous) end
    return used, rest + math.ceil(-room * window / current)
  elseif kind == 2 then
    return math.ceil(current / window), math.ceil(math.max(0, current + window - burst * window) / limit)
  end
  return current, current >= limit and start + window - now or 0
end

-- The live record of a slot, by the cell's numbers: kind, start, current (of a bucket the level), previous; or nothing.
-- For a log (kind 0) it keeps its kind. If that is more than time has made of it, the key must hold it from now on, even
-- after a refusal: g.settled.
local function read_record(g, slot, kind, limit, window, burst)
  local own_kind, own_limit, own, start, current, previous = find_record(g, slot)
  if not own_kind then return end
  if kind == 0 then kind, burst = own_kind, limit end
  local differs, ahead = own_kind ~= kind or own ~= window, start > now
  if ahead then start = now end
  local used = current
  if own_kind == 2 then
    differs = differs or own_limit ~= limit
    current = current * 4294967296 + previous - (now - start) * own_limit
    if current <= 0 then return end
    start, previous, used = now, 0, math.ceil(current / own)
  elseif now - start >= 2 * own then
    return
  elseif own_kind == 1 then
    if now - start >= own then start, current, previous = start + own, 0, current end
    if differs then used = current + math.ceil(previous * (start + own - now) / own) end
  elseif now - start >= own then
    current, used = 0, 0
  end
  if differs then
    used = math.min(used, 2000000) -- MaxCount
    if kind == 1 then
      start, current, previous = now, 0, used
    elseif kind == 2 then
      if own_kind ~= 2 or own ~= window then current = used * window end
      start, previous = now, 0
    else
      if own_kind ~= kind or now - start >= window then start = now end
      current, previous = used, 0
    end
  end
  if kind == 2 then current = math.min(current, (burst + limit - 1) * window) end
  if differs or ahead then
    g.unsettled, g.settled = true, g.settled or {}
    g.settled[slot] = struct.pack(kind == 2 and '>I4BI3I4I6I8' or '>I4BI3I4I6I4I4', slot, kind, kind == 2 and limit or 0,
      window, start, current, previous)
  end
  if kind == 2 and current == 0 then return end
  return kind, start, current, previous
end

-- The level of a bucket that has no record yet: what the entries of its log would have left in it.
local function filled(g, s, limit, window, burst, mark)
  local level, last, count = 0, now - window, g.count[s]
  local found = count > 128 and (g.instants[s][mark] or {}) -- MaxEntries
  for i = 1, found and #found or count do
    local ms = found and found[#found + 1 - i] or math.min(g[s][3 * i - 2], now)
    if ms > now - window and (found or mark == 0 or g[s][3 * i] == mark) then
      level = math.max(0, level - (ms - last) * limit) + window
      level, last = math.min(level, (burst + limit - 1) * window), ms
    end
  end
  return math.max(0, level - (now - last) * limit)
end

-- A cell's used and wait, and both again after a charge. What a charge adds goes to g.marks (by section,
-- the marks of new entries), and to g.slots and g.fresh (the records).
local function log_cell(g, s, charges, limit, window, mark, slot)
  local used, wait, wait_after = ask_log(g, s, limit, window, mark)
  local left_used, left_wait = 0, 0 -- of the time when the rule was no log
  if g.records > 0 then
    local kind, start, current, previous = read_record(g, slot, 0, limit, window)
    if kind then left_used, left_wait = ask_record(kind, start, current, previous, limit, window, limit) end
  end
  local adds
  if s > 3 then -- in shadow
    adds = charges and (force or wait == 0 and left_wait == 0)
    if adds then g.marks[s], g.shades = g.marks[s] .. struct.pack('>H', mark), true end
  else
    adds = g.marks[s] ~= '' and (mark == 0 or mark == g.mark)
  end
  local used_after = used + 1
  if not adds then used_after, wait_after = used, wait end
  if left_used == 0 then return used, wait, used_after, wait_after end
  return math.max(used, left_used), math.max(wait, left_wait),
    math.max(used_after, left_used), math.max(wait_after, left_wait)
end

local function record_cell(g, s, kind, charges, limit, window, mark, slot, burst)
  local live, start, current, previous
  if g.records > 0 then live, start, current, previous = read_record(g, slot, kind, limit, window, burst) end
  local used, wait, used_after, wait_after
  if live then
    used, wait = ask_record(kind, start, current, previous, limit, window, burst)
    used_after, wait_after = used, wait
  elseif kind == 2 then -- of the time when the rule was a log
    start, current, previous = now, filled(g, s, limit, window, burst, mark), 0
    used, wait = ask_record(kind, start, current, previous, limit, window, burst)
    used_after, wait_after = used, wait
    if s < 4 and g.marks[s] ~= '' and (mark == 0 or mark == g.mark) then
      local after = math.min(current + window, (burst + limit - 1) * window)
      used_after, wait_after = ask_record(kind, start, after, 0, limit, window, burst)
    end
  else -- the same
    used, wait, used_after, wait_after = log_cell(g, s, false, limit, window, mark, -1)
    start, current, previous = now, 0, used
    if kind == 3 then
      current, previous = used, 0
      if used > 0 then
        local _, left = ask_log(g, s, used, window, mark) -- of the oldest entry
        start = left + now - window
      end
    end
  end
  if charges and (force or s < 4 or wait == 0) then
    if kind == 2 then
      current = math.min(current + window, (burst + limit - 1) * window)
    else
      if kind == 3 and current == 0 then start = now end
      current = math.min(current + 1, 2000000) -- MaxCount
    end
    if not g.fresh then g.fresh, g.slots = {}, {} end
    g.slots[#g.slots + 1] = slot
    g.fresh[slot] = struct.pack(kind == 2 and '>I4BI3I4I6I8' or '>I4BI3I4I6I4I4', slot, kind, kind == 2 and limit or 0,
      window, start, current, previous)
    used_after, wait_after = ask_record(kind, start, current, previous, limit, window, burst)
  end
  return used, wait, used_after, wait_after
end
