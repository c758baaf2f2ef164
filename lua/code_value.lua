-- The value of a verification. All numbers are big-endian.
--   version 1 (1 byte), used 0 or 1 (1), attempts left (1),
--   created, expires and keep, in ms (6 each; it is forgotten at expires + keep);
--   then the body, which only Go makes: length of the code (1), keyed hashes of code and phone (16 each), and, each
--   behind its own length, app (1), scene (1) and sealed (2).
-- A new one, as an argument: attempts (1), how long it lives and how long after that it is forgotten, in ms (6 each), and
-- both together as text behind which a zero stands, at least 1; then the body.
-- A guess, as an argument: how many digits it has (1), keyed hash of the phone, or zeros for any (16), what takes the place of
-- the code's hash when it is used, or zeros to leave it (16), each behind its own length the app (1) and the scene, or '' for
-- any (1), and keyed hashes that the code may have (16 each).
-- An answer that brings a value: the status, with its sign (1), the server's clock in ms (6), and the value.
local NEW = '>BI6I6s'
local HEAD = '>BBBI6I6I6'
local BODY = '>Bc16c16Bc0Bc0Hc0'
local BODY_AT = 22
local GUESS = '>Bc16c16Bc0Bc0'
local ANSWER = '>bI6'
local ZEROS = string.rep('\0', 16)
