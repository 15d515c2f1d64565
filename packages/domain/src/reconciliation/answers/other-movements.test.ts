import { beforeEach, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import type { Order } from '../../core/order.ts';
import { bookWallet } from '../../ledger/book-wallet.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aMerchant } from '../../testing/index.ts';
import { aTopUp, paid, placePayin } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { wholeScansOf } from '../../testing/plans.ts';
import { moveEntriesTo } from '../../testing/settlements.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { createOpenTablesSql } from '../matching/queries.ts';
import { heldCreditsSql } from '../missing-credits/queries.ts';
import type { StatementLine } from '../statement.ts';
import { foundAnswersSql } from './queries.ts';

// What was decided over a movement is taken back by what shows this movement, whenever it comes, and by no other one.

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 4);
const fixture = auditedDomain();
let merchantId: string;
let channelId: string;
let own: string;
let channels = 0;
beforeEach(async () => {
  channels += 1;
  channelId = `answer-${channels}`;
  own = `A-${channelId}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  ({ merchantId } = await aMerchant(fixture.domain, country));
});

/** A payin of 100.00 without a fee, that the channel reported on a day. */
async function aPayin(on = day): Promise<Order> {
  const free = { netAmount: '100.00', feeAmount: '0.00' };
  const order = await placePayin(fixture.domain, merchantId, country, { channelId, ...free });
  await reports(order, own);
  await moveEntriesTo(fixture.domain, merchantId, `${on}T05:00:00Z`);
  return order;
}
const reports = (order: Order, reference: string) =>
  fixture.domain.commit({
    type: 'applyReport',
    ref: order,
    channelId,
    answer: paid(reference),
    during: 'callback',
  });
async function shows(bookedOn: string, ...lines: Partial<StatementLine>[]): Promise<void> {
  const rows = lines.map((line) => aLine({ currency: 'PKR', bookedOn, ...line }));
  await anImport(fixture.domain, country, rows, channelId);
  await reconcileAll(fixture.domain);
}
/** A statement of the day that shows nothing of what the ledger has. */
const showsNothing = (on: string) =>
  shows(on, { type: 'settlement', direction: 'out', gross: '1.00', channelRef: `S-${channelId}` });

const rows = async <T extends object>(text: string, values: unknown[] = [channelId]): Promise<T[]> =>
  (await fixture.domain.database.pool.query<T>(text, values)).rows;
/** The open breaks, the oldest first, but for that of the settlement. */
const open = () =>
  rows<{ breakNo: number; amount: string; answers: number | null }>(
    `select break_no::integer as "breakNo", amount::text as amount, answers::integer as answers from reconciliation_break
     where channel_id = $1 and state = 'open' and amount <> -1 order by break_no`,
  );
const amounts = async () =>
  (await open()).map(({ amount, answers }) => `${amount}${answers === null ? '' : ' answers'}`);
async function ends(outcome: BreakOutcome): Promise<void> {
  for (const { breakNo } of await open())
    expect(
      await resolveBreak(
        fixture.domain,
        { merchantId: tenant, breakNo, outcome, otherBreakNo: null },
        by('ann', 'bob'),
      ),
    ).toMatchObject({ ok: true });
  await reconcileAll(fixture.domain);
}
/** What the wallet has, what of it is held, and the open cases. */
async function book(): Promise<unknown[]> {
  const sum = `select coalesce(sum(held), 0.00)::numeric(18, 2)::text as held from (${heldCreditsSql}) h`;
  const [held] = await rows<{ held: string }>(sum, [merchantId]);
  const cases = await rows<{ found: string }>(
    `select kind || ' ' || amount as found from money_case where channel_id = $1 and state = 'open'`,
  );
  return [(await readWallet(fixture.domain, merchantId)).available, held?.held, cases.map(({ found }) => found)];
}

test.each<[BreakOutcome, string, string]>([
  ['posted', '100.00', '10.00'],
  ['charged', '90.00', '0.00'],
  ['written_off', '100.00', '0.00'],
])('another payment of the order does not take back that the first one was short and %s', async (outcome, ...left) => {
  const { orderNo } = await aPayin();
  await shows(day, { channelRef: own, gross: '90.00' });
  await ends(outcome);
  expect(await book()).toEqual([...left, []]);
  await shows(dayAgo(country, 2), { channelRef: `C-${channelId}`, orderNo });
  expect(await amounts()).toEqual(['100.00']);
  await ends('posted');
  expect(await book()).toEqual([...left, ['double 100.00']]);
});

test('what was missing of a payment comes under a bank reference too, if it is no more than that', async () => {
  const { orderNo } = await aPayin();
  await shows(day, { channelRef: own, gross: '90.00' });
  await ends('posted');
  await shows(dayAgo(country, 2), { bankRef: 'REST-1', orderNo, gross: '10.00' });
  expect(await amounts()).toEqual(['10.00 answers']);
  await ends('posted');
  expect(await book()).toEqual(['100.00', '0.00', []]);
});

test('of two lines in one file, the one under the payment’s own reference takes its decision back', async () => {
  const { orderNo } = await aPayin();
  await showsNothing(day);
  await ends('posted');
  await shows(dayAgo(country, 2), { channelRef: `C-${channelId}`, orderNo }, { channelRef: own, gross: '90.00' });
  expect((await amounts()).toSorted()).toEqual(['100.00', '90.00 answers']);
  await ends('posted');
  expect(await book()).toEqual(['100.00', '10.00', ['double 100.00']]);
});

test('a bank reference that another payer uses on another day does not take back what was missing of a top-up', async () => {
  const bankRef = `SALARY-${channelId}`;
  const topUp = { ...aTopUp(merchantId, bankRef, '50.00'), channelId };
  expect(await bookWallet(fixture.domain, topUp, by('ann', 'bob'))).toMatchObject({ ok: true });
  await moveEntriesTo(fixture.domain, merchantId, `${day}T05:00:00Z`);
  await shows(day, { bankRef, gross: '40.00', type: 'unknown' });
  await ends('posted');
  expect(await book()).toEqual(['50.00', '10.00', []]);
  await shows(dayAgo(country, 1), { bankRef, gross: '300.00' });
  expect(await amounts()).toEqual(['300.00']);
  await ends('posted');
  expect(await book()).toEqual(['50.00', '10.00', ['unmatched 300.00']]);
});

test('a line that names another order of one reference does not take back what was missing of the first', async () => {
  const [first, second] = [await aPayin(), await aPayin()];
  const its = { channelRef: own };
  await shows(day, { ...its, orderNo: first.orderNo, gross: '90.00' }, { ...its, orderNo: second.orderNo });
  await ends('posted');
  await shows(dayAgo(country, 2), { ...its, orderNo: second.orderNo, gross: '10.00' });
  expect(await amounts()).toEqual(['10.00']);
  await ends('posted');
  expect((await book())[1]).toBe('10.00');
});

test('the report of another payment does not take back what a line showed beyond the first one', async () => {
  const order = await placePayin(fixture.domain, merchantId, country, { channelId });
  await shows(dayAgo(country, 0), { channelRef: own, orderNo: order.orderNo });
  await ends('written_off');
  await reports(order, own);
  await reports(order, `C-${channelId}`);
  await reconcileAll(fixture.domain);
  expect((await amounts()).toSorted()).toEqual(['-100.00', '-100.00 answers']);
});

test.each([
  ['its order', true],
  ['no order', false],
])('a payment that was posted as missing long ago is shown by its own line, which names %s', async (_, isNamed) => {
  const on = dayAgo(country, 45);
  const { orderNo } = await aPayin(on);
  await showsNothing(on);
  await ends('posted');
  expect(await book()).toEqual(['100.00', '100.00', []]);
  await shows(dayAgo(country, 2), { channelRef: own, orderNo: isNamed ? orderNo : null });
  expect(await amounts()).toEqual(['100.00 answers']);
  await ends('posted');
  expect([await book(), await amounts()]).toEqual([['100.00', '0.00', []], []]);
});

test('a line that was posted to the variance long ago is shown by the report of its own reference', async () => {
  const on = dayAgo(country, 45);
  const order = await placePayin(fixture.domain, merchantId, country, { channelId });
  await shows(on, { channelRef: own, type: 'unknown' });
  await ends('posted');
  await reports(order, own);
  await showsNothing(dayAgo(country, 0));
  expect(await amounts()).toEqual(['-100.00 answers']);
  await ends('posted');
  expect((await book()).slice(1)).toEqual(['0.00', []]);
});

test('a line without an order enters nothing if an order has the payment of its reference', async () => {
  const { orderNo } = await aPayin();
  await shows(day, { bankRef: `U-${channelId}`, orderNo });
  await shows(dayAgo(country, 2), { channelRef: own });
  for (const times of [1, 2]) {
    expect([times, await amounts()]).toEqual([times, ['100.00']]);
    await ends('posted');
  }
  expect([await book(), await amounts()]).toEqual([['100.00', '0.00', []], []]);
});

test('what can be answered is found by indexes, whatever its age', async () => {
  const found = { text: foundAnswersSql, values: [tenant, channelId], prepare: createOpenTablesSql };
  const whole = await wholeScansOf(fixture.domain, found);
  const open = /Seq Scan on (wanted_break|open_line|open_expectation|open_absence)/;
  expect(whole.filter((line) => !open.test(line))).toEqual([]);
});
