-- Ends a claim, of whoever has it still.
-- ARGV: id, token, how it ended (done, later, dead, back), why, milliseconds until it may be tried
-- again, most tries, days for which done ones are known.
-- Returns 'done', 'later', 'dead' or 'back' as it became, or 'lost' if this token has it no more.
local id, how, why = ARGV[1], ARGV[3], ARGV[4]
local text = redis.call('HGET', ENTRIES, id)
if not text or not redis.call('ZSCORE', CLAIMED, id) then
  return 'lost'
end
local it = cjson.decode(text)
if it.token ~= ARGV[2] then
  return 'lost'
end
redis.call('ZREM', CLAIMED, id)
if how == 'later' and it.tries >= tonumber(ARGV[6]) then
  how = 'dead'
end
if how == 'done' then
  redis.call('HDEL', ENTRIES, id)
  redis.call('HDEL', PAYLOADS, id)
  redis.call('ZADD', DONE, whole(now), it.key)
  redis.call('HINCRBY', TOTALS, 'done', 1)
  count('done', 1)
  count('in_system', now - it.added)
  count('in_service', now - it.begun)
  forget(tonumber(ARGV[7]))
elseif how == 'later' then
  it.token = nil
  it.why = why
  keep(id, it)
  redis.call('ZADD', LATER, whole(now + tonumber(ARGV[5])), id)
  redis.call('HINCRBY', TOTALS, 'retried', 1)
elseif how == 'dead' then
  bury(id, it, why)
  count('done', 1)
  count('in_system', now - it.added)
  count('in_service', now - it.begun)
else
  it.tries = it.tries - 1
  line_up(id, it)
end
return how
