-- Keeps the check value of the index secret, with which every counter key is made.
--
-- KEYS[1]  the check value's key
-- ARGV[3]  the check value
-- ARGV[4]  its time to live in ms
-- returns  {1 it is there, as given; 0 there is another one, which stays; -1 late; the server's clock}
if late then return { -1, server } end
local held = redis.call('MGET', KEYS[1])[1]
if held and held ~= ARGV[3] then return { 0, server } end
redis.call('SET', KEYS[1], ARGV[3], 'PX', longer + ARGV[4])
return { 1, server }
