-- The value of a counter key. All numbers are big-endian.
--   head (9 bytes): version (1), which is 2, or 3 with entries of rules in shadow; how many entries for sends, verifies and
--     guesses, how many records (2 each); and, of version 3, how many entries in shadow for each of the three (6);
--   the entries of the three sections, and of version 3 of the three shadow sections, each section oldest first;
--   an entry (12 bytes): ms (6), reservation id (4), mark (2);
--   the records;
--   a record (26 bytes): slot (4), kind (1: 1 counter, 2 bucket, 3 fixed), limit of a bucket (3), window in ms (4), start in
--     ms (6), current count (4), previous count (4); or, of a bucket, the level in 1/window of an event (8).
--   A section has at most 65,000 entries: a log's limit is 1,000 at most, so rules can read the newest 1,000 overall and
--   the newest 1,000 of each of 64 scenes; where a key could hold more, the newest stay. There are at most
--   16,384 records: 256 rules in 64 scenes. A value with more was written by no script.
--
-- A plan, as an argument. All numbers are big-endian.
--   head (53 bytes): flags (1: 1 some cells are in shadow; 2, 4, 8: enforced log cells charge sends, verifies, guesses; 16:
--     enforced cells charge; 32: all cells are enforced, logs or counters, each counter has a slot of its own, and logs
--     charge one section at most; 64: some of these are counters), mark (2), ttl in ms as text behind which a zero stands (14),
--     retain in ms of each section (4 each), keep of each section, overall and of each mark (4 each); and, with flag 1, of each
--     shadow section retain and keep of each mark (24);
--   the cells;
--   a cell (18 bytes): section (1: 0 to 2, and 3 to 5 in shadow), flags (1: the kind of its record or 0 for a log, and 4 if
--     it is charged), limit (4), window in ms (4), mark (2: in shadow the rule's own), slot (4), the rule's own mark (2);
--     and, of a bucket, burst (4).
--
-- Sections 1 to 3 are those of enforced cells, 4 to 6 the shadow ones beside them; a value without has no 4 to 6 below.
--
-- take_plain.lua reads and writes both by itself, without the functions below: who changes one changes the other.
--
-- These numbers stand in the code as they are: in Lua each name that a function takes from outside is paid for at
-- every run of the script. So are functions, of which there are few for that reason.

-- The parts of a value: where each section and the records begin, and how many there are of each.
local function parts(value)
  if value and #value >= 9 then
    local version, sends, verifies, guesses, records = struct.unpack('>BHHHH', value)
    local send, shadows, whole = 10, nil, version == 2
    if version == 3 and #value >= 15 then
      send, shadows = 16, { struct.unpack('>HHH', value, 10) }
      whole = shadows[1] <= 65000 and shadows[2] <= 65000 and shadows[3] <= 65000
    end
    local verify = send + 12 * sends
    local guess = verify + 12 * verifies
    local record = guess + 12 * guesses
    local first, count = { send, verify, guess }, { sends, verifies, guesses }
    for s = 1, shadows and 3 or 0 do
      first[3 + s], count[3 + s] = record, shadows[s]
      record = record + 12 * shadows[s]
    end
    if whole and #value == record - 1 + 26 * records
      and sends <= 65000 and verifies <= 65000 and guesses <= 65000 and records <= 16384 then
      return { value = value, first = first, count = count, record = record, records = records }
    end
  end
  return { value = '', first = { 1, 1, 1 }, count = { 0, 0, 0 }, record = 1, records = 0 }
end

-- The opposite, from the bytes of the sections and of the records; a value without entries in shadow may leave them out.
local function join(sends, verifies, guesses, records, send, verify, guess)
  if not send or send .. verify .. guess == '' then
    return struct.pack('>BHHHH', 2, #sends / 12, #verifies / 12, #guesses / 12, #records / 26)
      .. sends .. verifies .. guesses .. records
  end
  return struct.pack('>BHHHHHHH', 3, #sends / 12, #verifies / 12, #guesses / 12, #records / 26,
    #send / 12, #verify / 12, #guess / 12) .. sends .. verifies .. guesses .. send .. verify .. guess .. records
end

-- The bytes of the entries from to to of section s.
local function slice(g, s, from, to)
  return string.sub(g.value, g.first[s] + 12 * from - 12, g.first[s] + 12 * to - 1)
end

-- The instant of entry i of section s.
local function ms_of(g, s, i)
  return (struct.unpack('>I6', g.value, g.first[s] + 12 * i - 12))
end

-- The entries of section s as one flat list: ms, id, mark, ms, ... (what follows them is no entry).
-- One call unpacks up to 100, which is several times faster than a call for each, and no more than
-- Lua's stack holds.
local function entries(g, s)
  local list, count = {}, g.count[s]
  for from = 1, count, 100 do
    local some = math.min(count - from + 1, 100)
    local read = { struct.unpack('>' .. string.rep('I6I4H', some), g.value, g.first[s] + 12 * from - 12) }
    if some == count then return read end
    for i = 1, 3 * some do list[3 * from - 3 + i] = read[i] end
  end
  return list
end

-- The record of a slot as it is stored: kind, limit, window, start, current, previous (of a bucket the two halves of
-- its level); or nothing. Where there are many they are gone through once, not once for every cell.
local function find_record(g, slot)
  local from = g.record
  if g.records > 32 then
    if not g.places then
      g.places = {}
      for at = #g.value - 25, from, -26 do g.places[struct.unpack('>I4', g.value, at)] = at end
    end
    from = g.places[slot] or #g.value
  end
  for at = from, #g.value - 25, 26 do
    local found, kind, limit, window, start, current, previous = struct.unpack('>I4BI3I4I6I4I4', g.value, at)
    if found == slot then return kind, limit, window, start, current, previous end
  end
end
