-- How the queue stands, changing nothing.
-- Returns the server's now, how many are ready, later, claimed, dead and known as done, when the
-- oldest that is ready was added ('' if none is), and then, as JSON, totals, minutes and workers.
local oldest = ''
for _, id in ipairs(redis.call('ZRANGE', READY, 0, 0)) do
  oldest = whole(entry(id).added)
end
local function all(key)
  local found, list = redis.call('HGETALL', key), {}
  for i = 1, #found, 2 do
    list[#list + 1] = found[i]
    list[#list + 1] = found[i + 1]
  end
  return list
end
return {
  whole(now), redis.call('ZCARD', READY), redis.call('ZCARD', LATER), redis.call('ZCARD', CLAIMED),
  redis.call('ZCARD', DEAD), redis.call('ZCARD', DONE), oldest,
  all(TOTALS), all(MINUTES), all(WORKERS),
}
