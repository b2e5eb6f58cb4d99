-- Adds entries that are not known yet, as long as there is room.
-- ARGV: most, days for which done ones are known, whether those are added again ('1'), how many more
-- are to be added after these, then for each entry its key, kind, digest, patience in milliseconds, output and payload.
-- Returns added, known, done, dead, changed, milliseconds until there may be room (0 if there was),
-- how many are in the queue now, and the first key whose content is another than before ('').
local most = tonumber(ARGV[1])
local held = redis.call('ZCARD', READY) + redis.call('ZCARD', LATER) + redis.call('ZCARD', CLAIMED)
local added, known, done, dead, changed, wait, first = 0, 0, 0, 0, 0, 0, ''
forget(tonumber(ARGV[2]))
for i = 5, #ARGV, 6 do
  local key, digest = ARGV[i], ARGV[i + 2]
  local id = redis.call('HGET', IDS, key)
  if id and ARGV[3] == '1' and redis.call('ZSCORE', DONE, key) then
    redis.call('ZREM', DONE, key)
    redis.call('HDEL', IDS, key)
    id = false
  end
  if id then
    local before = string.match(id, ' (.*)$')
    id = string.match(id, '^%d+')
    if before ~= digest then
      changed = changed + 1
      if first == '' then first = key end
    elseif redis.call('ZSCORE', DEAD, id) then
      dead = dead + 1
    elseif redis.call('ZSCORE', DONE, key) then
      done = done + 1
    else
      known = known + 1
    end
  elseif held >= most then
    local minute = math.floor(now / 60000)
    local ended = 0
    for back = 0, 4 do
      local sums = redis.call('HGET', MINUTES, whole((minute - back) % 60))
      if sums then
        sums = cjson.decode(sums)
        if sums.minute == minute - back then ended = ended + (sums.done or 0) end
      end
    end
    local left = (#ARGV - i + 1) / 6 + tonumber(ARGV[4])
    local passed = 240000 + now % 60000
    wait = ended > 0 and math.ceil(left * passed / ended) or 60000
    wait = math.max(1000, math.min(3600000, wait))
    break
  else
    id = string.format('%012d', redis.call('HINCRBY', TOTALS, 'number', 1))
    redis.call('HSET', IDS, key, id .. ' ' .. digest)
    redis.call('HSET', PAYLOADS, id, ARGV[i + 5])
    local patience = tonumber(ARGV[i + 3])
    line_up(id, {
      key = key, kind = ARGV[i + 1], output = ARGV[i + 4], patience = patience,
      added = now, score = now + patience, tries = 0,
    })
    held = held + 1
    added = added + 1
  end
end
if added > 0 then
  redis.call('HINCRBY', TOTALS, 'added', added)
  count('added', added)
end
return {added, known, done, dead, changed, wait, held, first}
