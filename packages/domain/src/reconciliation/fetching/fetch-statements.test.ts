import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { beforeEach, expect, test } from 'vitest';
import type { FetchedStatement, StatementRequest } from '../../channels/channel.ts';
import { unrestricted } from '../../lists/scope.ts';
import { jsonLines, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll, statementText } from '../../testing/statements.ts';
import { closeDay } from '../days/close-day.ts';
import { setReconciliation } from '../days/set-reconciliation.ts';
import { listReconciliationDays } from '../list-days.ts';
import { maxBytesOfDay } from './decide-fetch.ts';
import { countMissingStatements, fetchStatements } from './fetch-statements.ts';
import { requestFetch } from './request-fetch.ts';

// The schedule against a channel whose answers the test sets. The days before yesterday are over in every time zone.

const country = 'PK';
const currency = 'PKR';
const day = dayAgo(country, 2);
const agreed = by('ann', 'bob');
const lineOf = (on: string) => aLine({ currency, bookedOn: on, channelRef: `R-${on}` });
const ready = (rows: readonly (object | string)[]): FetchedStatement => ({
  outcome: 'ready',
  bytes: Readable.from([Buffer.from(statementText(rows))]),
});

let fixture: TestDomain;
let requests: string[];
let answer: (request: StatementRequest) => FetchedStatement | Promise<FetchedStatement>;
beforeEach(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  requests = [];
  answer = ({ day: on }) => ready([lineOf(on)]);
  fixture.channel.statementFormats = ['json-lines'];
  fixture.channel.fetchStatement = async (request) => {
    requests.push(request.day);
    return answer(request);
  };
  return () => fixture.close();
});

const set = (beginsOn: string, fetches = true) =>
  setReconciliation(fixture.domain, { country, channelId: 'fake', beginsOn, fetches }, agreed);
const run = (ending = new AbortController().signal) => fetchStatements(fixture.domain, ending);
/** Runs the schedule and imports what came, until nothing is due. */
async function runAll(): Promise<void> {
  let found: string;
  do {
    found = await run();
    await reconcileAll(fixture.domain);
  } while (found === 'found');
  await run();
}
const sql = async (text: string) => (await fixture.domain.database.pool.query({ text, rowMode: 'array' })).rows;
const fetches = () =>
  sql(`select day::text, state, outcome, attempts from statement_fetch where day <= '${day}' order by day`);
const files = () =>
  sql(`select state, first_day::text, lines from statement_file where fetched_day <= '${day}' order by first_day`);
const makeDue = () => sql("update statement_fetch set next_at = clock_timestamp() where state = 'due'");

test('each day since the begin of the fetching is fetched once and imported', async () => {
  expect(await set(dayAgo(country, 3))).toMatchObject({ value: { fetches: true } });
  await runAll();
  await runAll();
  const days = [dayAgo(country, 3), day];
  expect(await fetches()).toEqual(days.map((on) => [on, 'fetched', null, 1]));
  expect(await files()).toEqual(days.map((on) => ['imported', on, 1]));
  expect(requests.filter((on) => on <= day)).toEqual(days);
  expect(await sql('select distinct uploaded_by from statement_file')).toEqual([['the schedule']]);
});

test('an uploaded statement is not fetched again, and nothing is fetched while fetching is switched off', async () => {
  await anImport(fixture.domain, country, [lineOf(day)]);
  await reconcileAll(fixture.domain);
  await runAll();
  expect(requests).toEqual([]);
  await set(day);
  await runAll();
  expect(requests).not.toContain(day);
});

test('days without rows have equal files: all days are covered, and the file is stored once', async () => {
  answer = () => ready([{ ...noSummary, lines: 0 }]);
  await set(dayAgo(country, 4));
  await runAll();
  expect(await fetches()).toEqual([4, 3, 2].map((n) => [dayAgo(country, n), 'fetched', null, 1]));
  expect(await files()).toHaveLength(1);
  const filter = { from: dayAgo(country, 4), to: day };
  const days = await listReconciliationDays(fixture.domain, unrestricted, filter);
  expect(days.map((one) => one.isCovered)).toEqual([true, true, true]);
});

