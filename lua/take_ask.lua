-- Part of take: asks every cell of every group, and answers if nothing is to be written.
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
  local at = 45
  while at <= #plan do
    local s, flags, limit, window, cell_mark, slot, burst
    s, flags, limit, window, cell_mark, slot, at = struct.unpack('>BBI4I4HI4', plan, at)
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
    if wait > 0 and not g.shadow and not force then allowed = false end
  end
  unsettled = unsettled or g.unsettled
  return g
end

for i = 1, plans do groups[i] = ask(values[i], ARGV[4 + i]) end
if not allowed then stands[1] = 0 end
if peek or (not allowed and not unsettled) then return stands end
