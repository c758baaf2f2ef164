-- The value of a counter key. All numbers are big-endian.
--   version 1 (1 byte); how many entries for sends, verifies and guesses, and how many records (2 bytes each);
--   the entries of the three sections, each section sorted by ms: ms (6), reservation id (4), mark (2);
--   the records: slot (4), window in ms (4), start in ms (6), current count (4), previous count (4).
--
-- A plan, as ARGV: flags (1 byte: 1 shadow; 2, 4, 8: enforced log cells charge that section), mark (2),
--   ttl in ms (5), retain in ms of each section (4 each), keep of each section, overall and of each mark (4 each);
--   then the cells: section (1), flags (1 byte: 1 counter, 2 charges), limit (4), window in ms (4), mark (2), slot (4).
local unpack_bytes, pack_bytes, sub = struct.unpack, struct.pack, string.sub
local ceil, min = math.ceil, math.min

local HEAD, ENTRY, RECORD = 9, 12, 22
local PLAN_HEAD, CELL = 44, 16

-- The parts of a value: where each section and the records begin, and how many there are of each.
local function parts(value)
  if value and #value >= HEAD then
    local version, sends, verifies, guesses, records = unpack_bytes('>BHHHH', value)
    local verify = HEAD + 1 + ENTRY * sends
    local guess = verify + ENTRY * verifies
    local record = guess + ENTRY * guesses
    if version == 1 and #value == record - 1 + RECORD * records then
      return { value = value, first = { HEAD + 1, verify, guess }, count = { sends, verifies, guesses },
        record = record, records = records }
    end
  end
  return { value = '', first = { 1, 1, 1 }, count = { 0, 0, 0 }, record = 1, records = 0 }
end

-- The opposite, from the bytes of the sections and of the records.
local function join(sections, records)
  return pack_bytes('>BHHHH', 1, #sections[1] / ENTRY, #sections[2] / ENTRY, #sections[3] / ENTRY, #records / RECORD)
    .. sections[1] .. sections[2] .. sections[3] .. records
end

-- The bytes of entries from to to of section s.
local function slice(p, s, from, to)
  return sub(p.value, p.first[s] + ENTRY * (from - 1), p.first[s] + ENTRY * to - 1)
end

local function ms_of(p, s, i)
  return (unpack_bytes('>I6', p.value, p.first[s] + ENTRY * (i - 1)))
end

-- The entries of section s as one flat list: ms, id, mark, ms, ... (what follows them is no entry).
-- One call unpacks up to 100, which is several times faster than a call for each, and no more than
-- Lua's stack holds.
local function entries(p, s)
  local list, count = {}, p.count[s]
  for from = 1, count, 100 do
    local some = min(count - from + 1, 100)
    local read = { unpack_bytes('>' .. string.rep('I6I4H', some), p.value, p.first[s] + ENTRY * (from - 1)) }
    if some == count then return read end
    for i = 1, 3 * some do list[3 * (from - 1) + i] = read[i] end
  end
  return list
end

local function record(slot, window, start, current, previous)
  return pack_bytes('>I4I4I6I4I4', slot, window, start, current, previous)
end

-- The record of a slot as it is stored: window, start, current, previous; or nothing.
local function find_record(p, slot)
  for at = p.record, #p.value, RECORD do
    local found, window, start, current, previous = unpack_bytes('>I4I4I6I4I4', p.value, at)
    if found == slot then return window, start, current, previous end
  end
end
