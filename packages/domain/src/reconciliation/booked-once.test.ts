import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve } from '../approvals/approve.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { audit } from '../audit/audit.ts';
import { setChannel } from '../channels/set-channel.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { workOnTask } from '../market/work-on-task.ts';
import { bookUnmatched } from '../orders/book-unmatched.ts';
import { resolvePayout } from '../orders/resolve-payout.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { aLine, anImport, backdateLedger, dayAgo, reconcileAll } from '../testing/statements.ts';
import type { BreakOutcome } from './breaks/decide-resolution.ts';
import { postReports } from './breaks/post-reports.ts';
import { resolveBreak } from './breaks/resolve-break.ts';
import type { Break } from './types.ts';

// Money that a statement and a channel both show is booked once, whichever comes first, and under whichever reference.

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 2);
const agreed = by('ann', 'bob');

let fixture: TestDomain;
let merchantId: string;
let channelId: string;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, country, '50000.00'));
});
afterAll(async () => {
  // Backdated rows have other hashes.
  const { violations } = await audit(fixture.domain);
  expect(violations.filter(({ rule }) => rule !== 'ledger batches match their hashes')).toEqual([]);
  await fixture.close();
});
beforeEach(async () => {
  channels += 1;
  channelId = `once-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
});

const report = (order: Order, answer: ChannelAnswer) =>
  fixture.domain.commit({ type: 'applyReport', ref: order, channelId, answer, during: 'callback' });
const line = (changes: Partial<Parameters<typeof aLine>[0]> = {}) =>
  aLine({ currency: 'PKR', bookedOn: day, ...changes });

async function imported(...rows: object[]): Promise<void> {
  await anImport(fixture.domain, country, rows, channelId);
  await reconcileAll(fixture.domain);
}

async function breaks(): Promise<Pick<Break, 'breakNo' | 'kind' | 'state' | 'amount' | 'answers'>[]> {
  const { rows } = await fixture.domain.database.pool.query(
    `select break_no::integer as "breakNo", kind, state, amount::text as amount, answers::integer as answers from reconciliation_break
     where channel_id = $1 order by break_no`,
    [channelId],
  );
  return rows;
}

/** Two operators end the only open break, and what they post enters the ledger. */
async function ends(outcome: BreakOutcome = 'posted'): Promise<void> {
  const open = (await breaks()).filter(({ state }) => state === 'open');
  expect(open).toHaveLength(1);
  const breakNo = open[0]?.breakNo ?? 0;
  const ending = { merchantId: tenant, breakNo, outcome, otherBreakNo: null };
  expect(await resolveBreak(fixture.domain, ending, agreed)).toMatchObject({ ok: true });
  await reconcileAll(fixture.domain);
}

async function cases(): Promise<string[]> {
  const { rows } = await fixture.domain.database.pool.query<{ found: string }>(
    `select kind || ' ' || amount as found from money_case where channel_id = $1 and state = 'open' order by merchant_id, case_no`,
    [channelId],
  );
  return rows.map(({ found }) => found);
}

/** The balance of an account, as the ledger has it: what it was debited less what it was credited. */
async function balanceOf(account: string): Promise<string> {
  const { rows } = await fixture.domain.database.pool.query<{ held: string }>(
    `select coalesce(sum(case when debit = $1 then amount else -amount end), 0.00)::text as held from transfer where $1 in (debit, credit)`,
    [account],
  );
  return rows[0]?.held ?? '';
}
const held = () => balanceOf(`channel:${channelId}`);

test('a late callback confirms the payment that a statement proved, also under another reference', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo }));
  expect(await breaks()).toMatchObject([{ kind: 'status' }]);
  await ends();
  expect((await orderNow(fixture.domain, payin)).status).toBe('completed');
  for (let times = 0; times < 2; times++) await report(payin, paid('CH-1'));
  expect([await held(), await cases()]).toEqual(['100.00', []]);
  // The channel has confirmed it. What it reports from now on is more money.
  await report(payin, paid('CH-2'));
  expect([await held(), await cases()]).toEqual(['200.00', ['double 100.00']]);
});

test('a callback under the reference of the line confirms it too, and another payment is not taken for it', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ channelRef: 'CH-1', orderNo: payin.orderNo }));
  await ends();
  for (const reference of ['CH-1', 'CH-1', 'CH-2']) await report(payin, paid(reference));
  expect([await held(), await cases()]).toEqual(['200.00', ['double 100.00']]);
});

test('a late callback over another amount is other money', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo }));
  await ends();
  await report(payin, paid('CH-1', '60.00'));
  expect([await held(), await cases()]).toEqual(['160.00', ['double 60.00']]);
});

test('a late callback confirms the case that a statement opened', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, { outcome: 'failed', reason: 'no' });
  await imported(line({ orderNo: payin.orderNo }));
  await ends();
  await report(payin, paid('CH-1'));
  expect([await held(), await cases()]).toEqual(['100.00', ['late 100.00']]);
});

test('a payment that was confirmed with the report of another one is booked when its own line comes', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo }));
  await ends();
  // The callback of the first payment was lost for good. This one is of the second.
  await report(payin, paid('CH-2'));
  await imported(line({ channelRef: 'CH-2', orderNo: payin.orderNo }));
  await ends();
  expect([await held(), await cases()]).toEqual(['200.00', ['double 100.00']]);
});

test('late reports of a payout and of its return confirm what a statement proved', async () => {
  const payout = await placePayout(fixture.domain, merchantId, country, { channelId });
  await imported(line({ type: 'payout', direction: 'out', bankRef: 'UTR-1', orderNo: payout.orderNo }));
  await ends();
  await report(payout, paid('CH-1'));
  await report(payout, paid('CH-1'));
  expect([await held(), await cases()]).toEqual(['-100.00', []]);
  await imported(line({ type: 'payout_return', bankRef: 'UTR-2', orderNo: payout.orderNo }));
  await ends();
  const returned = { reference: 'CH-2', amount: '100.00' };
  const back = {
    outcome: 'returned',
    payments: [{ ...returned, reference: 'CH-1' }],
    returned,
    reason: 'closed',
  } as const;
  await report(payout, back);
  await report(payout, back);
  expect([await held(), await cases()]).toEqual(['0.00', ['payout_returned 100.00']]);
});

/** A payin of 100.00 that the channel reported two days ago, and a statement that does not show it. */
async function aMissingPayin(reference: string): Promise<Order> {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await report(payin, paid(reference));
  await backdateLedger(fixture.domain, 2);
  await imported(line({ type: 'fee', direction: 'out', gross: '1.00', net: '1.00' }));
  const fee = (await breaks()).find(({ kind }) => kind === 'fee');
  const ending = { merchantId: tenant, breakNo: fee?.breakNo ?? 0, outcome: 'posted', otherBreakNo: null } as const;
  expect(await resolveBreak(fixture.domain, ending, agreed)).toMatchObject({ ok: true });
  return payin;
}

test.each([
  ['posted', 'variance'],
  ['written_off', 'written_off'],
] as const)('a line that comes after its missing entry was %s takes that booking back', async (outcome, account) => {
  const payin = await aMissingPayin('CH-1');
  await ends(outcome);
  expect([await held(), await balanceOf(`${account}:${channelId}`)]).toEqual(['-1.00', '100.00']);
  // The bank has a reference of its own.
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo, bookedOn: dayAgo(country, 1) }));
  const [, missing, late] = await breaks();
  expect(late).toMatchObject({ kind: 'missing_in_ledger', amount: '100.00', answers: missing?.breakNo });
  await ends();
  expect([await held(), await balanceOf(`${account}:${channelId}`)]).toEqual(['99.00', '0.00']);
  expect([await cases(), (await breaks()).filter(({ state }) => state !== 'posted' && state !== outcome)]).toEqual([
    [],
    [],
  ]);
});

test('a report that comes after its line was written off takes that booking back', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ channelRef: 'CH-1', orderNo: payin.orderNo }));
  await ends('written_off');
  await report(payin, paid('CH-1'));
  await backdateLedger(fixture.domain, 2);
  await reconcileAll(fixture.domain);
  const [first, late] = await breaks();
  expect(late).toMatchObject({ kind: 'missing_at_channel', amount: '-100.00', answers: first?.breakNo });
  await ends();
  expect([await held(), await balanceOf(`written_off:${channelId}`)]).toEqual(['100.00', '0.00']);
});

test.each([
  ['60.00', '40.00'],
  ['50.00', '50.00'],
  ['30.00', '30.00', '80.00'],
])(
  'a payment that was written off, and comes in parts of %s, %s and more, is taken back part by part up to what was missing',
  async (...parts) => {
    await aMissingPayin('CH-1');
    await ends('written_off');
    const comes = (gross: string | undefined) => line({ channelRef: 'CH-1', gross: gross ?? '', net: gross ?? '' });
    const [first, second, ...others] = parts;
    await imported(comes(first));
    await ends();
    expect(await balanceOf(`written_off:${channelId}`)).toBe(`${100 - Number(first)}.00`);
    await imported(...[second, ...others].map((gross) => ({ ...comes(gross), bookedOn: dayAgo(country, 1) })));
    for (const { breakNo, state } of await breaks()) if (state === 'open') await end(breakNo);
    await reconcileAll(fixture.domain);
    const all = parts.reduce((sum, gross) => sum + Number(gross), 0);
    expect([
      await held(),
      await balanceOf(`written_off:${channelId}`),
      await balanceOf(`variance:${channelId}`),
    ]).toEqual([`${all - 1}.00`, '0.00', `${(100 - all).toFixed(2)}`]);
  },
);

test('reports of parts that come after their line was written off take that booking back together', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ channelRef: 'CH-0', orderNo: payin.orderNo }));
  await ends('written_off');
  for (const [reference, amount] of [
    ['CH-1', '60.00'],
    ['CH-2', '70.00'],
  ] as const)
    await report(payin, paid(reference, amount));
  await backdateLedger(fixture.domain, 2);
  await reconcileAll(fixture.domain);
  const [first, ...parts] = await breaks();
  expect(parts).toMatchObject([
    { amount: '-60.00', answers: first?.breakNo },
    { amount: '-70.00', answers: first?.breakNo },
  ]);
  for (const { breakNo } of parts) await end(breakNo);
  expect([await held(), await balanceOf(`written_off:${channelId}`)]).toEqual(['100.00', '0.00']);
});

test('a second line answers no ended break that another line has answered', async () => {
  const payin = await aMissingPayin('CH-1');
  await ends();
  await imported(line({ channelRef: 'CH-1', orderNo: payin.orderNo }));
  await ends();
  await imported(line({ bankRef: 'UTR-9', orderNo: payin.orderNo, bookedOn: dayAgo(country, 1) }));
  expect((await breaks()).at(-1)).toMatchObject({ state: 'open', answers: null });
});

test('two lines take back what was written off of two entries, although one of them could be of either', async () => {
  const payins: Order[] = [];
  for (let times = 0; times < 2; times++)
    payins.push(await placePayin(fixture.domain, merchantId, country, { channelId }));
  for (const payin of payins) await report(payin, paid('UTR-BOTH'));
  await backdateLedger(fixture.domain, 2);
  await imported(line({ channelRef: 'OTHER', gross: '1.00', net: '1.00' }));
  for (const { breakNo, kind } of await breaks()) if (kind === 'missing_at_channel') await end(breakNo, 'written_off');
  const bank = { channelRef: null, bookedOn: dayAgo(country, 1) };
  await imported(line({ ...bank, orderNo: payins[1]?.orderNo ?? null }), line({ ...bank, bankRef: 'UTR-BOTH' }));
  for (const { breakNo, state, amount } of await breaks())
    if (state === 'open' && amount === '100.00') await end(breakNo);
  expect(await balanceOf(`written_off:${channelId}`)).toBe('0.00');
});

test('a line that another file repeats is a repetition, also of a payout that was returned under the same reference', async () => {
  const payout = await placePayout(fixture.domain, merchantId, country, { channelId });
  const money = { reference: 'PO-1', amount: '100.00' };
  await report(payout, paid(money.reference));
  await report(payout, { outcome: 'returned', payments: [money], returned: money, reason: 'closed account' });
  await backdateLedger(fixture.domain, 2);
  const out = line({ type: 'payout', direction: 'out', channelRef: 'PO-1' });
  await imported(out, line({ type: 'payout_return', channelRef: 'PO-1' }));
  await imported({ ...out, bookedOn: dayAgo(country, 1) });
  expect(await breaks()).toMatchObject([{ kind: 'duplicate' }]);
  await ends('linked');
});

const end = async (breakNo: number, outcome: BreakOutcome = 'posted') => {
  const ending = { merchantId: tenant, breakNo, outcome, otherBreakNo: null };
  expect(await resolveBreak(fixture.domain, ending, agreed)).toMatchObject({ ok: true });
};

test.each([
  ['a payin', 'payin', 'in', '100.00'],
  ['a payout', 'payout', 'out', '-100.00'],
] as const)(
  'a line of %s that operators post after the channel has reported it meanwhile is linked, not booked again',
  async (_, type, direction, holds) => {
    const place = type === 'payin' ? placePayin : placePayout;
    const order = await place(fixture.domain, merchantId, country, { channelId });
    await imported(line({ type, direction, bankRef: 'UTR-1', orderNo: order.orderNo }));
    // The callback comes after the last matching, and before both operators agree.
    await report(order, paid('CH-1'));
    await end((await breaks())[0]?.breakNo ?? 0);
    await reconcileAll(fixture.domain);
    expect([await held(), await cases(), await breaks()]).toMatchObject([holds, [], [{ state: 'posted' }]]);
  },
);

test('a report that comes while its line is being entered is not booked twice, and no other payment is linked', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(
    line({ bankRef: 'UTR-1', orderNo: payin.orderNo }),
    line({ bankRef: 'UTR-2', orderNo: payin.orderNo }),
  );
  await report(payin, paid('CH-1'));
  for (const { breakNo } of await breaks()) await end(breakNo);
  // Nothing is matched before, as if the report had come in between.
  await postReports(fixture.domain);
  expect(await held()).toBe('100.00');
  await reconcileAll(fixture.domain);
  expect([await held(), await cases()]).toEqual(['200.00', ['double 100.00']]);
  expect(await breaks()).toMatchObject([{ state: 'posted' }, { state: 'posted' }]);
});

test('a report for an order whose line is open lets the line be matched, on whatever day it comes', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo, bookedOn: dayAgo(country, 9) }));
  await report(payin, paid('CH-1'));
  await reconcileAll(fixture.domain);
  expect([await held(), await breaks()]).toMatchObject(['100.00', [{ state: 'matched' }]]);
});

test('a line of an unknown order that the channel has reported meanwhile is linked too', async () => {
  const orderNo = 'ELSEWHERE-1';
  await imported(line({ bankRef: 'UTR-1', orderNo }));
  await bookUnmatched(fixture.domain, channelId, { kind: 'payin', orderNo, currency: 'PKR', answer: paid('CH-1') });
  await end((await breaks())[0]?.breakNo ?? 0);
  await postReports(fixture.domain);
  expect(await held()).toBe('100.00');
  await reconcileAll(fixture.domain);
  expect([await held(), await cases(), await breaks()]).toMatchObject([
    '100.00',
    ['unmatched 100.00'],
    [{ state: 'posted' }],
  ]);
});

test('what a line enters is agreed on, and an approval is refused if its order has ended meanwhile', async () => {
  const payin = await placePayin(fixture.domain, merchantId, country, { channelId });
  await imported(line({ bankRef: 'UTR-1', orderNo: payin.orderNo }));
  const [ann, bob] = [await anOperator(fixture.domain, ['finance']), await anOperator(fixture.domain, ['finance'])];
  const input = { country, breakNo: (await breaks())[0]?.breakNo, outcome: 'posted' };
  const requested = await requestOperation(fixture.domain, ann, 'resolveBreak', input, 'seen at the bank');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  const effect = `a payin of 100.00 enters as a report of ${channelId} for order ${payin.orderNo}, which is open`;
  expect(requested.approval.effect).toBe(effect);
  await report(payin, paid('CH-1'));
  expect(await approve(fixture.domain, bob, requested.approval.approvalId)).toMatchObject({
    rejection: 'effect_changed',
  });
  await reconcileAll(fixture.domain);
  expect([await held(), await breaks()]).toMatchObject(['100.00', [{ state: 'matched' }]]);
});

test('a payout that operators saw paid matches its line by the reference that the channel reported later', async () => {
  const { domain } = fixture;
  const order = await placePayout(domain, merchantId, country, { channelId });
  const seen = { outcome: 'paid', evidence: 'the portal' } as const;
  expect(await resolvePayout(domain, order, seen, agreed)).toMatchObject({ ok: true });
  const payments = ['U-1', 'U-2'].map((reference) => ({ reference, amount: '100.00' }));
  await report(order, { outcome: 'paid', payments });
  await backdateLedger(domain, 2);
  const out = { type: 'payout', direction: 'out' } as const;
  await imported(line({ ...out, channelRef: 'U-2' }), line({ ...out, channelRef: 'U-1' }));
  expect(await breaks()).toEqual([]);
});

test('a proof names the payment that settles the payout, and no other payment of it', async () => {
  const { domain } = fixture;
  const order = await placePayout(domain, merchantId, country, { channelId, mode: 'market' });
  const proof = { reference: `PROOF-${channelId}`, payer: 'ops', note: null };
  expect(await workOnTask(domain, order, { type: 'claimTask' }, by('ann'))).toMatchObject({ ok: true });
  expect(await workOnTask(domain, order, { type: 'proveTask', proof }, by('ann'))).toMatchObject({ ok: true });
  await report(order, paid('U-1'));
  expect(await workOnTask(domain, order, { type: 'acceptProof' }, by('bob'))).toMatchObject({ ok: true });
  await backdateLedger(domain, 2);
  const out = { type: 'payout', direction: 'out' } as const;
  await imported(line({ ...out, bankRef: proof.reference }), line({ ...out, bankRef: 'U-1' }));
  expect(await breaks()).toEqual([]);
});
