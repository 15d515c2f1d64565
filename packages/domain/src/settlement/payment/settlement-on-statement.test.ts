import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { takeCallback } from '../../orders/take-callback.ts';
import { resolveBreak } from '../../reconciliation/breaks/resolve-break.ts';
import { FakeChannel } from '../../testing/fake-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import {
  back,
  noAnswer,
  openSettlementsByChannel,
  out,
  paid,
  reconcilesIndia,
  returned,
} from '../../testing/settlements-by-channel.ts';
import { aLine, anImport, dayAgo, reconcileAll, violationsOfMoved } from '../../testing/statements.ts';
import { confirmSettlement, failSettlement } from '../change-settlement.ts';
import { proveSettlements } from '../proof/prove-settlements.ts';

// Settlements that a channel pays, on the statements of that channel and of others.

const agreed = by('ann', 'bob');
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
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
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

test.each(['the channel', 'people'])(
  'what %s say came back is on the books of the channel, also after a line has shown the payment',
  async (who) => {
    const ref = await aSent();
    fixture.channel.answers.create = noAnswer;
    await work(ref);
    await shows(ref.paymentNo);
    fixture.channel.answers.query = who === 'people' ? paid() : returned();
    await work(ref);
    const evidence = { detail: 'the bank sent it back' };
    if (who === 'people')
      expect(await failSettlement(fixture.domain, ref, evidence, agreed)).toMatchObject({ ok: true });
    expect(await found(ref)).toMatchObject({ state: 'failed', transferNo: null, returnTransferNo: expect.any(Number) });
    expect(await moneyOf(ref)).toBe(`50.00; ${back}; settlement_failed`);
    const line = { type: 'payout_return', direction: 'in', bankRef: `B-${ref.paymentNo}` };
    expect(await shows(ref.paymentNo, 'fake', line)).toMatchObject([{ state: null, rule: 'order_number' }]);
  },
);

test('what lines show of a settlement the report of the channel confirms, and it books nothing', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  const payments = [30, 20].map((amount) => ({ reference: `${amount}-${ref.paymentNo}`, amount: `${amount}.00` }));
  for (const { reference, amount } of payments)
    await shows(ref.paymentNo, 'fake', { gross: amount, channelRef: reference });
  expect(await found(ref)).toMatchObject({ state: 'confirmed' });
  // One line too many becomes a case of the merchant.
  const again = { reference: `50-${ref.paymentNo}`, amount: '50.00' };
  const reason = `it names ${ref.paymentNo}, but a line has proven it already`;
  const line = await shows(ref.paymentNo, 'fake', { channelRef: again.reference });
  expect(line).toMatchObject([{ state: 'open', reason }]);
  const { rows } = await fixture.domain.database.pool.query<{ breakNo: number }>(
    `select break_no::integer as "breakNo" from reconciliation_break where state = 'open' and names = $1`,
    [ref.paymentNo],
  );
  const post = {
    merchantId: 'PLATFORM-IN',
    breakNo: rows[0]?.breakNo ?? 0,
    outcome: 'posted',
    otherBreakNo: null,
  } as const;
  expect(await resolveBreak(fixture.domain, post, agreed)).toMatchObject({ ok: true });
  await reconcileAll(fixture.domain);
  const booked = '0.00; suspense > channel:fake 50.00; payout_paid_again';
  expect(await moneyOf(ref)).toBe(booked);
  fixture.channel.answers.query = { outcome: 'paid', channelRef: 'pout_1', payments: [...payments, again] };
  await work(ref);
  expect(await moneyOf(ref)).toBe(booked);
});

