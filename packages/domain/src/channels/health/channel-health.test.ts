import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import { isAnswer } from '../../core/routing-health.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { answerOfRecord } from '../call-channel.ts';
import { readChannelHistories, readChannelsNow } from './read-channel-health.ts';
import { rollUpCalls } from './roll-up-calls.ts';

const minute = 60_000;
const hour = 60 * minute;

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());
/** The beginning of the last minute that is over long enough. */
let last: number;
beforeEach(async () => {
  const { pool } = fixture.domain.database;
  // Logs refuse to be emptied.
  const client = await pool.connect();
  await client.query(
    "set session_replication_role = 'replica'; delete from channel_call; reset session_replication_role",
  );
  client.release();
  await pool.query(
    `truncate channel_health; update log_progress set until = date_trunc('hour', clock_timestamp()) - interval '7 days'`,
  );
  const { rows } = await pool.query<{ at: number }>(
    `select (extract(epoch from date_trunc('minute', clock_timestamp() - interval '2 minutes')) * 1000)::float8 as at`,
  );
  last = rows[0]?.at ?? 0;
  await summedUpTo(last - 30 * minute);
});

/** Pretends that the log is summed up to this moment. */
async function summedUpTo(at: number): Promise<void> {
  await fixture.domain.database.pool.query(
    `update log_progress set until = to_timestamp($1::float8 / 1000) where log = 'channel_call'`,
    [at],
  );
}

interface Call {
  at: number;
  ms?: number;
  outcome?: string;
  detail?: string | null;
  isSent?: boolean;
  isAnswer?: boolean;
  operation?: string;
  channelId?: string;
}
let createdCount = 0;
async function called(calls: readonly Call[]): Promise<void> {
  await fixture.domain.database.pool.query(
    `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome, detail, is_sent, is_answer)
     select 'M', 'O', id, channel, operation, to_timestamp(at / 1000), ms, outcome, detail, "isSent", "isAnswer"
     from json_to_recordset($1::json) as r(id text, channel text, operation text, at float8, ms integer, outcome text, detail text, "isSent" boolean, "isAnswer" boolean)`,
    [
      JSON.stringify(
        calls.map(({ channelId = 'bank', ...call }) => {
          createdCount += 1;
          const usual = { operation: 'create', ms: 100, outcome: 'accepted', detail: null, isSent: true };
          const isAnswer = call.outcome !== 'unknown' || /^(not_found|undecided)/.test(call.detail ?? '');
          return { ...usual, isAnswer, ...call, id: `${createdCount}`, channel: channelId };
        }),
      ),
    ],
  );
}

/** Then it is the end of the last minute, however long the test takes. */
async function rollUp(): Promise<void> {
  while (await rollUpCalls(fixture.domain));
  await summedUpTo(last + minute);
}
const now = async (channelId = 'bank') => (await readChannelsNow(fixture.domain, [channelId]))[0];
const times = (count: number, call: Call): Call[] => Array.from({ length: count }, () => call);

test('the current health covers the last ten complete minutes: answers, speed and the last error', async () => {
  await called([
    ...times(90, { at: last, ms: 100 }),
    ...times(10, { at: last - 9 * minute, ms: 2_000 }),
    { at: last, outcome: 'unknown', detail: 'not_found: no such order', operation: 'query' },
    { at: last, outcome: 'unknown', detail: 'undecided: under review', operation: 'query' },
    { at: last + 1, ms: 9_000, outcome: 'unknown', detail: 'no_answer: time-out' },
    { at: last, outcome: 'refused', detail: 'amount too small' },
    ...times(3, { at: last, operation: 'callback', outcome: 'paid' }),
    ...times(5, { at: last - 10 * minute, outcome: 'unknown', detail: 'no_answer: long ago' }),
    { at: last, channelId: 'other' },
  ]);
  await rollUp();
  const found = await now();
  expect(found).toMatchObject({
    channelId: 'bank',
    condition: 'answering',
    asOf: last + minute,
    calls: 104,
    answered: 103,
    refused: 1,
    callbacks: 3,
    answerRate: 103 / 104,
    lastError: { at: last + 1, message: 'no_answer: time-out' },
  });
  expect(Math.abs((found?.p50Ms ?? 0) - 100)).toBeLessThanOrEqual(5);
  expect(Math.abs((found?.p95Ms ?? 0) - 2_000)).toBeLessThanOrEqual(100);
});

test('an empty log of a new installation is summed up at once', async () => {
  await summedUpTo(last - 3 * 24 * hour);
  expect(await rollUpCalls(fixture.domain)).toBe(false);
  expect((await now())?.asOf).toBeGreaterThanOrEqual(last);
});

