-- Makes claims last longer, of whoever has them still.
-- ARGV: token, lease in milliseconds, ids. Returns the ids that this token has no more.
local lost = {}
for i = 3, #ARGV do
  local id = ARGV[i]
  local text = redis.call('HGET', ENTRIES, id)
  if text and cjson.decode(text).token == ARGV[1] and redis.call('ZSCORE', CLAIMED, id) then
    redis.call('ZADD', CLAIMED, whole(now + tonumber(ARGV[2])), id)
  else
    lost[#lost + 1] = id
  end
end
return lost
