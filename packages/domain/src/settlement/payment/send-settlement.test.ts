import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ChannelAnswer } from '../../core/channel-answer.ts';
import { dueWork } from '../../orders/due-work.ts';
import { FakeChannel } from '../../testing/fake-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { anApprovedSettlement } from '../../testing/settlements.ts';
import {
  back,
  noAnswer,
  notFound,
  openSettlementsByChannel,
  out,
  paid,
  reconcilesIndia,
  returned,
} from '../../testing/settlements-by-channel.ts';
import { violationsOfMoved } from '../../testing/statements.ts';
import { createSettlementFile } from '../bank-file/create-settlement-file.ts';
import { confirmSettlement, failSettlement, paySettlement } from '../change-settlement.ts';
import { sendSettlement } from './send-settlement.ts';
import { countStuckSettlements, workOnSettlement } from './work-on-settlement.ts';

// Settlements on a real database that a channel pays, whose answers the test sets.

const agreed = by('ann', 'bob');
let fixture: TestDomain;
const working = new FakeChannel().answers;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await reconcilesIndia(fixture.domain);
});
afterEach(() => {
  fixture.channel.answers = { ...working };
  fixture.channel.calls.length = 0;
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});

const { found, aSent, work, moneyOf, calls } = openSettlementsByChannel(() => fixture);

test('a channel pays an approved settlement to the bank account that two operators agreed on, once', async () => {
  const ref = await aSent();
  const { merchantId, paymentNo } = ref;
  expect(await found(ref)).toMatchObject({
    state: 'paid',
    channelId: 'fake',
    reference: paymentNo,
    nextAction: 'send',
  });
  const due = { queue: 'settle', merchantId, orderNo: paymentNo, channelId: 'fake' };
  expect(fixture.woken.at(-1)).toMatchObject(due);
  expect((await dueWork(fixture.domain, 100)).find(({ queue }) => queue === 'settle')).toMatchObject(due);
  expect(await moneyOf(ref)).toBe('0.00; ; ');

  expect(await work(ref)).toBe('done');
  expect(fixture.channel.created.at(-1)).toMatchObject({
    kind: 'payout',
    orderNo: paymentNo,
    country: 'IN',
    currency: 'INR',
    amount: '50.00',
    party: { name: 'Lotus & Sons <Ltd>', account: 'TH00123456789012' },
  });
  expect(await found(ref)).toMatchObject({ state: 'paid', channelRef: 'ref-1', nextAction: 'query' });
  expect(await moneyOf(ref)).toBe('0.00; ; ');

  fixture.channel.answers.query = paid();
  expect(await work(ref)).toBe('done');
  expect(await found(ref)).toMatchObject({ state: 'confirmed', channelRef: 'ref-1' });
  expect(await work(ref)).toBe('done');
  expect(await moneyOf(ref)).toBe(`0.00; ${out}; `);
  expect(calls()).toEqual(['create', 'query', 'query']);
});

test('a settlement is paid in one way only: by a channel, a bank file or an operator', async () => {
  const { domain } = fixture;
  const ref = await aSent();
  const refused = { ok: false, rejection: 'settlement_not_there' };
  expect(await sendSettlement(domain, ref, {}, by('bob'))).toMatchObject(refused);
  expect(await paySettlement(domain, ref, 'R-1', by('bob'))).toMatchObject(refused);
  const account = { holder: 'We', number: '1234567890', bank: 'HDFC0000001' };
  expect(await createSettlementFile(domain, { country: 'IN', account }, agreed)).toMatchObject({
    rejection: 'nothing_to_settle',
  });
  const other = await anApprovedSettlement(domain, 'IN');
  await paySettlement(domain, other, 'R-1', by('ann'));
  expect(await sendSettlement(domain, other, {}, by('ann'))).toMatchObject(refused);
  await expect(
    domain.database.pool.query(
      "update settlement set channel_id = 'fake', payment_no = 'SP1' where settlement_no = $1",
      [other.settlementNo],
    ),
  ).rejects.toThrow(/cannot become|cannot be paid/);
});

test('a settlement is not sent to a channel without a route of the merchant', async () => {
  const ref = await anApprovedSettlement(fixture.domain, 'IN');
  const sent = await sendSettlement(fixture.domain, ref, { channelId: 'another' }, by('ann'));
  expect(sent).toMatchObject({ rejection: 'no_channel_available' });
  expect(await found(ref)).toMatchObject({ state: 'approved', paymentNo: null });
});

