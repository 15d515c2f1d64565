import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOutgoingCase } from '../../cases/index.ts';
import { setChannel } from '../../channels/set-channel.ts';
import { bookWallet, reversalCommand } from '../../ledger/book-wallet.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { unrestricted } from '../../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aTopUp, paid, placePayin } from '../../testing/payins.ts';
import { by, placePayout } from '../../testing/payouts.ts';
import { lastEntryOf, moveEntriesTo } from '../../testing/settlements.ts';
import {
  aLine,
  anImport,
  dayAgo,
  lineOfVersion,
  noSummary,
  reconcileAll,
  violationsOfMoved,
} from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { loadBreakOutcomes } from '../list-breaks.ts';
import type { StatementLine } from '../statement.ts';
import { heldCreditsSql } from './queries.ts';

// What a wallet paid, and what is held, is what the lines that count now do not show of the ledger's entry, however they came to that.

const country = 'PK';
const currency = 'PKR';
const tenant = 'PLATFORM-PK';
const agreed = by('ann', 'bob');
const day = dayAgo(country, 2);
let fixture: TestDomain;
let merchantId: string;
let channelId: string;
let versions: number;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});
beforeEach(async () => {
  channels += 1;
  versions = 0;
  channelId = `borne-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  ({ merchantId } = await aMerchant(fixture.domain, country));
});

/** A payin of 100.00 without a fee, that the channel reported. */
async function aPayin(): Promise<void> {
  const free = { netAmount: '100.00', feeAmount: '0.00' };
  const order = await placePayin(fixture.domain, merchantId, country, { channelId, ...free });
  await fixture.domain.commit({
    type: 'applyReport',
    ref: order,
    channelId,
    answer: paid(`P-${channelId}`),
    during: 'query',
  });
  await moveEntriesTo(fixture.domain, merchantId, `${day}T05:00:00Z`);
}

/** The next version of the day shows the line over this amount; null: it does not show it. Each version has a line of its own, and that of the one before. */
async function shows(gross: string | null, its: Partial<StatementLine> = { channelRef: `P-${channelId}` }) {
  versions += 1;
  const mark = (no: number) => lineOfVersion({ currency, bookedOn: day }, channelId, no);
  const lines = [mark(versions - 1), mark(versions)];
  if (gross !== null) lines.push(aLine({ currency, bookedOn: day, gross, ...its }));
  const closing = ((its.direction === 'out' ? -1 : 1) * Number(gross ?? 0) - 2).toFixed(2);
  const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing };
  await anImport(fixture.domain, country, [...lines, { ...summary, versions }], channelId);
  await reconcileAll(fixture.domain);
}

/** The open breaks but for those over the lines of the versions, the oldest first. */
async function open(): Promise<{ breakNo: number; amount: string }[]> {
  const { rows } = await fixture.domain.database.pool.query<{ breakNo: number; amount: string }>(
    `select break_no::integer as "breakNo", amount::text as amount from reconciliation_break b
     where channel_id = $1 and state = 'open' and abs(b.amount) <> 1 order by break_no`,
    [channelId],
  );
  return rows;
}
/** Ends the open break over this amount. */
async function ends(amount: string, outcome: BreakOutcome): Promise<string> {
  const breakNo = (await open()).find((one) => one.amount === amount)?.breakNo ?? 0;
  const done = await resolveBreak(fixture.domain, { merchantId: tenant, breakNo, outcome, otherBreakNo: null }, agreed);
  await reconcileAll(fixture.domain);
  return done.ok ? 'ended' : done.rejection;
}
const canEnd = async (amount: string) => {
  const breakNo = (await open()).find((one) => one.amount === amount)?.breakNo ?? 0;
  return (await loadBreakOutcomes(fixture.domain, unrestricted, [{ merchantId: tenant, breakNo }]))[0];
};
const sumIn = async (account: string) => {
  const sum =
    'select coalesce(sum(case when debit = $1 then amount else -amount end), 0.00)::text as sum from transfer where $1 in (debit, credit)';
  return (await fixture.domain.database.pool.query<{ sum: string }>(sum, [`${account}:${channelId}`])).rows[0]?.sum;
};
/** What the wallet has, what of it is held, and what the platform bears. */
async function book(): Promise<unknown[]> {
  const sum = `select coalesce(sum(held), 0.00)::numeric(18, 2)::text as held from (${heldCreditsSql}) h`;
  const { rows } = await fixture.domain.database.pool.query<{ held: string }>(sum, [merchantId]);
  return [(await readWallet(fixture.domain, merchantId)).available, rows[0]?.held, await sumIn('written_off')];
}

test.each<[BreakOutcome, string]>([
  ['posted', 'ended'],
  ['written_off', 'ended'],
  ['charged', 'break_not_resolvable'],
])('an excess that a correction takes back is nobody’s missing money: %s', async (outcome, ended) => {
  await aPayin();
  await shows('110.00');
  expect(await ends('10.00', 'posted')).toBe('ended');
  await shows('100.00');
  expect(await canEnd('-10.00')).not.toContain('charged');
  expect(await ends('-10.00', outcome)).toBe(ended);
  expect((await book()).slice(0, 2)).toEqual(['100.00', '0.00']);
});

test('a line that is short, right and short again is held once', async () => {
  await aPayin();
  for (const [gross, amount] of [
    ['90.00', '-10.00'],
    ['100.00', '10.00'],
    ['90.00', '-10.00'],
  ] as const) {
    await shows(gross);
    expect(await ends(amount, 'posted')).toBe('ended');
  }
  expect(await book()).toEqual(['100.00', '10.00', '0.00']);
});

test.each<BreakOutcome>(['charged', 'written_off'])(
  'a line that shows all gives back what two decisions took, the first one %s',
  async (first) => {
    await aPayin();
    await shows('90.00');
    expect(await ends('-10.00', first)).toBe('ended');
    await shows('70.00');
    expect(await ends('-20.00', 'charged')).toBe('ended');
    await shows('100.00');
    expect(await ends('30.00', 'posted')).toBe('ended');
    expect(await book()).toEqual(['100.00', '0.00', '0.00']);
  },
);

test('a line that shows all gives back what was charged for its part, and for the rest when it was gone', async () => {
  await aPayin();
  await shows('60.00');
  expect(await ends('-40.00', 'charged')).toBe('ended');
  await shows(null);
  expect(await ends('-60.00', 'charged')).toBe('ended');
  expect(await book()).toEqual(['0.00', '0.00', '0.00']);
  await shows('100.00');
  expect(await ends('100.00', 'posted')).toBe('ended');
  expect(await book()).toEqual(['100.00', '0.00', '0.00']);
});

test('what a charged merchant gets back does not depend on how the platform ends the break of the line', async () => {
  await aPayin();
  await shows('70.00');
  expect(await ends('-30.00', 'charged')).toBe('ended');
  await shows('100.00');
  expect(await ends('30.00', 'written_off')).toBe('ended');
  expect(await book()).toEqual(['100.00', '0.00', '0.00']);
});

test('a line that shows charged money cannot be linked with another break: the wallet would get nothing back', async () => {
  await aPayin();
  await shows(null);
  expect(await ends('-100.00', 'charged')).toBe('ended');
  await shows('100.00');
  const other = aLine({ currency, bookedOn: day, direction: 'out', type: 'settlement', channelRef: `S-${channelId}` });
  await anImport(fixture.domain, country, [other], channelId);
  await reconcileAll(fixture.domain);
  const [back, out] = await open();
  for (const [one, two] of [
    [back, out],
    [out, back],
  ]) {
    const linked = {
      merchantId: tenant,
      breakNo: one?.breakNo ?? 0,
      outcome: 'linked',
      otherBreakNo: two?.breakNo ?? 0,
    } as const;
    expect(await resolveBreak(fixture.domain, linked, agreed)).toMatchObject({ rejection: 'break_not_resolvable' });
  }
  expect([await ends('100.00', 'posted'), (await book())[0]]).toEqual(['ended', '100.00']);
});

test('a break over a line that shows all again is not charged, although its correction is open', async () => {
  await aPayin();
  for (const gross of ['100.00', '90.00', '100.00']) await shows(gross);
  expect([await canEnd('-10.00'), await ends('-10.00', 'charged')]).toEqual([
    ['linked', 'posted', 'written_off'],
    'break_not_resolvable',
  ]);
  expect([await ends('-10.00', 'posted'), await ends('10.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await book()).toEqual(['100.00', '0.00', '0.00']);
});

test('a break is charged no more than what is missing by now', async () => {
  await aPayin();
  for (const gross of ['100.00', '90.00', '95.00']) await shows(gross);
  expect([await ends('-10.00', 'charged'), await ends('5.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await book()).toEqual(['95.00', '0.00', '0.00']);
});

test.each([
  ['110.00', '10.00', '0.00'],
  ['90.00', '-10.00', '10.00'],
])('a line that is gone and comes back over %s is the same line, corrected', async (gross, amount, held) => {
  await aPayin();
  for (const version of ['100.00', null, gross]) await shows(version);
  expect((await open()).map((one) => one.amount)).toEqual([amount]);
  expect(await ends(amount, 'posted')).toBe('ended');
  expect(await book()).toEqual(['100.00', held, '0.00']);
  const cases = await fixture.domain.database.pool.query('select from money_case where channel_id = $1', [channelId]);
  expect(cases.rowCount).toBe(0);
});

test.each<BreakOutcome>(['charged', 'posted'])(
  'a repetition that was linked shows no more money: what its movement misses is %s',
  async (outcome) => {
    await aPayin();
    await shows('100.00');
    const again = aLine({ currency, bookedOn: dayAgo(country, 1), channelRef: `P-${channelId}` });
    await anImport(fixture.domain, country, [again], channelId);
    await reconcileAll(fixture.domain);
    expect(await ends('100.00', 'linked')).toBe('ended');
    await shows('90.00');
    expect(await canEnd('-10.00')).toContain('charged');
    expect(await ends('-10.00', outcome)).toBe('ended');
    expect(await book()).toEqual(outcome === 'charged' ? ['90.00', '0.00', '0.00'] : ['100.00', '10.00', '0.00']);
  },
);

test('a corrected line frees what was held, also if it came after its entry was posted as missing', async () => {
  await aPayin();
  await shows(null);
  expect(await ends('-100.00', 'posted')).toBe('ended');
  await shows('90.00');
  expect([await ends('90.00', 'posted'), await book()]).toEqual(['ended', ['100.00', '10.00', '0.00']]);
  await shows('100.00');
  expect([await ends('10.00', 'posted'), await book()]).toEqual(['ended', ['100.00', '0.00', '0.00']]);
  // It is gone once more, and comes back as it was.
  await shows(null);
  expect((await open()).map((one) => one.amount)).toEqual(['-100.00']);
  await shows('100.00');
  expect(await open()).toEqual([]);
});

test('a top-up that was charged as missing, and is reversed too, costs the merchant once', async () => {
  const { domain } = fixture;
  const topUp = { ...aTopUp(merchantId, `T-${channelId}`, '80.00'), channelId };
  expect(await bookWallet(domain, topUp, agreed)).toMatchObject({ ok: true });
  await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
  expect(await bookWallet(domain, aTopUp(merchantId, `U-${channelId}`, '80.00'), agreed)).toMatchObject({ ok: true });
  await shows(null);
  expect(await ends('-80.00', 'charged')).toBe('ended');
  const before = await lastEntryOf(domain, merchantId);
  const reversal = { merchantId, bookingNo: topUp.bookingNo, remark: 'a mistake' };
  expect(await domain.commit(reversalCommand(reversal, agreed))).toMatchObject({ ok: true });
  await moveEntriesTo(domain, merchantId, `${day}T06:00:00Z`, before);
  await shows(null);
  expect((await book())[0]).toBe('0.00');
  expect(await ends('80.00', 'posted')).toBe('ended');
  expect(await book()).toEqual(['80.00', '0.00', '0.00']);
});

test('of two equal top-ups of one moment that are reversed, the one that was charged gives the charge back once', async () => {
  const { domain } = fixture;
  for (const no of [1, 2])
    expect(
      await bookWallet(domain, { ...aTopUp(merchantId, `E${no}-${channelId}`, '80.00'), channelId }, agreed),
    ).toMatchObject({ ok: true });
  await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
  expect(await bookWallet(domain, aTopUp(merchantId, `U-${channelId}`, '160.00'), agreed)).toMatchObject({ ok: true });
  await shows(null);
  expect([await ends('-80.00', 'charged'), await ends('-80.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await book()).toEqual(['240.00', '80.00', '0.00']);
  const before = await lastEntryOf(domain, merchantId);
  for (const no of [1, 2]) {
    const reversal = { merchantId, bookingNo: `E${no}-${channelId}`, remark: 'a mistake' };
    expect(await domain.commit(reversalCommand(reversal, agreed))).toMatchObject({ ok: true });
  }
  await moveEntriesTo(domain, merchantId, `${day}T06:00:00Z`, before);
  expect((await book()).slice(0, 2)).toEqual(['80.00', '0.00']);
  await shows(null);
  expect([await ends('80.00', 'posted'), await ends('80.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await book()).toEqual(['160.00', '0.00', '0.00']);
});

test.each<['chargeCase' | 'writeOffCase', BreakOutcome, string, string]>([
  ['chargeCase', 'posted', '100.00', '0.00'],
  ['chargeCase', 'written_off', '100.00', '0.00'],
  ['writeOffCase', 'posted', '200.00', '100.00'],
])(
  'who bore a failed payout that its line had shown gets it back when the line goes: %s, %s',
  async (type, outcome, ...borne) => {
    const { domain } = fixture;
    expect(await bookWallet(domain, aTopUp(merchantId, `W-${channelId}`, '200.00'), agreed)).toMatchObject({
      ok: true,
    });
    const ref = await placePayout(domain, merchantId, country, { channelId, feeAmount: '0.00' });
    const failed = { outcome: 'failed', reason: 'no' } as const;
    await domain.commit({ type: 'applyReport', ref, channelId, answer: failed, during: 'callback' });
    const out = { type: 'payout', direction: 'out', channelRef: `O-${channelId}`, orderNo: ref.orderNo } as const;
    await shows('100.00', out);
    expect(await ends('-100.00', 'posted')).toBe('ended');
    expect(await endOutgoingCase(domain, { merchantId, caseNo: 1 }, type, agreed)).toMatchObject({ ok: true });
    expect((await book()).filter((_, at) => at !== 1)).toEqual(borne);
    await shows(null, out);
    expect(await ends('100.00', outcome)).toBe('ended');
    expect([await book(), await sumIn('variance')]).toEqual([['200.00', '0.00', '0.00'], '0.00']);
  },
);
