-- What all scripts of the queue begin with: its keys by their names, the server's clock, and the
-- few steps that several of them take.
local READY, LATER, CLAIMED, DEAD, DONE = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local ENTRIES, PAYLOADS, IDS, TOTALS, MINUTES, WORKERS =
  KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)

local function whole(number)
  return string.format('%d', number)
end

local function entry(id)
  return cjson.decode(redis.call('HGET', ENTRIES, id))
end

local function keep(id, it)
  redis.call('HSET', ENTRIES, id, cjson.encode(it))
end

-- Sums of the current minute; each of sixty places is used again an hour later.
local function count(what, amount)
  local minute = math.floor(now / 60000)
  local place = whole(minute % 60)
  local sums = cjson.decode(redis.call('HGET', MINUTES, place) or '{"minute":-1}')
  if sums.minute ~= minute then
    sums = {minute = minute}
  end
  sums[what] = (sums[what] or 0) + amount
  redis.call('HSET', MINUTES, place, cjson.encode(sums))
  redis.call('EXPIRE', MINUTES, 7200)
end

local function bury(id, it, why)
  it.token = nil
  it.why = why
  keep(id, it)
  redis.call('ZADD', DEAD, whole(now), id)
  redis.call('HINCRBY', TOTALS, 'dead', 1)
end

local function line_up(id, it)
  it.token = nil
  keep(id, it)
  redis.call('ZADD', READY, whole(it.score), id)
end

-- What is known of what was done long ago is forgotten, a little at a time.
local function forget(days)
  local old = redis.call('ZRANGEBYSCORE', DONE, '-inf', whole(now - days * 86400000), 'LIMIT', 0, 50)
  for _, key in ipairs(old) do
    redis.call('ZREM', DONE, key)
    redis.call('HDEL', IDS, key)
  end
end