test('a settlement is refused in a country without payouts, and to a bank that the channel does not know', async () => {
  const thai = await anApprovedSettlement(fixture.domain, 'TH');
  expect(await sendSettlement(fixture.domain, thai, {}, by('ann'))).toMatchObject({
    rejection: 'operation_not_available',
  });
  const unmapped = await anApprovedSettlement(fixture.domain, 'PK');
  expect(await sendSettlement(fixture.domain, unmapped, {}, by('ann'))).toMatchObject({
    rejection: 'bank_mapping_not_found',
  });
});

test('a settlement that the channel refuses or fails comes back to the wallet with a case, once', async () => {
  for (const answer of [
    { outcome: 'refused', reason: 'no such bank' },
    { outcome: 'failed', reason: 'no such account' },
  ] as const) {
    const ref = await aSent();
    fixture.channel.answers = { ...working, create: answer, query: notFound };
    expect(await work(ref)).toBe('done');
    expect(await found(ref)).toMatchObject({ state: 'failed', caseNo: 1, nextAction: 'query' });
    expect(await work(ref)).toBe('done');
    expect(await moneyOf(ref)).toBe('50.00; ; settlement_failed');
  }
});

/** What suspense bears if the channel paid after the amount had come back. */
const late = 'suspense > channel:fake 50.00';
test('a channel that pays after it had failed the settlement is asked again, and the payment becomes a case', async () => {
  for (const answer of [
    { outcome: 'failed', reason: 'the bank is closed' },
    { outcome: 'timed_out', reason: 'late' },
    { outcome: 'closed' },
  ] as const) {
    const ref = await aSent();
    fixture.channel.answers = { ...working, query: answer };
    await work(ref);
    await work(ref);
    expect(await found(ref)).toMatchObject({ state: 'failed', nextAction: 'query' });
    fixture.channel.answers.query = paid();
    expect(await work(ref)).toBe('done');
    expect(await found(ref)).toMatchObject({ state: 'failed', nextAction: null });
    expect(await moneyOf(ref)).toBe(`50.00; ${late}; settlement_failed, payout_paid_again`);
  }
});

test('a refusal does not count if the channel has the payment', async () => {
  const ref = await aSent();
  fixture.channel.answers = {
    ...working,
    create: { outcome: 'refused', reason: 'this number was used' },
    query: paid(),
  };
  await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'confirmed' });
});

test('after an unknown outcome the channel is queried, and a payment that it has is not sent again', async () => {
  const ref = await aSent();
  fixture.channel.answers = { ...working, create: noAnswer, query: noAnswer };
  for (let step = 0; step < 4; step += 1) expect(await work(ref)).toBe('done');
  expect(calls()).toEqual(['create', 'query', 'query', 'query']);
  expect(await found(ref)).toMatchObject({ state: 'paid', answer: 'no_answer: timed out' });
  // The channel does not have the payment, so it is sent again under the same number. After it was accepted, it is never sent again.
  fixture.channel.answers = { ...working, query: notFound };
  for (let step = 0; step < 4; step += 1) await work(ref);
  expect(calls().slice(4)).toEqual(['query', 'create', 'query', 'query']);
  expect(new Set(fixture.channel.calls.map(({ orderNo }) => orderNo))).toEqual(new Set([ref.paymentNo]));
  expect(await moneyOf(ref)).toBe('0.00; ; ');
});

test('after a worker died while sending, the channel is queried before anything is sent again', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = () => Promise.reject(new Error('the process dies'));
  await work(ref);
  fixture.channel.answers.query = paid();
  await work(ref);
  expect(calls()).toEqual(['create', 'query']);
  expect(await moneyOf(ref)).toBe(`0.00; ${out}; `);
});

test('of several workers at the same time one calls the channel', async () => {
  const ref = await aSent();
  const done = await Promise.all([1, 2, 3, 4].map(() => workOnSettlement(fixture.domain, ref)));
  expect(done.filter((one) => one === 'done')).toHaveLength(1);
  expect(calls()).toEqual(['create']);
});

