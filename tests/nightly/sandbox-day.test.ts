import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { openDomain } from '../../packages/domain/src/index.ts';
import { closeDay, importStatement } from '../../tools/sandbox/src/demo/channel-days.ts';
import type { Demo } from '../../tools/sandbox/src/demo/demo-orders.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { changeByTwo } from '../../tools/sandbox/src/demo/two-operators.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { addressOf, buildConsole, keepPicture, openConsole } from '../console/console-page.ts';
import { agree, request } from '../console/work-page.ts';
import { runServices } from '../run-services/ask-services.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';
import { day, runDay, type SeededChannel, seedDay } from './sandbox-day/seed-day.ts';
import { type DayStatement, statementOf } from './sandbox-day/statement-of-day.ts';

// A day of 10,000 orders over a channel of each country, with 40 known faults of nine kinds. One of its statements comes late. Two operators at two browsers
// import it, work off a break of each kind and close its day. The rest of the same work goes through GraphQL. Merchants are settled from
// the day. At the end the ledger equals the statements, to the minor unit.

vi.setConfig({ testTimeout: 500_000, hookTimeout: 500_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const orders = 10_000;

let sandbox: RunningSandbox;
let keys: string;
let demo: Demo;
let seeded: SeededChannel[];
let statements: Map<SeededChannel, DayStatement>;
beforeAll(async () => {
  // Before any process of a service runs: a worker would submit the orders.
  const { databaseUrl, secrets } = await runServices.seedDatabase('http://127.0.0.1:9');
  keys = secrets.keys;
  seeded = await seedDay(databaseUrl, keys, orders);
  if (chromiumPath !== undefined) await buildConsole();
  sandbox = await startSandbox({ databaseUrl, redisUrl: await runServices.newRedis() });
  const { file } = sandbox;
  const as = (token: string) => askAsOperator(file.graphqlUrl, token);
  demo = { sandbox: file, admin: as(file.adminToken), approver: as(file.approverToken) };
  statements = new Map(seeded.map((one) => [one, statementOf(one)]));
});
afterAll(async () => {
  await closeBrowser();
  await sandbox?.stop();
});

function rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
  return queryDatabase<Row>(sandbox.file.databaseUrl, sql, values);
}

interface OpenBreak {
  no: number;
  kind: string;
  fault: string;
  state: string;
}

const openBreaks = ({ channelId }: SeededChannel) =>
  rows<OpenBreak>(
    `select break_no::integer as no, kind, kind || ' ' || amount as fault, state from reconciliation_break
     where channel_id = $1 and state in ('open', 'posting') order by break_no`,
    [channelId],
  );
const found = async (channel: SeededChannel) => (await openBreaks(channel)).map(({ fault }) => fault).sort();

/** Waits until the worker has found these breaks, and nothing is left to match. */
async function finds(channel: SeededChannel, faults: readonly string[]): Promise<void> {
  const wanted = [...faults].sort().join('\n');
  const { country, channelId } = channel;
  const isMatched = async () => {
    const [now] = await rows<{ isDue: boolean }>(
      `select is_due as "isDue" from reconciliation_day where merchant_id = $1 and channel_id = $2 and day = $3`,
      [`PLATFORM-${country}`, channelId, day],
    );
    return now?.isDue === false && (await found(channel)).join('\n') === wanted;
  };
  const what = `the breaks of ${channelId}`;
  await waitUntil(what, isMatched, { timeoutMs: 240_000, everyMs: 1_000 }).catch(async () => {
    expect(await found(channel)).toEqual([...faults].sort());
  });
}

const faultsOf = (channel: SeededChannel) => statements.get(channel)?.breaks ?? [];
const dayOf = ({ country, channelId }: SeededChannel) => ({ country, channelId, day });
const lateAt = 0;
const channelAt = (at: number): SeededChannel => {
  const channel = seeded[at];
  if (!channel) throw new Error(`there is no channel ${at}`);
  return channel;
};
/** The page of the admin, and that of the approver. */
async function openBoth(context: TestContext, path: string): Promise<[ann: Page, bob: Page]> {
  const [{ page: ann }, { page: bob }] = await Promise.all([
    openConsole(context, sandbox, { role: 'Admin', path }),
    openConsole(context, sandbox, { role: 'Approver', path }),
  ]);
  return [ann, bob];
}
const dayPath = ({ country, channelId }: SeededChannel) => `/reconciliation/days/${country}/${channelId}/${day}`;

withBrowser('the breaks of the files that came are exactly the injected faults', async () => {
  const late = channelAt(lateAt);
  const begins = { country: late.country, channelId: late.channelId, beginsOn: day };
  await changeByTwo(demo, { name: 'setReconciliation', input: begins, reason: 'A new channel' });
  for (const channel of seeded.filter((one) => one !== late)) {
    const { name, format, content } = statements.get(channel) as DayStatement;
    const { country, channelId } = channel;
    await importStatement(demo, { country, channelId, name, format, text: content });
  }
  for (const channel of seeded.filter((one) => one !== late)) await finds(channel, faultsOf(channel));
});

withBrowser('two operators see that a file is missing and import it, and no match is wrong', async (context) => {
  const late = channelAt(lateAt);
  const { name, format, content } = statements.get(late) as DayStatement;
  const [ann, bob] = await openBoth(context, dayPath(late));
  await ann.getByText('No statement covers the day').first().waitFor();
  expect(await ann.getByRole('button', { name: 'Close the day' }).getAttribute('aria-disabled')).toBe('true');
  await keepPicture(ann, 'sandbox day - missing file');
  await ann.getByRole('link', { name: 'Import a statement' }).click();
  await ann.getByLabel('Country').selectOption(late.country);
  await ann.getByLabel('Channel').selectOption(late.channelId);
  await ann.getByLabel('File').setInputFiles({ name, mimeType: 'application/xml', buffer: Buffer.from(content) });
  await ann.getByRole('button', { name: 'Upload' }).click();
  await ann.getByLabel('Reason').fill('It came a day late');
  await ann.getByLabel('Format').selectOption(format);
  await ann.getByRole('button', { name: 'Import', exact: true }).click();
  await ann.getByText('The file is imported.').waitFor();
  await finds(late, faultsOf(late));
  await bob.getByText('✕ 10 breaks').waitFor();
  await keepPicture(bob, 'sandbox day - with breaks');
  const all = (await Promise.all(seeded.map(openBreaks))).flat();
  expect(all).toHaveLength(40);
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(9);
  const wrong = await rows(
    `select l.channel_id, l.line_no from matched_line m join statement_line l using (merchant_id, file_no, line_no, part)
     join matched_expectation x on x.tenant = m.merchant_id and x.match_no = m.match_no
     join statement_expectation e on e.merchant_id = x.merchant_id and e.transfer_no = x.transfer_no
     where l.channel_id = any($1) and (l.gross <> e.amount or l.direction <> e.direction or l.currency = 'USD'
       or (l.channel_ref is distinct from e.channel_ref and l.order_no is distinct from e.order_no))`,
    [seeded.map(({ channelId }) => channelId)],
  );
  expect(wrong).toEqual([]);
});

withBrowser('two operators resolve a break of each kind', async (context) => {
  const first = new Map<string, readonly [SeededChannel, OpenBreak]>();
  for (const channel of seeded)
    for (const one of await openBreaks(channel)) if (!first.has(one.kind)) first.set(one.kind, [channel, one]);
  expect(first.size).toBe(9);
  const [ann, bob] = await openBoth(context, '/reconciliation/breaks');
  for (const [kind, [{ country }, { no }]] of first) {
    const address = addressOf(sandbox, `/reconciliation/breaks/${country}/${no}`);
    await Promise.all([ann.goto(address), bob.goto(address)]);
    await ann.getByRole('button', { name: 'Resolve' }).click();
    const outcome = kind === 'unparsed' || kind === 'currency' ? 'WRITTEN_OFF' : 'POSTED';
    await ann.getByRole('dialog').getByLabel('How it ends').selectOption(outcome);
    await keepPicture(ann, `sandbox day - resolve ${kind}`);
    await request(ann, 'Resolve', `Looked at the break: ${kind}`);
    await bob.getByText('admin requested').waitFor();
    await agree(bob);
  }
});

withBrowser('two operators resolve the other breaks', async () => {
  for (const channel of seeded) {
    expect(await closeDay(demo, dayOf(channel))).toMatch(/breaks are open|being matched/);
    for (const { no, kind, state } of await openBreaks(channel)) {
      if (state !== 'open') continue;
      const outcome = kind === 'unparsed' || kind === 'currency' ? 'WRITTEN_OFF' : 'POSTED';
      const input = { country: channel.country, breakNo: no, outcome };
      await changeByTwo(demo, { name: 'resolveBreak', input, reason: 'The channel explained it' });
    }
  }
  for (const channel of seeded) await finds(channel, []);
});

withBrowser('two operators close the day whose file was late', async (context) => {
  const late = channelAt(lateAt);
  const [ann, bob] = await openBoth(context, dayPath(late));
  await ann.getByText('Nothing is missing').waitFor();
  await ann.getByRole('button', { name: 'Close the day' }).click();
  await request(ann, 'Close the day', 'All lines are explained');
  await bob.getByText('admin requested Close the day').waitFor();
  await agree(bob);
  await ann.getByText('admin and approver closed the day').waitFor();
  await keepPicture(ann, 'sandbox day - closed');
});

withBrowser('the other days are closed, and the ledger equals the statements, to the minor unit', async () => {
  for (const channel of seeded.filter((one) => one !== channelAt(lateAt))) {
    const isClosed = async () => (await closeDay(demo, dayOf(channel))) === null;
    await waitUntil(`the close of ${channel.channelId}`, isClosed, { timeoutMs: 120_000, everyMs: 1_000 });
  }
  const held = await rows<{ minor: string }>(
    `select (select sum(case t.debit when 'channel:' || c then t.amount else -t.amount end) * 100
       from transfer t where 'channel:' || c in (t.debit, t.credit))::bigint::text as minor
     from unnest($1::text[]) with ordinality as k(c, place) order by place`,
    [seeded.map(({ channelId }) => channelId)],
  );
  expect(held.map(({ minor }) => BigInt(minor))).toEqual(seeded.map((one) => statements.get(one)?.net));
});

withBrowser('merchants are settled from the closed day, and the audit finds nothing', async () => {
  for (const { merchantId, country } of seeded) {
    const account = { holder: 'Day', number: `${country}00 1234 5678 9012`, bank: 'BKKBTHBK' };
    const cycle = { merchantId, workingDays: 1, beginsOn: '2026-11-01', account };
    await changeByTwo(demo, { name: 'setSettlementCycle', input: cycle, reason: 'Contract' });
    let draft: { no: string; amount: string; rest: string } | undefined;
    const isDrafted = async () => {
      const input = { country, day: runDay };
      await demo.admin.mutate('draftSettlements', 'DraftSettlementsInput', { input, reason: 'Daily run' });
      [draft] = await rows(
        `select s.settlement_no as no, s.amount::text, (w.available - s.closing - s.pending)::text as rest
         from settlement s join wallet w using (merchant_id) where s.merchant_id = $1`,
        [merchantId],
      );
      return draft !== undefined && draft.amount !== '0.00';
    };
    await waitUntil(`the draft of ${merchantId}`, isDrafted, { timeoutMs: 60_000, everyMs: 1_000 });
    expect(draft).toMatchObject({ rest: '0.00' });
    const approved = { merchantId, settlementNo: draft?.no };
    await changeByTwo(demo, { name: 'approveSettlement', input: approved, reason: 'The day is closed' });
  }
  const { databaseUrl, restUrl: publicBaseUrl } = sandbox.file;
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const domain = await openDomain({ databaseUrl, keys, adapters: {}, publicBaseUrl, wakeUp: () => undefined, log });
  try {
    expect((await audit(domain)).violations).toEqual([]);
  } finally {
    await domain.close();
  }
});
