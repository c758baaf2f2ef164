-- The value of a verification. All numbers are big-endian.
--   version 1 (1 byte), used 0 or 1 (1), attempts left (1),
--   created, expires and keep, in ms (6 each; it is forgotten at expires + keep);
--   then the body, which only Go makes: length of the code (1), keyed hashes of code and phone (16 each), and, each
--   behind its own length, app (1), scene (1) and sealed (2).
-- A new one, as an argument: attempts (1), how long it lives and how long after that it is forgotten, in ms (6 each), and
-- both together as text behind which a zero stands, at least 1; then the body.
local NEW = '>BI6I6s'
local HEAD = '>BBBI6I6I6'
local BODY = '>Bc16c16Bc0Bc0Hc0'
local BODY_AT = 22
