-- How a verification is read and written again, and what the scripts that do so answer as their status:
--   0 there is none, 1 done, 2 the code is wrong, 3 its length is wrong, 4 used, 5 no attempts left, 6 expired,
--   -1 late.
local NONE, DONE, WRONG, LENGTH, USED, EXHAUSTED, EXPIRED, LATE = 0, 1, 2, 3, 4, 5, 6, -1

-- Takes a value apart; an error if it is not what the scripts make.
local function take_apart(value)
  local version, used, left, created, expires, keep = struct.unpack(HEAD, value)
  local length, code, phone, app, scene, sealed, past = struct.unpack(BODY, value, BODY_AT)
  assert(version == 1 and past == #value + 1)
  return {
    value = value, used = used, left = left, created = created, expires = expires, keep = keep,
    length = length, code = code, phone = phone, app = app, scene = scene, sealed = sealed,
  }
end

-- The verification that a value holds, or nothing if there is none that is not forgotten.
local function read(value)
  if not value then return end
  local ok, v = pcall(take_apart, value)
  if ok and now < v.expires + v.keep then return v end
end

local function state(v)
  if v.used == 1 then return USED end
  if v.left == 0 then return EXHAUSTED end
  if now >= v.expires then return EXPIRED end
  return DONE
end

-- Writes the verification with the given body under the last key, and returns the value.
local function save(v, bytes)
  local value = struct.pack(HEAD, 1, v.used, v.left, v.created, v.expires, v.keep) .. bytes
  redis.call('SET', KEYS[#KEYS], value, 'PX', longer + math.max(1, v.expires + v.keep - now))
  return value
end