test('a settlement of which the channel reported parts is not confirmed besides: people fail it, and charge its cases', async () => {
  const { domain } = fixture;
  const ref = await aSent();
  const payments = [30, 20].map((amount) => ({ reference: `${amount}-${ref.paymentNo}`, amount: `${amount}.00` }));
  fixture.channel.answers.create = { outcome: 'paid', channelRef: 'pout_1', payments };
  await work(ref);
  expect(await confirmSettlement(domain, ref, 'seen at the bank', agreed)).toMatchObject({
    rejection: 'settlement_partly_paid',
  });
  expect(await failSettlement(domain, ref, { detail: 'paid in parts', evidence: 'two debits' }, agreed)).toMatchObject({
    ok: true,
  });
  const { merchantId } = ref;
  const open = `select case_no::integer as "caseNo" from money_case where merchant_id = $1 and state = 'open' and kind like 'payout_%'`;
  const { rows } = await domain.database.pool.query<{ caseNo: number }>(open, [merchantId]);
  expect(rows).toHaveLength(2);
  for (const { caseNo } of rows)
    expect(await domain.commit({ type: 'chargeCase', merchantId, caseNo, orderNo: null, by: agreed })).toMatchObject({
      ok: true,
    });
  const parts = [30, 20].map((amount) => `suspense > channel:fake ${amount}.00`).join(', ');
  expect(await moneyOf(ref)).toContain(`0.00; ${parts}`);
});

test('parts that the channel reports after people confirmed are what they saw, and come back as a whole', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  expect(await confirmSettlement(fixture.domain, ref, 'seen at the bank', agreed)).toMatchObject({ ok: true });
  const payments = [30, 20].map((amount) => ({ reference: `${amount}-${ref.paymentNo}`, amount: `${amount}.00` }));
  fixture.channel.answers.query = { outcome: 'paid', channelRef: 'pout_1', payments };
  for (let times = 0; times < 2; times++) await work(ref);
  expect(await moneyOf(ref)).toBe(`0.00; ${out}; `);
  for (const { amount, reference } of payments)
    expect(await shows(ref.paymentNo, 'fake', { gross: amount, bankRef: `U-${reference}` })).toHaveLength(1);
  const { rows } = await fixture.domain.database.pool.query(
    `select distinct b.state from reconciliation_break b where b.order_no = $1 or b.owner_id = $2`,
    [ref.paymentNo, ref.merchantId],
  );
  expect(rows).toEqual([{ state: 'matched' }]);
  const bankReturned = { reference: `back-${ref.paymentNo}`, amount: '50.00' };
  fixture.channel.answers.query = { outcome: 'returned', payments, returned: bankReturned, reason: 'closed' };
  for (let times = 0; times < 2; times++) await work(ref);
  expect(await moneyOf(ref)).toBe(`50.00; ${out}, ${back}; settlement_failed`);
});

test('lines over parts that the channel reported prove nothing, also after the parts were posted as missing', async () => {
  const { domain } = fixture;
  const ref = await aSent();
  const payments = [30, 20].map((amount) => ({ reference: `${amount}-${ref.paymentNo}`, amount: `${amount}.00` }));
  fixture.channel.answers.create = { outcome: 'paid', channelRef: 'pout_1', payments };
  await work(ref);
  await shows(`of-another-${ref.paymentNo.slice(2)}`, 'fake', { type: 'fee', gross: '1.00' });
  const named = `select break_no::integer as "breakNo" from reconciliation_break where state = 'open' and (owner_id = $1 or answers is not null) order by 1`;
  const postAll = async () => {
    const { rows } = await domain.database.pool.query<{ breakNo: number }>(named, [ref.merchantId]);
    for (const { breakNo } of rows) {
      const post = { merchantId: 'PLATFORM-IN', breakNo, outcome: 'posted', otherBreakNo: null } as const;
      expect(await resolveBreak(domain, post, agreed)).toMatchObject({ ok: true });
    }
    return rows.length;
  };
  expect(await postAll()).toBe(2);
  for (const { amount } of payments)
    expect(
      await shows(ref.paymentNo, 'fake', { gross: amount, bankRef: `UTR-${amount}-${ref.paymentNo}` }),
    ).toMatchObject([{ state: 'open' }]);
  expect(await found(ref)).toMatchObject({ state: 'paid', debitLine: null });
  expect(await postAll()).toBe(2);
  const { rows } = await domain.database.pool.query(
    `select sum(case when debit = 'variance:fake' then amount else -amount end)::text as variance from transfer where 'variance:fake' in (debit, credit)`,
  );
  expect(rows).toEqual([{ variance: '0.00' }]);
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
