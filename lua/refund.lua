-- Gives back what take charged: log entries by their id, so that any number of times equals once;
-- of records one event: from the level, or from the count that the charge fell in. A key that is missing stays so.
--
-- KEYS[i]    the key of group i
-- ARGV[3]    reservation id
-- ARGV[4]    when take charged, in ms
-- ARGV[5]    for each cell of all groups, in order, 1 if it was not charged after all; or ''
-- ARGV[5+i]  the plan of group i
-- returns    {1 done, -1 late; the server's clock}
if late then return { -1, server } end
local id, at_ms = tonumber(ARGV[3]), tonumber(ARGV[4])
local cells = 0 -- how many have been looked at

-- The sections and slots that the plan charged.
local function charged(plan)
  local sections, slots = {}, {}
  local flags = struct.unpack('>B', plan)
  local at = flags % 2 == 1 and 78 or 54
  while at <= #plan do
    local section, flags, slot, _
    section, flags, _, _, _, slot, at = struct.unpack('>BBI4I4HI4xx', plan, at)
    cells = cells + 1
    if flags == 4 then sections[section + 1] = true end
    if flags > 4 and string.sub(ARGV[5], cells, cells) ~= '1' then slots[slot] = true end
    if flags % 4 == 2 then at = at + 4 end -- the burst
  end
  return sections, slots
end

local function without(p, s)
  local list, kept = entries(p, s), {}
  for i = 1, p.count[s] do
    if list[3 * i - 1] ~= id then kept[#kept + 1] = slice(p, s, i, i) end
  end
  return table.concat(kept)
end

local function lessen(kind, window, start, current, previous)
  if kind == 2 then
    local level = math.max(0, current * 4294967296 + previous - window)
    return math.floor(level / 4294967296), level % 4294967296
  end
  if at_ms >= start then return math.max(0, current - 1), previous end
  if at_ms >= start - window then return current, math.max(0, previous - 1) end
  return current, previous
end

local function lessened(p, slots)
  local records = {}
  for at = p.record, #p.value, 26 do
    local slot, kind, limit, window, start, current, previous = struct.unpack('>I4BI3I4I6I4I4', p.value, at)
    if slots[slot] then current, previous = lessen(kind, window, start, current, previous) end
    records[#records + 1] = struct.pack('>I4BI3I4I6I4I4', slot, kind, limit, window, start, current, previous)
  end
  return table.concat(records)
end

local function refunded(p, plan)
  local charged_sections, slots = charged(plan)
  local kept = {}
  for s = 1, #p.count do
    kept[s] = charged_sections[s] and without(p, s) or slice(p, s, 1, p.count[s])
  end
  return join(kept[1], kept[2], kept[3], lessened(p, slots), unpack(kept, 4))
end

local values, written = redis.call('MGET', unpack(KEYS)), {}
for i = 1, #KEYS do
  local p = parts(values[i])
  local value = refunded(p, ARGV[5 + i])
  written[i] = p.value ~= '' and value ~= p.value and value
end
for i = 1, #KEYS do
  if written[i] then redis.call('SET', KEYS[i], written[i], 'PX', longer + (struct.unpack('s', ARGV[5 + i], 4))) end
end
return { 1, server }
