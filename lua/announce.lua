-- Tells every instance that counters were reset: by a message, and by a number for those who do not hear it.
--
-- KEYS[1]  the number of the latest reset
-- ARGV[3]  its time to live in ms
-- ARGV[4]  the channel
-- ARGV[5]  the tags, with blanks between them
-- returns  {1 told; 0 only numbered, PUBLISH is refused; -1 late; the server's clock}
--
-- The message is the number before, the number, and the tags. Numbers are no less than the clock in ms: one that has
-- expired does not come again.
if late then return { -1, server } end
local before = tonumber(redis.call('MGET', KEYS[1])[1] or '') or 0
if before ~= math.floor(before) or before < 0 or before >= 2 ^ 52 then before = 0 end
local number = math.max(before + 1, server)
redis.call('SET', KEYS[1], string.format('%.0f', number), 'PX', longer + ARGV[3])
local told = redis.pcall('PUBLISH', ARGV[4], string.format('%.0f %.0f %s', before, number, ARGV[5]))
if type(told) == 'table' then return { 0, server } end
return { 1, server }