test('a file that is not ready is requested again, counted as missing after failures, and imported when it comes late', async () => {
  answer = () => ({ outcome: 'unknown', detail: 'HTTP 429' });
  await set(day);
  await runAll();
  expect(await fetches()).toEqual([[day, 'due', 'unknown', 1]]);
  expect(await countMissingStatements(fixture.domain)).toEqual([{ channelId: 'fake', count: 1 }]);
  await makeDue();
  // Without a payment that the ledger expects, a channel may have none.
  answer = () => ({ outcome: 'not_ready', detail: 'none yet' });
  await runAll();
  expect(await fetches()).toEqual([[day, 'due', 'not_ready', 2]]);
  expect(await countMissingStatements(fixture.domain)).toEqual([{ channelId: 'fake', count: 0 }]);
  const waits = await sql(
    `select next_at - clock_timestamp() > interval '20 minutes' from statement_fetch where day = '${day}'`,
  );
  expect(waits).toEqual([[true]]);
  await sql(`update statement_fetch set give_up_at = clock_timestamp() where day = '${day}'`);
  await runAll();
  expect(await fetches()).toEqual([[day, 'given_up', 'not_ready', 2]]);
  answer = ({ day: on }) => ready([lineOf(on)]);
  const wanted = { country, channelId: 'fake', day, format: null } as const;
  expect(await requestFetch(fixture.domain, wanted, by('ann'))).toMatchObject({ value: { formats: ['json-lines'] } });
  await runAll();
  expect(await fetches()).toEqual([[day, 'fetched', null, 1]]);
  expect(
    await sql('select uploaded_by from statement_file where fetched_day is not null order by file_no'),
  ).toContainEqual(['ann']);
});

test('a file that breaks off is not stored, and a refused file is stored once and fetched again', async () => {
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('the statement broke off');
  }
  const onlyOf = (bytes: () => AsyncIterable<Uint8Array>) => {
    answer = ({ day: on }) =>
      on === day ? { outcome: 'ready', bytes: bytes() } : { outcome: 'not_ready', detail: 'none yet' };
  };
  onlyOf(broken);
  await set(day);
  await runAll();
  expect(await fetches()).toEqual([[day, 'due', 'unknown', 1]]);
  expect(await sql('select from statement_file')).toHaveLength(0);
  expect(await sql('select from statement_chunk')).toHaveLength(0);
  const cutOff = statementText([lineOf(day)]).slice(0, -9);
  onlyOf(() => Readable.from([Buffer.from(cutOff)]));
  for (const attempts of [2, 3]) {
    await makeDue();
    await runAll();
    expect(await fetches()).toEqual([[day, 'due', 'refused', attempts]]);
    expect(await files()).toEqual([['refused', null, null]]);
  }
  const filter = { from: day, to: day };
  expect(await listReconciliationDays(fixture.domain, unrestricted, filter)).toEqual([]);
  answer = ({ day: on }) => ready([lineOf(on)]);
  await makeDue();
  await runAll();
  expect(await files()).toEqual([
    ['imported', day, 1],
    ['refused', null, null],
  ]);
});

test('after a process died between fetch and import, its lease ends, and another process stores the same content once', async () => {
  await set(day);
  // The process had stored the file, and the database did not know of it yet.
  const dies = new Error('the process died');
  const { pool } = fixture.domain.database;
  const query = pool.query.bind(pool);
  pool.query = ((...args: [never]) => {
    const [text] = args as unknown[];
    if (typeof text === 'string' && text.includes("set state = 'received'")) throw dies;
    return query(...args);
  }) as typeof pool.query;
  // What it would have written afterwards is lost with it.
  await run().catch(() => undefined);
  pool.query = query;
  await sql(
    `update statement_fetch set state = 'due', holder = 'dead', held_until = clock_timestamp() + interval '1 minute', next_at = clock_timestamp() where day = '${day}'`,
  );
  expect(await sql(`select state from statement_file`)).toContainEqual(['uploaded']);
  requests.length = 0;
  await runAll();
  expect(requests).toEqual([]);
  await sql(`update statement_fetch set held_until = clock_timestamp() where holder = 'dead'`);
  await runAll();
  expect(await fetches()).toEqual([[day, 'fetched', null, 2]]);
  expect(await files()).toEqual([['imported', day, 1]]);
  expect(await sql(`select count(*)::integer from statement_line where day = '${day}'`)).toEqual([[1]]);
});

