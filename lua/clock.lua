-- The clock, read once: two calls of TIME within one script differ.
--   server      the server's clock in ms
--   now         the same, or ARGV[1] if a test replaces the clock
--   write(...)  sets a key with its time to live. Redis expires keys by its own clock, so with a replaced
--               one they are left longer: no answer depends on a key having gone.
local time = redis.call('TIME')
local server = time[1] * 1000 + math.floor(time[2] / 1000)
local now = tonumber(ARGV[1])
local replaced = now ~= 0
if not replaced then now = server end

local function late()
  return server > tonumber(ARGV[2])
end

local function write(key, value, ttl)
  if replaced then ttl = ttl + 3600000 end
  redis.call('SET', key, value, 'PX', ttl)
end
