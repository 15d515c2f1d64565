import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { aLine, anImport, dayAgo, lineOfVersion, noSummary, reconcileAll } from '../../testing/statements.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import type { StatementLine } from '../statement.ts';

// Lines of which the ledger has no entry: a decision explained them, and later versions of their statement leave them out, correct them, or show them again.

const day = dayAgo('PK', 2);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const read = async (text: string, values: unknown[]): Promise<unknown[]> =>
  (await fixture.domain.database.pool.query({ text, values, rowMode: 'array' })).rows.flat();

/** A channel with one statement, of which each version has other lines. */
async function aStatement(channelId: string) {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  let version = 0;
  const openBreaks = () =>
    read(
      `select concat_ws(' ', kind, amount) from reconciliation_break where channel_id = $1 and state = 'open' and abs(amount) <> 1 order by 1`,
      [channelId],
    );
  return {
    openBreaks,
    async shows(...lines: StatementLine[]) {
      version += 1;
      const marks = [version - 1, version].map((no) =>
        lineOfVersion({ currency: 'PKR', bookedOn: day }, channelId, no),
      );
      const all = [...marks, ...lines];
      const closing = all.reduce((sum, { direction, net }) => sum + Number(net) * (direction === 'in' ? 1 : -1), 0);
      const period = { from: day, to: day, opening: '0.00', closing: closing.toFixed(2) };
      await anImport(domain, 'PK', [...all, { ...noSummary, ...period }], channelId);
      await reconcileAll(domain);
      return openBreaks();
    },
    async ends(outcome: 'posted' | 'written_off') {
      const open = await read(
        "select break_no::integer from reconciliation_break where channel_id = $1 and state = 'open'",
        [channelId],
      );
      for (const breakNo of open as number[]) {
        const request = { merchantId: 'PLATFORM-PK', breakNo, outcome, otherBreakNo: null };
        expect(await resolveBreak(domain, request, by('ann', 'bob'))).toMatchObject({ ok: true });
      }
      await reconcileAll(domain);
    },
    /** What an account of the ledger has from this channel. */
    has: (account: string) =>
      read(
        `select coalesce(sum(case debit when $1 then amount else -amount end), 0)::numeric(18, 2)::text from transfer
         where $1 in (debit, credit) and $2 in (debit, credit)`,
        [account, `channel:${channelId}`],
      ),
  };
}

const out = (type: 'settlement' | 'fee', gross: string, more: Partial<StatementLine> = {}) =>
  aLine({ currency: 'PKR', bookedOn: day, type, direction: 'out', gross, channelRef: `${type}-1`, ...more });

test.each([
  ['settlement', 'external'],
  ['fee', 'channel_fee:a-fee'],
] as const)('what changes a line of type %s is posted to %s, as the line was', async (type, account) => {
  const statement = await aStatement(`a-${type}`);
  for (const gross of ['100.00', '90.00', null, '80.00', null]) {
    await statement.shows(...(gross === null ? [] : [out(type, gross)]));
    await statement.ends('posted');
    expect(await statement.has(account)).toEqual([gross ?? '0.00']);
  }
});

test.each([
  ['a settlement', out('settlement', '100.00')],
  ['a fee', out('fee', '100.00')],
  ['a fee without a reference', out('fee', '100.00', { channelRef: null })],
])('%s that comes back ends the break over its absence, and opens none', async (name, line) => {
  const statement = await aStatement(`b ${name}`.replaceAll(' ', '-'));
  await statement.shows(line);
  await statement.ends('posted');
  expect(await statement.shows()).toEqual(['missing_at_channel 100.00']);
  expect(await statement.shows(line)).toEqual([]);
});

test('a line that comes back with another amount leaves what differs', async () => {
  const statement = await aStatement('c-1');
  await statement.shows(out('fee', '100.00'));
  await statement.ends('posted');
  await statement.shows();
  expect(await statement.shows(out('fee', '70.00'))).toEqual(['amount 30.00']);
  await statement.ends('posted');
  expect(await statement.has('channel_fee:c-1')).toEqual(['70.00']);
});

test('a line that comes back after its absence was written off gives the money back to who bears it', async () => {
  const statement = await aStatement('d-1');
  await statement.shows(out('settlement', '100.00', { channelRef: 'settlement-4' }));
  await statement.ends('posted');
  await statement.shows();
  await statement.ends('written_off');
  expect([...(await statement.has('external')), ...(await statement.has('written_off:d-1'))]).toEqual([
    '100.00',
    '-100.00',
  ]);
  await statement.shows(out('settlement', '100.00', { channelRef: 'settlement-4' }));
  await statement.ends('posted');
  expect([...(await statement.has('external')), ...(await statement.has('written_off:d-1'))]).toEqual([
    '100.00',
    '0.00',
  ]);
});
