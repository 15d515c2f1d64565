import type { Database } from '../../database/database.ts';
import { durationOfBucket, healthSql } from './queries.ts';

/** Calls that were sent to a channel within a time. Callbacks are calls of the channel to the service, and are counted apart. */
export interface ChannelCalls {
  calls: number;
  /** Calls with an answer, also one without a decision. */
  answered: number;
  refused: number;
  callbacks: number;
  /** Answered divided by all, 0 to 1; null without calls. */
  answerRate: number | null;
  /** The median duration of the calls, within 5 %; null without calls. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface ChannelHour extends ChannelCalls {
  /** The beginning of the hour of UTC, in Unix milliseconds. */
  startsAt: number;
}

/** `idle`: no calls. `answering`, `failing`: less than half of at least ten calls was answered. `silent`: none of them. */
export type ChannelCondition = 'idle' | 'answering' | 'failing' | 'silent';

export interface ChannelNow extends ChannelCalls {
  channelId: string;
  condition: ChannelCondition;
  /** The end of the ten minutes, in Unix milliseconds. */
  asOf: number;
  /** The last call of two hours that was not sent, not answered or refused. */
  lastError: { at: number; message: string } | null;
}

interface Row {
  until: number;
  channelId: string | null;
  startsAt: number;
  operation: string;
  calls: number;
  answered: number;
  refused: number;
  buckets: number[];
  counts: number[];
  lastError: string | null;
  lastErrorAt: number | null;
}

const minuteMs = 60_000;
const nowMinutes = 10;
const errorMinutes = 120;
const historyMinutes = 7 * 24 * 60;
/** With fewer calls the health of a channel is not known. */
const minCalls = 10;

/** The health of these channels in the last ten complete minutes, in the order of the ids. */
export async function readChannelsNow(
  { database }: { database: Database },
  channelIds: readonly string[],
): Promise<ChannelNow[]> {
  const { rows } = await database.reading.query<Row>(healthSql, [channelIds, 'minute', errorMinutes]);
  const asOf = rows[0]?.until ?? 0;
  const byChannel = Map.groupBy(rows, ({ channelId }) => channelId);
  return channelIds.map((channelId) => {
    const all = byChannel.get(channelId) ?? [];
    const calls = callsOf(all.filter(({ startsAt }) => startsAt >= asOf - nowMinutes * minuteMs));
    return { channelId, asOf, ...calls, condition: conditionOf(calls), lastError: lastErrorOf(all) };
  });
}

/** The last seven days of these channels by the hour, oldest first, hours without calls left out. */
export async function readChannelHistories(
  { database }: { database: Database },
  channelIds: readonly string[],
): Promise<ChannelHour[][]> {
  const { rows } = await database.reading.query<Row>(healthSql, [channelIds, 'hour', historyMinutes]);
  const byChannel = Map.groupBy(rows, ({ channelId }) => channelId);
  return channelIds.map((channelId) =>
    [...Map.groupBy(byChannel.get(channelId) ?? [], ({ startsAt }) => startsAt)].map(([startsAt, ofHour]) => ({
      startsAt,
      ...callsOf(ofHour),
    })),
  );
}

function callsOf(rows: readonly Row[]): ChannelCalls {
  const own = rows.filter(({ operation }) => operation !== 'callback');
  const sum = (of: readonly Row[], name: 'calls' | 'answered' | 'refused'): number =>
    of.reduce((total, row) => total + row[name], 0);
  const calls = sum(own, 'calls');
  const answered = sum(own, 'answered');
  const callbacks = sum(rows, 'calls') - calls;
  const [p50Ms = null, p95Ms = null] = percentiles(own, calls);
  const answerRate = calls === 0 ? null : answered / calls;
  return { calls, answered, refused: sum(own, 'refused'), callbacks, answerRate, p50Ms, p95Ms };
}

/** The durations below which half, and 95 %, of the calls are. */
function percentiles(rows: readonly Row[], calls: number): number[] {
  const counts = new Map<number, number>();
  for (const row of rows)
    for (const [i, bucket] of row.buckets.entries())
      counts.set(bucket, (counts.get(bucket) ?? 0) + (row.counts[i] ?? 0));
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return [0.5, 0.95].flatMap((share) => {
    let soFar = 0;
    for (const [bucket, count] of sorted) {
      soFar += count;
      if (soFar >= share * calls) return [durationOfBucket(bucket)];
    }
    return [];
  });
}

function conditionOf({ calls, answered }: ChannelCalls): ChannelCondition {
  if (calls === 0) return 'idle';
  if (calls < minCalls || answered * 2 >= calls) return 'answering';
  return answered === 0 ? 'silent' : 'failing';
}

function lastErrorOf(rows: readonly Row[]): ChannelNow['lastError'] {
  const [last] = rows
    .flatMap(({ lastError, lastErrorAt }) =>
      lastErrorAt === null ? [] : [{ at: lastErrorAt, message: lastError ?? '' }],
    )
    .sort((a, b) => b.at - a.at);
  return last ?? null;
}
