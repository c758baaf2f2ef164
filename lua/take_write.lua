-- Writes what take.lua has made, and answers.
for i = 1, plans do
  if written[i] then
    redis.call('SET', KEYS[i], written[i], 'PX', longer + (struct.unpack('>I5', ARGV[4 + i], 4)))
  end
end
return reply
