-- Asks every cell of every plan and, if no enforced cell refuses, charges them, all or nothing.
-- What a cell reads, and what is written, is the contract of throttle.Store; of its bounds, counts stop at
-- 2000000 (throttle.MaxCount), and a section of more than 128 entries (throttle.MaxEntries) is compacted. One that is
-- longer all the same, since rules read that many, is indexed before it is read.
--
-- What follows stands in parts: take_plain.lua does all of it where that is simple; else take_cells.lua reads, take_ask.lua
-- decides, and take_values.lua makes the new values and the answer. None is written yet: take_write.lua does that.
--
-- KEYS[i]    the key of group i
-- ARGV[3]    0 take, 1 peek (writes nothing), 2 force (charges without asking); and, with one more key behind those of the
--            groups, 3 take, which leaves that key alone (see send.lua), and 4 take, which reads it too (see verify.lua)
-- ARGV[4]    reservation id
-- ARGV[4+i]  the plan of group i
-- returns    {1 allowed, 0 refused, -1 late; the server's clock; and for each cell in order:
--            used, 2 * wait in ms + (1 if the cell refuses)}; after the charge if there was one;
--            of a group that is not there, perhaps -1 for all its cells: after the charge what its plan alone tells,
--            else 0 of each
local peek, force = ARGV[3] == '1', ARGV[3] == '2'
local reads = ARGV[3] == '3' and #KEYS - 1 or #KEYS
local plans = ARGV[3] == '4' and #KEYS - 1 or reads
if late and not peek then return { -1, server } end
