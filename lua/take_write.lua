-- Writes what take.lua has made, and answers. A time to live that is text already, Redis need not write as one.
for i = 1, plans do
  if written[i] then
    local ttl = struct.unpack('s', ARGV[4 + i], 4)
    redis.call('SET', KEYS[i], written[i], 'PX', longer == 0 and ttl or longer + ttl)
  end
end
return reply
