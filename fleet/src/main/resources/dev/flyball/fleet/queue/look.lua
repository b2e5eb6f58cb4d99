-- Shows entries, changing nothing. ARGV: ready, later, claimed or dead, from where, how many.
-- Returns for each its id, when (a moment that means what the set means), the server's now, and what
-- is known of it, as JSON without its payload.
local SETS = {ready = READY, later = LATER, claimed = CLAIMED, dead = DEAD}
local from = tonumber(ARGV[2])
local found =
  redis.call('ZRANGE', SETS[ARGV[1]], from, from + tonumber(ARGV[3]) - 1, 'WITHSCORES')
local answer = {}
for i = 1, #found, 2 do
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = found[i], found[i + 1], whole(now)
  answer[n + 4] = redis.call('HGET', ENTRIES, found[i])
end
return answer
