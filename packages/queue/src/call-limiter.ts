import { randomUUID } from 'node:crypto';
import { type CallLimiter, type CallTurns, callContext, type LimitedAccount } from '@tidegate/domain/channels';
import {
  type FairRate,
  type FairRateOptions,
  headStart,
  openFairRate,
  type PoolsObserver,
} from '@tidegate/domain/sharing';
import type { Result } from 'ioredis';
import * as z from 'zod';
import { boundaryOf, type RedisConnection } from './connection.ts';
import { luaWithin, onOwnKeys } from './own-state.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    claimCall(...keysAndArguments: (string | number)[]): Result<unknown, Context>;
  }
}

/** The longest wait for a turn: a create may take 8 s in all (decisions 5.3). */
const longestWaitMs = 8_000;
/** The most calls that may wait for one account in this process. */
const places = 1_000;
/** The most processes that share an account. */
const maxProcesses = 1_000;
const maxHeadStart = Math.max(...Object.values(headStart));
/** Accounts whose waiting calls are remembered; those without any are dropped beyond that. */
const maxAccounts = 1_000;

/**
 * The calls of each account share its rate, over all processes. Over any t seconds at most `burst` + t × `perSecond`
 * calls are allowed (the algorithm GCRA). A process claims one call at a time, when it may be made, and gives it to the
 * merchant whose turn it is then. If Redis does not answer, a call is allowed. The provider may then refuse it, and such
 * an answer never decides an order.
 */
export function openCallLimiter(redis: RedisConnection, observer?: PoolsObserver): CallLimiter & CallTurns {
  redis.defineCommand('claimCall', { numberOfKeys: 2, lua: claimScript });
  const process = randomUUID();
  const rates = new Map<string, FairRate>();
  const rateOf = (of: LimitedAccount): FairRate => {
    const known = rates.get(of.account);
    if (known) return known;
    if (rates.size >= maxAccounts) for (const [name, { waiting }] of rates) if (waiting === 0) rates.delete(name);
    const claim = claimInRedis(redis, process, of);
    const opened = openFairRate({ pool: 'call_rate', claim, places, ...(observer && { observer }) });
    rates.set(of.account, opened);
    return opened;
  };
  const turn: CallTurns['turn'] = (of, asking) => {
    const maxWaitMs = Math.min(asking.maxWaitMs, of.rate.maxWaitMs ?? longestWaitMs, longestWaitMs);
    return rateOf(of).take({ ...asking, maxWaitMs });
  };
  return {
    turn,
    async take(account, rate, signal) {
      if (signal.aborted) return false;
      const { owner, priority, turn: ahead } = callContext();
      if (ahead?.account === account && ahead.turn.use()) return true;
      const taken = await turn({ account, rate }, { owner, priority, maxWaitMs: longestWaitMs, signal });
      if (!taken.ok) return false;
      if (!signal.aborted) return taken.turn.use();
      taken.turn.giveBack();
      return false;
    },
  };
}

const claimReply = z.tuple([z.number().min(0), z.number().min(0), z.number().min(0)]);

function claimInRedis(
  redis: RedisConnection,
  process: string,
  { account, rate: { perSecond, burst } }: LimitedAccount,
): FairRateOptions['claim'] {
  const tag = `tidegate:{calls:${account}}`;
  const keys = [tag, `${tag}:waiting`] as const;
  const types = [
    [keys[0], 'string'],
    [keys[1], 'hash'],
  ] as const;
  const spacingMicros = Math.ceil(1e6 / perSecond);
  const boundary = boundaryOf(redis);
  return async ({ priority, owners }) => {
    const call = [...keys, spacingMicros, burst, process, owners, headStart[priority]] as const;
    const reply = await onOwnKeys(redis, types, () => redis.claimCall(...call)).catch(() => null);
    // Without a usable answer a call is allowed, as without Redis.
    const claimed = reply === null ? null : boundary.readData('call_rate', reply, claimReply);
    const [waitMs, ready, perTurnMs] = claimed ?? [0, places, 0];
    return { waitMs, ready, perTurnMs };
  };
}

/**
 * Claims one call of the account. The first key has the time at which the next call is due. The second has a field for
 * each process that waits: how much of its share it has used, less its head start now, its weight, and until when it is
 * expected back. The weight of a process is the number of owners that wait in it, so that owners of all processes share
 * alike. Who has used the least goes first, as in `FairQueue`.
 *
 * Returns the milliseconds to wait, 0 with the call; how many more calls could be had at once; and how many milliseconds
 * are between two calls of this process. The times are those of Redis's clock. A process that is not back in time loses
 * its place, and what it has used no longer counts.
 *
 * What the keys have is read through bounds: what this script cannot have written counts as nothing there. So a wrong
 * value stops no account, and lets no more calls through than an empty Redis. The next call is due at most a burst from
 * now; no process waits with less than nothing, more owners than calls may wait, or until later than it asks again.
 */
const claimScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local spacing, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local me, owners, ahead = ARGV[3], math.max(1, tonumber(ARGV[4])), tonumber(ARGV[5])
local grace = 100000
${luaWithin}
local due = math.max(within(redis.call('GET', KEYS[1]), 0, now + spacing * burst) or 0, now)
local wait = math.max(0, due - now - spacing * (burst - 1))
local used, least, total, isNext = nil, nil, owners, true
local others = {}
local fields = redis.call('HGETALL', KEYS[2])
local isUsable = #fields <= 2 * ${maxProcesses}
if not isUsable then
  redis.call('SET', KEYS[2], '', 'PX', 1)
  fields = {}
end
for i = 1, #fields, 2 do
  local share, start, weight, till = string.match(string.sub(fields[i + 1], 1, 100), '^(%S+) (%S+) (%S+) (%S+)$')
  share, start, weight = within(share, 0, 1e12), within(start, 0, ${maxHeadStart}), within(weight, 0, ${places})
  if not (share and start and weight and within(till, now, now + math.max(250000, spacing) + grace)) then
    redis.call('HDEL', KEYS[2], fields[i])
  elseif fields[i] == me then
    used = share
  elseif weight > 0 then
    local other = { share = share, start = start }
    others[#others + 1] = other
    total = total + weight
    least = math.min(least or other.share, other.share)
  end
end
-- Who comes new begins with those that have used the least. Who goes on keeps what it has used.
used = used or least or 0
for _, other in ipairs(others) do
  if other.share - other.start < used - ahead then isNext = false end
end
local perTurn = math.ceil(spacing * total / owners / 1000)
local function keep(weight, till)
  if not isUsable then return end
  redis.call('HSET', KEYS[2], me, string.format('%.6f %d %d %.0f', used, ahead, weight, till))
  redis.call('PEXPIRE', KEYS[2], 60000)
end
if wait > 0 or not isNext then
  -- Who is not the next one asks again soon, in case the next one does not come.
  if wait == 0 then wait = math.min(spacing, 5000) end
  keep(owners, now + math.min(wait, 250000) + grace)
  return { math.ceil(wait / 1000), 0, perTurn }
end
redis.call('SET', KEYS[1], string.format('%.0f', due + spacing), 'PX', math.ceil((due + spacing - now) / 1000) + 1000)
used = used + 1 / owners
-- It waits no more, unless it asks again.
keep(0, now + spacing + grace)
return { 0, math.max(0, math.floor(burst - (due + spacing - now) / spacing)), perTurn }
`;