test('a payment of another amount neither confirms nor fails the settlement, and suspense bears it, once', async () => {
  const ref = await aSent();
  fixture.channel.answers = { ...working, create: paid('49.99'), query: paid('49.99') };
  for (let step = 0; step < 2; step += 1) await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'paid', nextAction: 'query' });
  const other = 'suspense > channel:fake 49.99';
  expect(await moneyOf(ref)).toBe(`0.00; ${other}; payout_wrong_amount`);
  // The channel says that it failed, although money has left.
  fixture.channel.answers.query = { outcome: 'failed', reason: 'no' };
  await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'paid', nextAction: 'query' });
  expect(await failSettlement(fixture.domain, ref, { detail: 'their support' }, agreed)).toMatchObject({ ok: true });
  expect(await moneyOf(ref)).toBe(`50.00; ${other}; payout_wrong_amount, settlement_failed`);
});

test('what a channel pays beyond a settlement, or returns in part, is booked once with a case', async () => {
  const ref = await aSent();
  const payments = ['UTR-1', 'UTR-2'].map((reference) => ({ reference, amount: '50.00' }));
  fixture.channel.answers = { ...working, create: { outcome: 'paid', payments } };
  await work(ref);
  const returned = { reference: 'UTR-1', amount: '20.00' };
  fixture.channel.answers.query = { outcome: 'returned', payments, returned, reason: 'a part' };
  for (let step = 0; step < 2; step += 1) await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'confirmed' });
  const moved = `suspense > channel:fake 50.00, ${out}, channel:fake > suspense 20.00`;
  expect(await moneyOf(ref)).toBe(`0.00; ${moved}; payout_paid_again, wrong_amount`);
});

test('if the bank returns a settlement, the wallet and the channel account get the money back, and a case is opened', async () => {
  const ref = await aSent();
  fixture.channel.answers = { ...working, create: paid(), query: returned() };
  await work(ref);
  await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'failed', nextAction: null, caseNo: 1 });
  expect(await moneyOf(ref)).toBe(`50.00; ${out}, ${back}; settlement_failed`);
  const at = await aSent();
  fixture.channel.answers.create = returned();
  await work(at);
  expect(await moneyOf(at)).toBe(`50.00; ${out}, ${back}; settlement_failed`);
});

test('two operators can end a settlement by evidence, but not while the channel is being called', async () => {
  const { domain } = fixture;
  const ref = await aSent();
  let answer: (given: ChannelAnswer) => void = () => undefined;
  fixture.channel.answers.create = () => new Promise((resolve) => (answer = resolve));
  const working = work(ref);
  await expect.poll(calls).toEqual(['create']);
  expect(await failSettlement(domain, ref, { detail: 'their support' }, agreed)).toMatchObject({
    rejection: 'not_due',
  });
  answer(noAnswer);
  await working;
  expect(await failSettlement(domain, ref, { detail: 'their support' }, by('ann'))).toMatchObject({
    rejection: 'second_operator_needed',
  });
  expect(await failSettlement(domain, ref, { detail: 'their support' }, agreed)).toMatchObject({ ok: true });
  expect(await moneyOf(ref)).toBe('50.00; ; settlement_failed');
  expect(await found(ref)).toMatchObject({ state: 'failed', nextAction: 'query' });
});

test('a payment after the settlement failed is borne by suspense, with a case', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  await failSettlement(fixture.domain, ref, { detail: 'their support' }, agreed);
  fixture.channel.answers.query = paid();
  await work(ref);
  expect(await work(ref)).toBe('not_due');
  expect(await moneyOf(ref)).toBe(`50.00; ${late}; settlement_failed, payout_paid_again`);
});

test('a settlement that operators confirmed by evidence is booked like one that the channel confirmed, and not booked again', async () => {
  const ref = await aSent();
  fixture.channel.answers.create = noAnswer;
  await work(ref);
  expect(await confirmSettlement(fixture.domain, ref, 'UTR-9', agreed)).toMatchObject({ ok: true });
  fixture.channel.answers.query = paid();
  await work(ref);
  expect(await found(ref)).toMatchObject({ state: 'confirmed', reference: 'UTR-9' });
  expect(await moneyOf(ref)).toBe(`0.00; ${out}; `);
  expect(await failSettlement(fixture.domain, ref, { detail: 'it came back' }, agreed)).toMatchObject({ ok: true });
  expect(await moneyOf(ref)).toBe(`50.00; ${out}, ${back}; settlement_failed`);
});

test('a settlement that waits for an hour counts as stuck', async () => {
  const ref = await aSent();
  const before = await countStuckSettlements(fixture.domain);
  const later = { ...fixture.domain, scheduleScale: 0 };
  await work(ref);
  expect(before).toBe(0);
  expect(await countStuckSettlements(later)).toBeGreaterThan(0);
});
