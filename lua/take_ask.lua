-- Part of take: asks every cell of every group, and answers if nothing is to be written.
local none, groups = {}, {}
local unsettled = false
allowed, place = true, 3 -- whatever take_plain.lua has come to

-- One group: what parts makes of its value, and beside it
--   plan, mark            of the plan, its mark as a number
--   binds                 whether the plan charges enforced cells
--   place                 of its first answer
--   [1] to [6]            the sections that cells name, as lists; and below 0 joined ones
--   shades                whether an entry in shadow is charged
--   owned, ids            see joined
--   marks, slots, fresh, settled, unsettled, compacted   see below
--   instants              of each section too long to go through for every cell (over 128, MaxEntries): the instants of each mark,
--                         and of all under 0, newest first, each no later than the one before it
--   places                of many records: see find_record
-- The instants of section s, for g.instants.
local function index(g, s)
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

-- What an enforced cell reads beside a shadow section with entries: section s, joined, under the mark of the cell, with
-- those of its own mark there whose ids s has not. Returns where that stands: s itself, if there are none.
--   g.owned   of each shadow section, by mark: ms, id, ms, ... of its entries
--   g.ids     the ids in each section
local function joined(g, s, mark, own)
  local shadow = s + 3
  if not g.owned then g.owned, g.ids = {}, {} end
  if not g.owned[s] then
    local by_mark = {}
    if not g[shadow] then
      g[shadow] = entries(g, shadow)
      if g.count[shadow] > 128 then index(g, shadow) end -- MaxEntries
    end
    if ms_of(g, shadow, g.count[shadow]) > now then g.unsettled = true end
    for i = 1, 3 * g.count[shadow], 3 do
      local found = by_mark[g[shadow][i + 2]] or {}
      by_mark[g[shadow][i + 2]] = found
      found[#found + 1] = g[shadow][i]
      found[#found + 1] = g[shadow][i + 1]
    end
    g.owned[s] = by_mark
  end
  local left = g.owned[s][own]
  if not left then return s end
  if not g.ids[s] then
    local ids = {}
    for i = 2, 3 * g.count[s], 3 do ids[g[s][i]] = true end
    g.ids[s] = ids
  end
  local all, from = {}, 1
  local function add(until_ms)
    while left[from] and math.min(left[from], now) < until_ms do
      if not g.ids[s][left[from + 1]] then
        all[#all + 1] = left[from]
        all[#all + 1] = left[from + 1]
        all[#all + 1] = mark
      end
      from = from + 2
    end
  end
  for i = 1, 3 * g.count[s], 3 do
    add(math.min(g[s][i], now))
    for j = i, i + 2 do all[#all + 1] = g[s][j] end
  end
  add(now + 1)
  local at = -place
  g[at], g.count[at], g.marks[at] = all, #all / 3, g.marks[s]
  if g.count[at] > 128 then index(g, at) end -- MaxEntries
  return at
end

local function ask(value, plan)
  local flags, mark = struct.unpack('>BH', plan)
  local g, own = parts(value), string.sub(plan, 2, 3)
  g.plan, g.mark, g.binds, g.place = plan, mark, flags % 32 >= 16, place
  g.marks = { flags % 4 >= 2 and own or '', flags % 8 >= 4 and own or '', flags % 16 >= 8 and own or '' }
  local at = 54
  if flags % 2 == 1 then
    at = 78
    for s = 4, 6 do g.marks[s], g.first[s], g.count[s] = '', g.first[s] or 1, g.count[s] or 0 end
  end
  while at <= #plan do
    local s, flags, limit, window, cell_mark, slot, burst
    s, flags, limit, window, cell_mark, slot, at = struct.unpack('>BBI4I4HI4xx', plan, at)
    s = s + 1
    if not g[s] then
      g[s] = g.count[s] > 0 and entries(g, s) or none
      if g.count[s] > 0 and ms_of(g, s, g.count[s]) > now then g.unsettled = true end
      if g.count[s] > 128 then index(g, s) end -- MaxEntries
    end
    if g.count[4] and s < 4 and g.count[s + 3] > 0 then s = joined(g, s, cell_mark, (struct.unpack('>H', plan, at - 2))) end
    local kind, used, wait, used_after, wait_after = flags % 4
    if kind == 0 then
      used, wait, used_after, wait_after = log_cell(g, s, flags >= 4, limit, window, cell_mark, slot)
    else
      if kind == 2 then burst, at = struct.unpack('>I4', plan, at) end
      used, wait, used_after, wait_after = record_cell(g, s, kind, flags >= 4, limit, window, cell_mark, slot, burst)
    end
    local refuses = wait > 0 and 1 or 0
    stands[place], stands[place + 1] = used, 2 * wait + refuses
    charged[place], charged[place + 1] = used_after, 2 * wait_after + refuses
    place = place + 2
    if wait > 0 and s < 4 and not force then allowed = false end
  end
  unsettled = unsettled or g.unsettled
  return g
end

for i = 1, plans do groups[i] = ask(values[i], ARGV[4 + i]) end
if not allowed then stands[1] = 0 end
if peek or (not allowed and not unsettled) then return stands end
