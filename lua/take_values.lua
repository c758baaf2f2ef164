-- Part of take: makes all values that are to be written, and the answer; take_write.lua writes them.

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
  local marks, count, added = g.marks[s] or '', g.count[s], ''
  for at = 1, #marks, 2 do
    added = added .. struct.pack('>I6I4', now, tonumber(ARGV[4])) .. string.sub(marks, at, at + 1)
  end
  if count == 0 or ms_of(g, s, count) <= now - ttl and (g.binds or s > 3) then return added end
  if added == '' then return clamped(g, s, 1) end
  local from = 1
  while from <= count and ms_of(g, s, from) <= now - retain do from = from + 1 end
  local bytes = clamped(g, s, from) .. added
  if #bytes <= 12 * 128 then return bytes end -- MaxEntries
  g.compacted = true
  if s > 3 then return compact(bytes, 0, (struct.unpack('>I4', g.plan, 50 + 4 * s))) end
  return compact(bytes, struct.unpack('>I4I4', g.plan, 22 + 8 * s))
end

-- Whether the record that begins at a byte is not dead.
local function lives(g, at)
  local kind, limit, window, start, high, low = struct.unpack('>BI3I4I6I4I4', g.value, at + 4)
  if kind == 2 then return high * 4294967296 + low > (now - start) * limit end
  return now - start < 2 * window
end

-- The records as they are to be kept; after a charge with what is fresh, and if that was of enforced cells without the dead
-- ones.
local function merged(g, after_charge)
  if g.records == 0 and not g.fresh then return '' end
  local kept, fresh, settled = {}, after_charge and g.fresh or {}, g.settled or {}
  for at = g.record, #g.value, 26 do
    local slot = struct.unpack('>I4', g.value, at)
    if fresh[slot] then
      kept[#kept + 1], fresh[slot] = fresh[slot], nil
    elseif settled[slot] then
      kept[#kept + 1] = settled[slot]
    elseif not after_charge or not g.binds or lives(g, at) then
      kept[#kept + 1] = string.sub(g.value, at, at + 25)
    end
  end
  for _, slot in ipairs(g.slots or {}) do kept[#kept + 1] = fresh[slot] end
  return table.concat(kept, '', math.max(1, #kept - 16383)) -- the newest, if the names of rules have changed that often
end

-- The group's new value, if there is one: with the charge; or with what had to be settled, since a wait
-- would else not keep its word.
local function new_value(g)
  if allowed and (g.marks[1] ~= '' or g.marks[2] ~= '' or g.marks[3] ~= '' or g.fresh or g.shades) then
    local ttl, sends, verifies, guesses = struct.unpack('s', g.plan, 4), struct.unpack('>I4I4I4', g.plan, 18)
    local send, verify, guess = grown(g, 1, ttl, sends), grown(g, 2, ttl, verifies), grown(g, 3, ttl, guesses)
    if not g.count[4] then return join(send, verify, guess, merged(g, true)) end
    if g.shades then sends, verifies, guesses = struct.unpack('>I4I4I4', g.plan, 54) end
    return join(send, verify, guess, merged(g, true), grown(g, 4, ttl, sends), grown(g, 5, ttl, verifies), grown(g, 6, ttl, guesses))
  end
  if not g.unsettled then return end
  local send, verify, guess = clamped(g, 1, 1), clamped(g, 2, 1), clamped(g, 3, 1)
  if not g.count[4] then return join(send, verify, guess, merged(g, false)) end
  return join(send, verify, guess, merged(g, false), clamped(g, 4, 1), clamped(g, 5, 1), clamped(g, 6, 1))
end

for i = 1, #groups do written[i] = new_value(groups[i]) or false end

-- Compaction drops entries that were counted: then the answers after the charge are what the new value says.
if not allowed then reply = stands end
for i = 1, #groups do
  local g = groups[i]
  if g.compacted then
    stands, charged, place = {}, {}, g.place
    ask(written[i], g.plan)
    for at = g.place, place - 2, 2 do
      reply[at], reply[at + 1] = stands[at], stands[at + 1] - stands[at + 1] % 2 + reply[at + 1] % 2
    end
  end
end
