/**
 * Each operation at a host is one script, whose keys share the host's hash tag, by Redis's own clock. Keys of each script:
 * - the leases of the attempts in flight, by expiry
 * - the merchants that were there lately, by time
 * - whether any work waits in the backlog
 * - the breaker of the merchant that asks
 *
 * Arguments of each: the merchant, how many may be in flight, how long a merchant counts as there (ms).
 */
export const keysOfSlot = (host: string, merchantId: string): [string, string, string, string] => {
  const tag = `tidegate:{notify-${host}}`;
  // The key of the backlog keeps an older name, because workers of the previous release use it during a rolling
  // upgrade.
  return [`${tag}:leases`, `${tag}:merchants`, `${tag}:line`, `${tag}:breaker:${merchantId}`];
};

/**
 * A merchant that is alone at a host may use all of its slots. Several merchants share them, at least two each, so that
 * a hanging one leaves slots to the others.
 */
const state = `
local leases, merchants, backlog, breaker = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local merchant, cap, seen = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local probeAt = tonumber(redis.call('hget', breaker, 'probeAt') or '')
local running = redis.call('zrangebyscore', leases, '(' .. now, '+inf')
local own = 0
for _, lease in ipairs(running) do
  if string.sub(lease, 1, #merchant + 1) == merchant .. ' ' then own = own + 1 end
end
local others = redis.call('zcount', merchants, now - seen, '+inf')
if (tonumber(redis.call('zscore', merchants, merchant) or '') or 0) >= now - seen then others = others - 1 end
local share = others == 0 and cap or math.max(2, math.floor(cap / (others + 1)))
`;

/** Further arguments: the lease and how long it holds, first | retry | backlog, how often an open breaker lets one through, how long a backlog is remembered. */
export const enterScript = `${state}
local lease, holds, how, probeEvery, backlogHolds = ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
redis.call('zremrangebyscore', merchants, '-inf', now - seen)
redis.call('zadd', merchants, now, merchant)
redis.call('pexpire', merchants, seen)
if probeAt and now < probeAt then return 'breaker_open' end
-- First attempts that wait go before a new retry.
if how == 'retry' and redis.call('exists', backlog) == 1 then return 'host_full' end
if #running >= cap or own >= share then
  redis.call('set', backlog, 1, 'px', backlogHolds)
  return 'host_full'
end
redis.call('zremrangebyscore', leases, '-inf', now)
redis.call('zadd', leases, now + holds, merchant .. ' ' .. lease)
redis.call('pexpire', leases, holds)
if not probeAt then return 'slot' end
redis.call('hset', breaker, 'probeAt', now + probeEvery)
return 'probe'
`;

/**
 * Further arguments, in this order:
 * - the lease, and how long it holds
 * - delivered | failed | unused
 * - whether the next of the backlog is wanted
 * - how many failures in a row open the breaker, and how often it then lets one through
 * - how long an open breaker and a backlog are remembered
 * - whether the slot was the breaker's probe
 * - whether it was granted only just now
 * - how long failures are remembered that have not opened the breaker
 *
 * Returns whether the slot is kept for the next of the backlog, whether any work waits there, and whether the breaker was opened or closed.
 * The last value is 1 if a success ended a row of failures.
 */
export const leaveScript = `${state}
local lease, holds, outcome, wantsNext = merchant .. ' ' .. ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7] == '1'
local failures, probeEvery, kept, backlogHolds = tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10], ARGV[11]
local wasProbe, isFresh, counted = ARGV[12] == '1', ARGV[13] == '1', ARGV[14]
local turned, recovered = '', 0
if outcome == 'delivered' then
  if probeAt then
    turned, probeAt = 'closed', nil
    redis.call('set', backlog, 1, 'px', backlogHolds)
  end
  recovered = redis.call('del', breaker)
elseif outcome == 'failed' then
  local inARow = redis.call('hincrby', breaker, 'failures', 1)
  if inARow >= failures and not probeAt then
    turned, probeAt = 'opened', now + probeEvery
    redis.call('hset', breaker, 'probeAt', probeAt)
  end
  redis.call('pexpire', breaker, probeAt and kept or counted)
elseif wasProbe and probeAt then
  redis.call('hset', breaker, 'probeAt', now)
end
local waits = redis.call('exists', backlog)
-- Where there are more merchants than shares a turn goes round.
local mayStay = own <= share and ((others + 1) * share <= cap or isFresh)
if wantsNext and waits == 1 and not probeAt and mayStay and redis.call('zscore', leases, lease) then
  redis.call('zadd', leases, now + holds, lease)
  redis.call('pexpire', leases, holds)
  redis.call('zadd', merchants, now, merchant)
  redis.call('pexpire', merchants, seen)
  redis.call('pexpire', backlog, backlogHolds)
  return {1, waits, turned, recovered}
end
redis.call('zrem', leases, lease)
return {0, waits, turned, recovered}
`;

/** How many slots the merchant could get now. */
export const roomScript = `${state}
local free = math.max(0, math.min(cap - #running, share - own))
if probeAt then return now >= probeAt and math.min(1, free) or 0 end
return free
`;
