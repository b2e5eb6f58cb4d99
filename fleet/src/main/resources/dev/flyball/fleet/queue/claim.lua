-- Gives a worker what is next: by priority and age, to be its own until the lease ends.
-- ARGV: worker, token, most, lease in milliseconds, how full the limits are (0 to 1, -1 if nobody
-- knows), most tries, how many it works on now, how many it would like to, below which fullness it is
-- paused, and above which it goes on.
-- Returns whether it is paused, milliseconds until the next may be due (-1: nothing is waiting), how
-- many are still ready, and then for each entry its id, tries, key, kind, output, milliseconds since it was added, and payload.
local worker, token, most, lease = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local full, tries, busy = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

for _, id in ipairs(redis.call('ZRANGEBYSCORE', CLAIMED, '-inf', whole(now), 'LIMIT', 0, 100)) do
  redis.call('ZREM', CLAIMED, id)
  local it = entry(id)
  redis.call('HINCRBY', TOTALS, 'lost', 1)
  local why = 'the worker ' .. it.worker .. ' was lost'
  if it.tries >= tries then
    bury(id, it, why .. ', at try ' .. whole(it.tries) .. ' of ' .. whole(tries))
  else
    it.why = why
    line_up(id, it)
  end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', LATER, '-inf', whole(now), 'LIMIT', 0, 500)) do
  redis.call('ZREM', LATER, id)
  line_up(id, entry(id))
end

local seen = redis.call('HGET', WORKERS, worker)
seen = seen and cjson.decode(seen) or {paused = 0}
local paused = seen.paused
if full >= 0 then
  if paused > 0 and full > tonumber(ARGV[10]) then
    paused = 0
  elseif paused == 0 and full < tonumber(ARGV[9]) then
    paused = now
  end
else
  paused = 0
end
-- No pause lasts for ever: after a minute with nothing under way, one goes and teaches.
if paused > 0 and busy == 0 and now - paused > 60000 then
  most = math.min(most, 1)
  paused = now
elseif paused > 0 then
  most = 0
end

local next_due = -1
local later = redis.call('ZRANGE', LATER, 0, 0, 'WITHSCORES')[2]
local ends = redis.call('ZRANGE', CLAIMED, 0, 0, 'WITHSCORES')[2]
if later then next_due = math.max(0, tonumber(later) - now) end
if ends then
  local left = math.max(0, tonumber(ends) - now)
  next_due = next_due < 0 and left or math.min(next_due, left)
end
local ids = most > 0 and redis.call('ZRANGE', READY, 0, most - 1) or {}
if #ids > 0 then redis.call('ZREM', READY, unpack(ids)) end
local answer = {paused > 0 and 1 or 0, next_due, redis.call('ZCARD', READY)}
for _, id in ipairs(ids) do
  local it = entry(id)
  it.tries, it.token, it.worker, it.begun = it.tries + 1, token, worker, now
  keep(id, it)
  redis.call('ZADD', CLAIMED, whole(now + lease), id)
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3], answer[n + 4] = id, it.tries, it.key, it.kind
  answer[n + 5], answer[n + 6] = it.output, now - it.added
  answer[n + 7] = redis.call('HGET', PAYLOADS, id)
end
redis.call('HSET', WORKERS, worker, cjson.encode({
  seen = now, full = full, paused = paused, busy = busy + #ids, wanted = tonumber(ARGV[8]),
}))
redis.call('EXPIRE', WORKERS, 86400)
return answer
