-- Puts dead letters back into the queue, or takes entries out of it.
-- ARGV: retry or drop, then keys or ids; or '*' and one of ready, later, dead, and how many at most.
-- Returns how many were moved, how many are being worked on, and how many are not there.
local moved, busy, gone = 0, 0, 0
local SETS = {ready = READY, later = LATER, dead = DEAD}
local ids = {}
if ARGV[2] == '*' then
  ids = redis.call('ZRANGE', SETS[ARGV[3]], 0, tonumber(ARGV[4]) - 1)
else
  for i = 2, #ARGV do
    local known = redis.call('HGET', IDS, ARGV[i])
    ids[#ids + 1] = known and string.match(known, '^%d+') or ARGV[i]
  end
end
for _, id in ipairs(ids) do
  local text = redis.call('HGET', ENTRIES, id)
  if not text then
    gone = gone + 1
  elseif redis.call('ZSCORE', CLAIMED, id) then
    busy = busy + 1
  elseif ARGV[1] == 'drop' then
    local it = cjson.decode(text)
    for _, set in pairs(SETS) do redis.call('ZREM', set, id) end
    redis.call('HDEL', ENTRIES, id)
    redis.call('HDEL', PAYLOADS, id)
    redis.call('HDEL', IDS, it.key)
    redis.call('HINCRBY', TOTALS, 'dropped', 1)
    moved = moved + 1
  elseif redis.call('ZREM', DEAD, id) == 1 or redis.call('ZREM', LATER, id) == 1 then
    local it = cjson.decode(text)
    it.tries = 0
    line_up(id, it)
    moved = moved + 1
  else
    gone = gone + 1
  end
end
return {moved, busy, gone}
