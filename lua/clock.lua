-- The clock, read once: two calls of TIME within one script differ.
--   server  the server's clock in ms
--   now     the same, or ARGV[1] if a test replaces the clock
--   late    whether not_after has passed
--   longer  what to add to a time to live, in ms: Redis expires keys by its own clock, so with a replaced
--           one they are left longer (no answer depends on a key having gone)
local time = redis.call('TIME')
local server = time[1] * 1000 + math.floor(time[2] / 1000)
local now, longer = tonumber(ARGV[1]), 3600000
if now == 0 then now, longer = server, 0 end
local late = server > tonumber(ARGV[2])
