import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { audit } from '../../ledger/audit/audit.ts';
import { takeCallback } from '../../orders/take-callback.ts';
import { FakeChannel } from '../../testing/fake-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import {
  noAnswer,
  openSettlementsByChannel,
  out,
  paid,
  reconcilesIndia,
  returned,
} from '../../testing/settlements-by-channel.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../../testing/statements.ts';
import { proveSettlements } from '../proof/prove-settlements.ts';

// Settlements that a channel pays, on the statements of that channel and of others.

let fixture: TestDomain;
const working = new FakeChannel().answers;
const { found, aSent, work, moneyOf } = openSettlementsByChannel(() => fixture);
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await setChannel(fixture.domain, {
    channelId: 'bank',
    adapter: 'fake',
    baseUrl: 'http://bank.test',
    credentials: {},
  });
  await reconcilesIndia(fixture.domain);
});
afterEach(() => {
  fixture.channel.answers = { ...working };
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  // The top-ups were moved to an earlier day.
  expect(violations.filter(({ rule }) => !rule.includes('hashes'))).toEqual([]);
});

/** Imports a statement with a payout over 50.00 that names this number, and lets it match and prove. */
async function shows(orderNo: string, channelId = 'fake', more: object = {}) {
  const line = {
    currency: 'INR',
    bookedOn: dayAgo('IN', 0),
    type: 'payout',
    direction: 'out',
    gross: '50.00',
  } as const;
  const { domain } = fixture;
  const fileNo = await anImport(domain, 'IN', [aLine({ ...line, orderNo, ...more })], channelId);
  await reconcileAll(domain);
  while ((await proveSettlements(domain)) === 'found');
  const { rows } = await domain.database.pool.query<{ state: string; reason: string | null; rule: string | null }>(
    `select b.state, b.reason, m.rule from statement_line l
       left join reconciliation_break b on b.merchant_id = l.merchant_id and b.file_no = l.file_no and b.line_no = l.line_no
       left join matched_line m on m.merchant_id = l.merchant_id and m.file_no = l.file_no and m.line_no = l.line_no
     where l.file_no = $1`,
    [fileNo],
  );
  return rows;
}

test('a settlement that the channel confirmed matches its statement line by number or by reference', async () => {
  for (const more of [{}, { orderNo: null, channelRef: 'pout_1' }]) {
    const ref = await aSent();
    fixture.channel.answers.create = paid();
    await work(ref);
    const [line] = await shows(ref.paymentNo, 'fake', { ...more, bankRef: ref.paymentNo.slice(2) });
    expect(line).toMatchObject({ state: null, rule: 'orderNo' in more ? 'channel_reference' : 'order_number' });
    expect(await found(ref)).toMatchObject({ state: 'confirmed', debitLine: null });
  }
});

test('a statement line that comes before the answer of the channel confirms the settlement, and the answer posts nothing more', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  expect(await shows(ref.paymentNo)).toMatchObject([{ state: 'posted', rule: 'posted' }]);
  expect(await found(ref)).toMatchObject({ state: 'confirmed', debitLine: expect.any(String) });
  fixture.channel.answers.query = paid();
  await work(ref);
  expect(await moneyOf(ref)).toBe('0.00; ; ');
});

test('a statement line of a return brings the money back after the channel confirmed the settlement', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = paid();
  await work(ref);
  await shows(ref.paymentNo);
  const back = { type: 'payout_return', direction: 'in', bankRef: 'B-9' };
  expect(await shows(ref.paymentNo, 'fake', back)).toMatchObject([{ state: 'posted' }]);
  expect(await found(ref)).toMatchObject({ state: 'failed', returnLine: expect.any(String) });
  expect(await moneyOf(ref)).toBe(`50.00; ${out}; settlement_failed`);
});

test('a statement line of another channel proves nothing', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  for (const name of [ref.paymentNo, ref.settlementNo])
    expect(await shows(name, 'bank')).toMatchObject([
      { state: 'open', reason: `it names ${name}, but the channel fake pays it` },
    ]);
  expect(await found(ref)).toMatchObject({ state: 'paid' });
});

test('payment and return of a settlement are expected on the statement of the channel, with their numbers', async () => {
  const { domain } = fixture;
  const ref = await aSent();
  fixture.channel.answers = { ...working, create: paid(), query: returned() };
  await work(ref);
  await work(ref);
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query(
    `select direction, amount::text, order_no, channel_ref from statement_expectation where merchant_id = $1 order by transfer_no`,
    [ref.merchantId],
  );
  const named = { amount: '50.00', order_no: ref.paymentNo, channel_ref: 'pout_1' };
  expect(rows).toEqual([
    { direction: 'out', ...named },
    { direction: 'in', ...named },
  ]);
});

test('a callback about a settlement decides nothing, but causes a query', async () => {
  const ref = await aSent();
  const callback = { kind: 'payout', orderNo: ref.paymentNo, currency: 'INR', answer: paid() };
  const taken = await takeCallback(fixture.domain, 'fake', {}, Buffer.from(JSON.stringify(callback)));
  expect(taken).toMatchObject({ outcome: 'taken' });
  expect(await found(ref)).toMatchObject({ state: 'paid' });
  expect(await moneyOf({ merchantId: 'PLATFORM-IN' })).not.toContain('unmatched');
});