test('a channel is asked for one file at a time, and a process that shuts down gives its day back', async () => {
  await set(dayAgo(country, 3));
  const ending = new AbortController();
  let now = 0;
  let most = 0;
  answer = async ({ day: on }) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 30));
    now -= 1;
    return ready([lineOf(on)]);
  };
  await Promise.all([run(), run(), run()]);
  await runAll();
  expect(most).toBe(1);
  expect((await fetches()).map(([, state]) => state)).toEqual(['fetched', 'fetched']);

  const wanted = { country, channelId: 'fake', day, format: 'json-lines' } as const;
  await requestFetch(fixture.domain, wanted, by('ann'));
  answer = () => {
    ending.abort();
    return { outcome: 'unknown', detail: 'ended' };
  };
  await run(ending.signal);
  const rows = await sql(
    `select state, held_until, next_at <= clock_timestamp() from statement_fetch where day = '${day}'`,
  );
  expect(rows).toEqual([['due', null, true]]);
});

test('a file that was refused for a temporary reason is imported when it is fetched again', async () => {
  const about = (account: string) =>
    setReconciliation(fixture.domain, { country, channelId: 'fake', beginsOn: day, fetches: true, account }, agreed);
  answer = ({ day: on }) =>
    on === day ? ready([lineOf(day), { ...noSummary, account: 'B-2' }]) : { outcome: 'not_ready', detail: 'none yet' };
  await about('A-1');
  await runAll();
  expect(await files()).toEqual([['refused', null, null]]);
  await about('B-2');
  await makeDue();
  await runAll();
  expect(await files()).toEqual([['imported', day, 1]]);
  expect(await fetches()).toEqual([[day, 'fetched', null, 2]]);
});

test('a file without an end is given up after a maximum of bytes, and none of it is stored', async () => {
  answer = () => ({ outcome: 'unknown', detail: 'HTTP 500' });
  await set(day);
  await runAll();
  await sql(`update statement_fetch set bytes = ${maxBytesOfDay - 1_000}`);
  await makeDue();
  let count = 0;
  async function* endless() {
    for (;;) {
      count += 65_536;
      yield Buffer.alloc(65_536, 'x');
    }
  }
  answer = () => ({ outcome: 'ready', bytes: endless() });
  await runAll();
  expect(count).toBeLessThan(4_000_000);
  expect(await fetches()).toEqual([[day, 'given_up', 'refused', 2]]);
  const details = await sql(`select detail from statement_fetch where day = '${day}'`);
  expect(details).toEqual([[expect.stringMatching(/^1024 MiB came, .*: is too large$/)]]);
  // Chunks belong to a file.
  expect(await sql('select from statement_file')).toHaveLength(0);
});

test('a shutdown ends a transfer that the adapter does not end itself', async () => {
  await set(day);
  let isReading = false;
  async function* hanging() {
    yield Buffer.from('half');
    isReading = true;
    await new Promise(() => undefined);
  }
  answer = () => ({ outcome: 'ready', bytes: hanging() });
  const ending = new AbortController();
  const running = run(ending.signal);
  await expect.poll(() => isReading, { timeout: 5_000 }).toBe(true);
  ending.abort();
  await running;
  expect(await sql('select from statement_fetch where held_until is not null')).toHaveLength(0);
});

test('a day waits for a file of each fetched format, until the channel says that it has none', async () => {
  fixture.channel.statementFormats = ['json-lines', 'other-lines'];
  let other: FetchedStatement = { outcome: 'unknown', detail: 'HTTP 500' };
  answer = ({ format }) => (format === 'json-lines' ? ready([{ ...noSummary, lines: 0 }]) : other);
  fixture.domain.statementFormats = { ...fixture.domain.statementFormats, 'other-lines': jsonLines };
  await set(day);
  await runAll();
  const close = () => closeDay(fixture.domain, { country, channelId: 'fake', day }, agreed);
  expect(await close()).toMatchObject({ detail: 'the statement other-lines (HTTP 500) has not come' });
  other = { outcome: 'not_ready', detail: 'nothing was paid' };
  await makeDue();
  await runAll();
  expect(await close()).toMatchObject({ ok: true });
});

test('a statement of a day that is not over, or not reconciled, cannot be requested', async () => {
  const ask = (on: string, format: string | null = null) =>
    requestFetch(fixture.domain, { country, channelId: 'fake', day: on, format }, by('ann'));
  expect(await ask(day)).toMatchObject({ rejection: 'day_not_fetchable' });
  await set(day, false);
  expect(await ask(dayAgo(country, 3))).toMatchObject({ rejection: 'day_not_fetchable' });
  expect(await ask(dayAgo(country, 0))).toMatchObject({ detail: 'the day is not over' });
  expect(await ask(day, 'camt.053')).toMatchObject({ rejection: 'format_not_found', detail: 'json-lines' });
  expect(await ask(day)).toMatchObject({ ok: true });
  await runAll();
  expect(requests).toEqual([day]);
});
