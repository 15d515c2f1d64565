import { luaWithin } from '@tidegate/queue';

/**
 * The Lua scripts by which workers share the delivery slots of a host. Each operation is one atomic script. All keys of
 * a host have the same hash tag, so they are on one node of Redis. Times are those of the clock of Redis, in ms.
 *
 * Keys of each script:
 * - `leases`: the slots in use, by expiry
 * - `merchants`: the merchants that tried to deliver there lately, by time
 * - `line`, called `backlog` in the scripts: a mark that work waits at the host
 * - `breaker`: the failures in a row of this merchant, and `probeAt` if its breaker is open
 *
 * First arguments of each script, in this order:
 * - the merchant
 * - the number of slots of the host
 * - how long a merchant counts as active there
 * - the time between two attempts that an open breaker lets through
 * - how long a slot lasts
 *
 * What the keys have is read through bounds: a time that no script can have written counts as none.
 */
export const keysOfSlot = (host: string, merchantId: string): [string, string, string, string] => {
  const tag = `tidegate:{notify-${host}}`;
  // The key of the backlog keeps an older name, because workers of the previous release use it during a rolling
  // upgrade.
  return [`${tag}:leases`, `${tag}:merchants`, `${tag}:line`, `${tag}:breaker:${merchantId}`];
};

/** The types of those keys. */
export const typesOfSlot = ['zset', 'zset', 'string', 'hash'] as const;

/**
 * Reads the state that each script needs: the time, the slots in use, how many of them the merchant has (`own`), and its
 * fair share. A merchant that is alone at a host may use all of its slots. Several merchants share them, at least two
 * each. So a merchant whose endpoint hangs leaves slots to the others.
 */
const state = `${luaWithin}
local leases, merchants, backlog, breaker = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local merchant, cap, seen, probeEvery = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local holds = tonumber(ARGV[5])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local probeAt = within(redis.call('hget', breaker, 'probeAt'), 0, now + probeEvery)
local running = redis.call('zrangebyscore', leases, '(' .. now, now + holds, 'LIMIT', 0, cap)
local own = 0
for _, lease in ipairs(running) do
  if string.sub(lease, 1, #merchant + 1) == merchant .. ' ' then own = own + 1 end
end
local others = redis.call('zcount', merchants, now - seen, now)
if within(redis.call('zscore', merchants, merchant), now - seen, now) then others = others - 1 end
local share = others == 0 and cap or math.max(2, math.floor(cap / (others + 1)))
`;

/**
 * Requests a slot. Further arguments, in this order:
 * - the id of the lease
 * - what the slot is for: `first` or `retry` for a new attempt, `backlog` for the next notification of the backlog
 * - how long the mark of a backlog lasts
 *
 * Returns `slot`, or `probe` if an open breaker lets this attempt through, or the refusal `host_full` or `breaker_open`.
 */
export const enterScript = `${state}
local lease, how, backlogHolds = ARGV[6], ARGV[7], tonumber(ARGV[8])
redis.call('zremrangebyscore', merchants, '-inf', now - seen)
redis.call('zremrangebyscore', merchants, '(' .. now, '+inf')
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
redis.call('zremrangebyscore', leases, '(' .. now + holds, '+inf')
redis.call('zadd', leases, now + holds, merchant .. ' ' .. lease)
redis.call('pexpire', leases, holds)
if not probeAt then return 'slot' end
redis.call('hset', breaker, 'probeAt', now + probeEvery)
return 'probe'
`;

/**
 * Ends an attempt. Releases its slot, or keeps it for the next notification of the backlog. If there are more merchants
 * than shares, a slot is kept only for its first 250 ms, so that each merchant gets a turn.
 *
 * Further arguments, in this order:
 * - the id of the lease
 * - how the attempt ended: `delivered`, `failed` or `unused`
 * - whether the worker wants the next notification of the backlog
 * - how many failures in a row open the breaker
 * - how long an open breaker and the mark of a backlog last
 * - whether the slot was the breaker's probe
 * - whether the slot was granted within the last 250 ms
 * - how long failures that have not opened the breaker are stored
 *
 * Returns four values:
 * - whether the slot is kept
 * - whether any work waits at the host
 * - `opened` or `closed` if the breaker changed, else an empty text
 * - 1 if a success ended a row of failures
 */
export const leaveScript = `${state}
local lease, outcome, wantsNext = merchant .. ' ' .. ARGV[6], ARGV[7], ARGV[8] == '1'
local failures, kept, backlogHolds = tonumber(ARGV[9]), ARGV[10], ARGV[11]
local wasProbe, isFresh, counted = ARGV[12] == '1', ARGV[13] == '1', ARGV[14]
local turned, recovered = '', 0
if outcome == 'delivered' then
  if probeAt then
    turned, probeAt = 'closed', nil
    redis.call('set', backlog, 1, 'px', backlogHolds)
  end
  recovered = redis.call('del', breaker)
elseif outcome == 'failed' then
  local inARow = (within(redis.call('hget', breaker, 'failures'), 0, 1e9) or 0) + 1
  redis.call('hset', breaker, 'failures', inARow)
  if inARow >= failures and not probeAt then
    turned, probeAt = 'opened', now + probeEvery
    redis.call('hset', breaker, 'probeAt', probeAt)
  end
  redis.call('pexpire', breaker, probeAt and kept or counted)
elseif wasProbe and probeAt then
  redis.call('hset', breaker, 'probeAt', now)
end
local waits = redis.call('exists', backlog)
-- If there are more merchants than shares, a slot is not kept for long, so that each merchant gets a turn.
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

/** Returns how many slots the merchant could get now. No further arguments. */
export const roomScript = `${state}
local free = math.max(0, math.min(cap - #running, share - own))
if probeAt then return now >= probeAt and math.min(1, free) or 0 end
return free
`;
