import { beforeEach, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import type { Order } from '../core/order.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { auditedDomain } from '../testing/audited-domain.ts';
import { aMerchant } from '../testing/index.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import { moveEntriesTo } from '../testing/settlements.ts';
import { aLine, anImport, dayAgo, lineOfVersion, noSummary, reconcileAll } from '../testing/statements.ts';
import { resolveBreak } from './breaks/resolve-break.ts';
import type { StatementLine } from './statement.ts';

// Lines of one movement, its entry and the decisions over them are a group. What its lines that count now show beyond the rest is what its break is about. So after
// breaks are posted, the account of the channel is what its statement shows.

const country = 'PK';
const currency = 'PKR';
const [day, next] = [dayAgo(country, 2), dayAgo(country, 1)];
const fixture = auditedDomain();
let merchantId: string;
let channelId: string;
let reference: string;
let versions: number;
let channels = 0;
beforeEach(async () => {
  channels += 1;
  versions = 0;
  channelId = `movement-${channels}`;
  reference = `P-${channelId}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  ({ merchantId } = await aMerchant(fixture.domain, country));
});

/** A payin of 100.00 without a fee, that the channel reported under this reference. */
async function aPayin(ref = reference): Promise<Order> {
  const free = { netAmount: '100.00', feeAmount: '0.00' };
  const order = await placePayin(fixture.domain, merchantId, country, { channelId, ...free });
  const report = { type: 'applyReport', ref: order, channelId, answer: paid(ref), during: 'query' } as const;
  expect(await fixture.domain.commit(report)).toMatchObject({ ok: true });
  await moveEntriesTo(fixture.domain, merchantId, `${day}T05:00:00Z`);
  return order;
}

/** A line of the movement; an amount below zero is that of a reversal. */
function moved(amount: string, changes: Partial<StatementLine> = {}): StatementLine {
  const isOut = amount.startsWith('-');
  const way = isOut ? ({ type: 'refund', direction: 'out' } as const) : {};
  return aLine({ currency, bookedOn: day, channelRef: reference, gross: amount.replace('-', ''), ...way, ...changes });
}
/** The next version of the day. Each has a line of its own, and that of the one before. */
async function shows(...lines: StatementLine[]): Promise<void> {
  versions += 1;
  const mark = (no: number) => lineOfVersion({ currency, bookedOn: day }, channelId, no);
  const all = [mark(versions - 1), mark(versions), ...lines];
  const closing = all.reduce((sum, { direction, net }) => sum + (direction === 'in' ? 1 : -1) * Number(net), 0);
  const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing: closing.toFixed(2) };
  await anImport(fixture.domain, country, [...all, { ...summary, versions }], channelId);
  await reconcileAll(fixture.domain);
}
/** A file of another day. */
async function showsLater(...lines: StatementLine[]): Promise<void> {
  const later = lines.map((line) => ({ ...line, bookedOn: next }));
  await anImport(fixture.domain, country, later, channelId);
  await reconcileAll(fixture.domain);
}

const rows = async <T extends object>(text: string): Promise<T[]> =>
  (await fixture.domain.database.pool.query<T>(text, [channelId])).rows;
/** The open breaks but for those over the lines of the versions. */
async function open(): Promise<string[]> {
  const found = await rows<{ found: string }>(
    `select kind || ' ' || amount as found from reconciliation_break where channel_id = $1 and state in ('open', 'posting') and abs(amount) <> 1 order by break_no`,
  );
  return found.map((one) => one.found);
}
/** The orders whose payments are missing. */
async function missing(): Promise<(string | null)[]> {
  const found = await rows<{ orderNo: string | null }>(
    `select order_no as "orderNo" from reconciliation_break where channel_id = $1 and state = 'open' and kind = 'missing_at_channel' and amount = -100`,
  );
  return found.map(({ orderNo }) => orderNo);
}
/** Ends the open breaks, the oldest first. */
async function endAll(outcome: 'posted' | 'linked' | 'charged'): Promise<void> {
  const found = await rows<{ breakNo: number }>(
    `select break_no::integer as "breakNo" from reconciliation_break where channel_id = $1 and state = 'open' and abs(amount) <> 1 order by break_no`,
  );
  for (const { breakNo } of found) {
    const ending = { merchantId: 'PLATFORM-PK', breakNo, outcome, otherBreakNo: null };
    expect(await resolveBreak(fixture.domain, ending, by('ann', 'bob'))).toMatchObject({ ok: true });
  }
  await reconcileAll(fixture.domain);
}
/** Two operators say that the open repetition shows its movement again. */
async function linksRepetition(): Promise<void> {
  const [found] = await rows<{ breakNo: number }>(
    `select break_no::integer as "breakNo" from reconciliation_break where channel_id = $1 and state = 'open' and kind = 'duplicate'`,
  );
  const ending = {
    merchantId: 'PLATFORM-PK',
    breakNo: found?.breakNo ?? 0,
    outcome: 'linked',
    otherBreakNo: null,
  } as const;
  expect(await resolveBreak(fixture.domain, ending, by('ann', 'bob'))).toMatchObject({ ok: true });
  await reconcileAll(fixture.domain);
}
/** What the ledger says that the channel holds. */
const held = async () =>
  (
    await rows<{ held: string }>(
      `select coalesce(sum(case when debit = 'channel:' || $1 then amount else -amount end), 0.00)::text as held from transfer where 'channel:' || $1 in (debit, credit)`,
    )
  )[0]?.held;

test.each([
  ['goes', ['100.00'], [], '100.00'],
  ['goes with the line that it repeated', [], ['missing_at_channel -100.00'], '0.00'],
  ['is corrected', ['100.00', '90.00'], ['amount 90.00'], '190.00'],
])(
  'a repetition that people linked was not booked, and nothing is missing when it %s',
  async (_, amounts, left, holds) => {
    await aPayin();
    await shows(moved('100.00'), moved('100.00'));
    expect(await open()).toEqual(['duplicate 100.00']);
    await endAll('linked');
    await shows(...amounts.map((amount) => moved(amount)));
    expect(await open()).toEqual(left);
    await endAll('posted');
    await endAll('posted');
    expect([await open(), await held()]).toEqual([[], holds]);
  },
);

const ofMovement = async () => (await open()).filter((found) => !found.startsWith('balance'));
/** A version of the statement of the next day. */
async function showsNext(at: string, ...lines: StatementLine[]): Promise<void> {
  const net = lines.reduce((sum, line) => sum + (line.direction === 'in' ? 1 : -1) * Number(line.net), 0);
  const balances = { opening: '5000.00', closing: (5000 + net).toFixed(2) };
  const summary = { ...noSummary, from: next, to: next, ...balances, at };
  await anImport(fixture.domain, country, [...lines, summary], channelId);
  await reconcileAll(fixture.domain);
}
const nextMark = (no: number) => lineOfVersion({ currency, bookedOn: next }, channelId, no);
/** The statement of the next day shows the movement again, and people link that with it. */
async function isRepeated(): Promise<void> {
  await showsNext('first', nextMark(90), moved('100.00', { bookedOn: next }));
  expect(await ofMovement()).toEqual(['duplicate 100.00']);
  await linksRepetition();
}
const isRepeatedNoMore = () => showsNext('second', nextMark(90), nextMark(91));

test.each(['the first file', 'the second file'])(
  'a movement that a repetition still shows is missing only after both are gone, %s first',
  async (which) => {
    await aPayin();
    await shows(moved('100.00'));
    await isRepeated();
    const gone = [() => shows(), isRepeatedNoMore];
    for (const [no, goes] of (which === 'the first file' ? gone : gone.toReversed()).entries()) {
      await goes();
      expect(await ofMovement()).toEqual(no === 0 ? [] : ['missing_at_channel -100.00']);
      expect(await missing()).toHaveLength(no);
    }
    // It comes back, and takes the match over.
    await shows(moved('100.00'));
    expect(await ofMovement()).toEqual([]);
  },
);

test('a repetition of a movement that was corrected since goes without a break', async () => {
  await aPayin();
  await shows(moved('100.00'));
  await isRepeated();
  await shows(moved('90.00'));
  expect(await ofMovement()).toEqual(['amount -10.00']);
  await isRepeatedNoMore();
  expect(await ofMovement()).toEqual(['amount -10.00']);
});

test.each(['10.00', '90.00'])(
  'as long as the line of a payment counts, another one over %s under its reference is more money',
  async (amount) => {
    await aPayin();
    await shows(moved('100.00'));
    await showsLater(moved(amount));
    expect(await open()).toEqual([`amount ${amount}`]);
    await endAll('posted');
    expect([await open(), await held()]).toEqual([[], `${100 + Number(amount)}.00`]);
  },
);

test.each([
  ['100.00', [], '100.00'],
  ['90.00', ['amount -10.00'], '90.00'],
  ['120.00', ['amount 20.00'], '120.00'],
])('a booking that the bank took back, and booked again over %s, is one movement', async (amount, left, holds) => {
  await aPayin();
  await shows(moved('100.00'));
  await showsLater(moved('-100.00'));
  expect(await open()).toEqual(['late_reversal -100.00']);
  await showsLater(moved(amount));
  expect(await open()).toEqual(left);
  await endAll(Number(amount) < 100 ? 'charged' : 'posted');
  expect([await open(), await held()]).toEqual([[], holds]);
  const { available } = await readWallet(fixture.domain, merchantId);
  expect(available).toBe(Number(amount) < 100 ? amount : '100.00');
});

test.each([
  [['100.00', '-100.00', '100.00'], []],
  [['100.00', '100.00', '-100.00', '-100.00', '90.00'], ['amount -10.00']],
  [['90.00', '-90.00', '100.00'], []],
])('lines %s of one file that book, take back and book again are one movement', async (amounts, left) => {
  await aPayin();
  await shows(...amounts.map((amount) => moved(amount)));
  expect(await open()).toEqual(left);
  await endAll('posted');
  expect(await held()).toBe(left.length > 0 ? '90.00' : '100.00');
});

test('what a batch takes back under the reference of several payments is not taken for a movement that is booked again', async () => {
  const orders = [await aPayin('B-1'), await aPayin('B-2')];
  const lines = orders.map(({ orderNo }) => moved('100.00', { orderNo }));
  await shows(...lines, moved('-100.00'), moved('100.00'));
  expect((await open()).map((found) => found.split(' ')[1])).toEqual(['-100.00', '100.00']);
});

test('a repetition of what the bank took back takes nothing back', async () => {
  await aPayin();
  await shows(moved('100.00'), moved('-100.00'), moved('100.00'));
  await showsLater(moved('-100.00'));
  expect(await open()).toEqual(['duplicate -100.00']);
  await linksRepetition();
  await showsLater(moved('-100.00'), moved('-100.00'), moved('90.00'));
  expect(await open()).toEqual(['amount -10.00']);
});

test('a booking that comes again after people posted that it was taken back is money of its own', async () => {
  await aPayin();
  await shows(moved('100.00'));
  await showsLater(moved('-100.00'));
  await endAll('posted');
  expect(await held()).toBe('0.00');
  await showsLater(moved('100.00'));
  expect(await open()).toEqual(['amount 100.00']);
  await endAll('posted');
  expect([await open(), await held()]).toEqual([[], '100.00']);
});

test('a corrected file without what was taken back and booked again has the movement as before', async () => {
  await aPayin();
  await shows(moved('100.00'), moved('-100.00'), moved('90.00'));
  expect(await open()).toEqual(['amount -10.00']);
  await endAll('posted');
  await shows(moved('90.00'));
  expect([await open(), await held()]).toEqual([[], '90.00']);
});

test('a corrected line that names another order is matched with that one, and the order that it named before is missing', async () => {
  const [wrong, right] = [await aPayin('W-1'), await aPayin('W-2')];
  const [ofWrong, ofRight] = [wrong, right].map(({ orderNo }) =>
    moved('100.00', { channelRef: null, bankRef: 'UTR-1', orderNo }),
  );
  await shows(...(ofWrong ? [ofWrong] : []));
  expect(await missing()).toEqual([right.orderNo]);
  await shows(...(ofRight ? [ofRight] : []));
  expect(await missing()).toEqual([wrong.orderNo]);
  await endAll('charged');
  expect([await open(), await held()]).toEqual([[], '100.00']);
});
