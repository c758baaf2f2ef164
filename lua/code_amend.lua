-- Changes a live verification.
--
-- KEYS[1]  the verification's key
-- ARGV[3]  its new end in ms from its creation, or 0
-- ARGV[4]  keyed hash of its new code, or ''
-- ARGV[5]  what it holds sealed, or ''
-- returns  {status; the server's clock}
if late then return { LATE, server } end
local v = read(redis.call('MGET', KEYS[1])[1])
if not v then return { NONE, server } end
local status = state(v)
if status ~= DONE then return { status, server } end

if ARGV[3] ~= '0' then v.expires = v.created + ARGV[3] end
if ARGV[4] ~= '' then v.code = ARGV[4] end
if ARGV[5] ~= '' then v.sealed = ARGV[5] end
save(v, struct.pack(BODY, v.length, v.code, v.phone, #v.app, v.app, #v.scene, v.scene, #v.sealed, v.sealed))
return { DONE, server }