test('a call that was not sent is shown as the last error, and counts in no figure', async () => {
  const answers: ChannelAnswer[] = [
    { outcome: 'unknown', why: 'no_answer', isUnsent: true, detail: 'not sent: the rate limit' },
    { outcome: 'unknown', why: 'no_answer', isForbidden: true, detail: '10.0.0.1:443' },
    { outcome: 'refused', isUnsent: true, reason: 'too little time' },
  ];
  await called(answers.map((answer, i) => ({ ...answerOfRecord(answer), at: last + i })));
  await rollUp();
  expect(await now()).toMatchObject({
    condition: 'idle',
    calls: 0,
    answered: 0,
    refused: 0,
    answerRate: null,
    p50Ms: null,
    lastError: { at: last + 2, message: 'not sent: too little time' },
  });
});

test.each<[answer: string, ChannelAnswer]>([
  ['without a decision', { outcome: 'unknown', why: 'no_answer', detail: 'under review', isUndecided: true }],
  ['of an outage', { outcome: 'unknown', why: 'no_answer', detail: 'HTTP 503' }],
  ['about an unknown order', { outcome: 'unknown', why: 'not_found', detail: 'no such order' }],
  ['that refuses', { outcome: 'refused', reason: 'amount too small' }],
])('a reply %s counts as an answer in the shown health exactly if it does in routing', async (_, answer) => {
  await called([{ at: last, ...answerOfRecord(answer) }]);
  await rollUp();
  expect(await now()).toMatchObject({ calls: 1, answered: isAnswer(answer) ? 1 : 0 });
});

test.each([
  ['idle', []],
  ['answering', times(9, { at: 0, outcome: 'unknown' })],
  ['silent', times(10, { at: 0, outcome: 'unknown', detail: 'no_answer: reset' })],
  ['failing', [...times(10, { at: 0, outcome: 'unknown' }), ...times(9, { at: 0 })]],
  ['answering', [...times(10, { at: 0, outcome: 'unknown' }), ...times(10, { at: 0 })]],
])('the condition of a channel is %s', async (condition, calls) => {
  await called(calls.map((call) => ({ ...call, at: last })));
  await rollUp();
  expect(await now()).toMatchObject({ condition });
});

test('each call is counted once, minute after minute, and two workers count it once', async () => {
  await called(Array.from({ length: 400 }, (_, i) => ({ at: last - i * 4_000 })));
  const first = async () => {
    while (await rollUpCalls(fixture.domain));
  };
  await Promise.all([first(), first()]);
  await rollUp();
  const [history] = await readChannelHistories(fixture.domain, ['bank']);
  expect(history?.reduce((sum, { calls }) => sum + calls, 0)).toBe(400);
  for (const { startsAt } of history ?? []) expect(startsAt % hour).toBe(0);
});

test('a minute is counted only when its slow calls have ended', async () => {
  await called([{ at: Date.now() }]);
  await rollUp();
  expect(await now()).toMatchObject({ calls: 0, condition: 'idle', lastError: null, p50Ms: null });
});

test('the history has seven days in hours, and older hours are deleted', async () => {
  const { pool } = fixture.domain.database;
  const before = last - 6 * 24 * hour;
  await called([{ at: before, ms: 50 }, { at: before, outcome: 'refused' }, { at: last }]);
  await summedUpTo(before);
  expect(await rollUpCalls(fixture.domain)).toBe(true);
  await summedUpTo(last);
  await pool.query(
    `insert into channel_health (channel_id, grain, starts_at, operation, calls, answered, refused, buckets, counts)
     select 'bank', grain, date_trunc('hour', clock_timestamp()) - age, 'create', 1, 1, 0, '{1}', '{1}'
     from (values ('hour', interval '9 days'), ('hour', interval '180 hours'), ('minute', interval '3 hours')) as t(grain, age)`,
  );
  await rollUp();
  const [history, other] = await readChannelHistories(fixture.domain, ['bank', 'other']);
  expect(history?.map(({ calls, refused }) => [calls, refused])).toEqual([
    [2, 1],
    [1, 0],
  ]);
  expect(other).toEqual([]);
  const { rows } = await pool.query(
    'select grain, count(*)::integer as count from channel_health group by grain order by grain',
  );
  // Of the minutes only the last one is left; of the hours also one that is no longer shown.
  expect(rows).toEqual([
    { grain: 'hour', count: 3 },
    { grain: 'minute', count: 1 },
  ]);
});
