-- Compares a guess in the same step as the charge that take.lua has come to, if that is allowed; code_compare.lua has just
-- done so. A guess of another length is none: it costs nothing, so nothing is charged.
--
-- KEYS[#KEYS]      the verification's key, behind those of the groups
-- ARGV[#ARGV]      the guess, as code_verify.lua has it
-- returns          what take.lua does; if that is 1, with status 2 for it, and last of all an answer as code_verify.lua gives
--                  it; of a guess of another length as things stand
if status == LENGTH then reply, written = before, {} end
reply[1], reply[#reply + 1] = 2, answer
