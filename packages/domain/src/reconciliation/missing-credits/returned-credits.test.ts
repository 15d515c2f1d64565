import { beforeEach, expect, test } from 'vitest';
import { endOutgoingCase } from '../../cases/index.ts';
import { bookWallet, reversalCommand } from '../../ledger/book-wallet.ts';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aDayOfVersions, agreed, country, type DayOfVersions, day } from '../../testing/day-of-versions.ts';
import { aTopUp } from '../../testing/payins.ts';
import { placePayout } from '../../testing/payouts.ts';
import { lastEntryOf, moveEntriesTo } from '../../testing/settlements.ts';
import { dayAgo } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';

// Lines that are gone, come back or are repeated, and bookings that are taken back: nobody pays twice, and nobody keeps what came back.

const fixture = auditedDomain();
let theDay: DayOfVersions;
let channels = 0;
beforeEach(async () => {
  channels += 1;
  theDay = await aDayOfVersions(fixture.domain, `returned-${channels}`);
});

test.each([
  ['110.00', '10.00', '0.00'],
  ['90.00', '-10.00', '10.00'],
])('a line that is gone and comes back over %s is the same line, corrected', async (gross, amount, held) => {
  await theDay.aPayin();
  for (const version of ['100.00', null, gross]) await theDay.shows(version);
  expect((await theDay.open()).map((one) => one.amount)).toEqual([amount]);
  expect(await theDay.ends(amount, 'posted')).toBe('ended');
  expect(await theDay.book()).toEqual(['100.00', held, '0.00']);
  const cases = await fixture.domain.database.pool.query('select from money_case where channel_id = $1', [
    theDay.channelId,
  ]);
  expect(cases.rowCount).toBe(0);
});

test.each<BreakOutcome>(['charged', 'posted'])(
  'a repetition that was linked shows no more money: what its movement misses is %s',
  async (outcome) => {
    await theDay.aPayin();
    await theDay.shows('100.00');
    await theDay.showsToo({ bookedOn: dayAgo(country, 1), channelRef: `P-${theDay.channelId}` });
    expect(await theDay.ends('100.00', 'linked')).toBe('ended');
    await theDay.shows('90.00');
    expect(await theDay.canEnd('-10.00')).toContain('charged');
    expect(await theDay.ends('-10.00', outcome)).toBe('ended');
    expect(await theDay.book()).toEqual(
      outcome === 'charged' ? ['90.00', '0.00', '0.00'] : ['100.00', '10.00', '0.00'],
    );
  },
);

test('a corrected line frees what was held, also if it came after its entry was posted as missing', async () => {
  await theDay.aPayin();
  await theDay.shows(null);
  expect(await theDay.ends('-100.00', 'posted')).toBe('ended');
  await theDay.shows('90.00');
  expect([await theDay.ends('90.00', 'posted'), await theDay.book()]).toEqual(['ended', ['100.00', '10.00', '0.00']]);
  await theDay.shows('100.00');
  expect([await theDay.ends('10.00', 'posted'), await theDay.book()]).toEqual(['ended', ['100.00', '0.00', '0.00']]);
  // It is gone once more, and comes back as it was.
  await theDay.shows(null);
  expect((await theDay.open()).map((one) => one.amount)).toEqual(['-100.00']);
  await theDay.shows('100.00');
  expect(await theDay.open()).toEqual([]);
});

test('a top-up that was charged as missing, and is reversed too, costs the merchant once', async () => {
  const { domain } = fixture;
  const topUp = { ...aTopUp(theDay.merchantId, `T-${theDay.channelId}`, '80.00'), channelId: theDay.channelId };
  expect(await bookWallet(domain, topUp, agreed)).toMatchObject({ ok: true });
  await moveEntriesTo(domain, theDay.merchantId, `${day}T05:00:00Z`);
  expect(await bookWallet(domain, aTopUp(theDay.merchantId, `U-${theDay.channelId}`, '80.00'), agreed)).toMatchObject({
    ok: true,
  });
  await theDay.shows(null);
  expect(await theDay.ends('-80.00', 'charged')).toBe('ended');
  const before = await lastEntryOf(domain, theDay.merchantId);
  const reversal = { merchantId: theDay.merchantId, bookingNo: topUp.bookingNo, remark: 'a mistake' };
  expect(await domain.commit(reversalCommand(reversal, agreed))).toMatchObject({ ok: true });
  await moveEntriesTo(domain, theDay.merchantId, `${day}T06:00:00Z`, before);
  await theDay.shows(null);
  expect((await theDay.book())[0]).toBe('0.00');
  expect(await theDay.ends('80.00', 'posted')).toBe('ended');
  expect(await theDay.book()).toEqual(['80.00', '0.00', '0.00']);
});

test('of two equal top-ups of one moment that are reversed, the one that was charged gives the charge back once', async () => {
  const { domain } = fixture;
  for (const no of [1, 2])
    expect(
      await bookWallet(
        domain,
        { ...aTopUp(theDay.merchantId, `E${no}-${theDay.channelId}`, '80.00'), channelId: theDay.channelId },
        agreed,
      ),
    ).toMatchObject({ ok: true });
  await moveEntriesTo(domain, theDay.merchantId, `${day}T05:00:00Z`);
  expect(await bookWallet(domain, aTopUp(theDay.merchantId, `U-${theDay.channelId}`, '160.00'), agreed)).toMatchObject({
    ok: true,
  });
  await theDay.shows(null);
  expect([await theDay.ends('-80.00', 'charged'), await theDay.ends('-80.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await theDay.book()).toEqual(['240.00', '80.00', '0.00']);
  const before = await lastEntryOf(domain, theDay.merchantId);
  for (const no of [1, 2]) {
    const reversal = { merchantId: theDay.merchantId, bookingNo: `E${no}-${theDay.channelId}`, remark: 'a mistake' };
    expect(await domain.commit(reversalCommand(reversal, agreed))).toMatchObject({ ok: true });
  }
  await moveEntriesTo(domain, theDay.merchantId, `${day}T06:00:00Z`, before);
  expect((await theDay.book()).slice(0, 2)).toEqual(['80.00', '0.00']);
  await theDay.shows(null);
  expect([await theDay.ends('80.00', 'posted'), await theDay.ends('80.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await theDay.book()).toEqual(['160.00', '0.00', '0.00']);
});

test.each<['chargeCase' | 'writeOffCase', BreakOutcome, string, string]>([
  ['chargeCase', 'posted', '100.00', '0.00'],
  ['chargeCase', 'written_off', '100.00', '0.00'],
  ['writeOffCase', 'posted', '200.00', '100.00'],
])(
  'who bore a failed payout that its line had shown gets it back when the line goes: %s, %s',
  async (type, outcome, ...borne) => {
    const { domain } = fixture;
    expect(
      await bookWallet(domain, aTopUp(theDay.merchantId, `W-${theDay.channelId}`, '200.00'), agreed),
    ).toMatchObject({
      ok: true,
    });
    const ref = await placePayout(domain, theDay.merchantId, country, {
      channelId: theDay.channelId,
      feeAmount: '0.00',
    });
    const failed = { outcome: 'failed', reason: 'no' } as const;
    await domain.commit({ type: 'applyReport', ref, channelId: theDay.channelId, answer: failed, during: 'callback' });
    const out = {
      type: 'payout',
      direction: 'out',
      channelRef: `O-${theDay.channelId}`,
      orderNo: ref.orderNo,
    } as const;
    await theDay.shows('100.00', out);
    expect(await theDay.ends('-100.00', 'posted')).toBe('ended');
    expect(await endOutgoingCase(domain, { merchantId: theDay.merchantId, caseNo: 1 }, type, agreed)).toMatchObject({
      ok: true,
    });
    expect((await theDay.book()).filter((_, at) => at !== 1)).toEqual(borne);
    await theDay.shows(null, out);
    expect(await theDay.ends('100.00', outcome)).toBe('ended');
    expect([await theDay.book(), await theDay.sumIn('variance')]).toEqual([['200.00', '0.00', '0.00'], '0.00']);
  },
);

test.each<BreakOutcome>(['posted', 'charged'])(
  'the very same line without a reference shows its entry again after that was %s',
  async (outcome) => {
    await theDay.aPayin();
    const nameless = { bankRef: null, channelRef: null };
    await theDay.shows('100.00', nameless);
    await theDay.shows(null);
    expect(await theDay.ends('-100.00', outcome)).toBe('ended');
    await theDay.shows('100.00', nameless);
    expect(await theDay.ends('100.00', 'posted')).toBe('ended');
    expect(await theDay.book()).toEqual(['100.00', '0.00', '0.00']);
  },
);

test('a line in another currency that a later version has in ours gives back what was charged', async () => {
  await theDay.aPayin();
  await theDay.shows(null);
  expect(await theDay.ends('-100.00', 'charged')).toBe('ended');
  const own = { channelRef: `P-${theDay.channelId}` };
  await theDay.shows('100.00', { ...own, currency: 'USD' });
  // The line, and what it changed in the balance.
  for (const { amount } of await theDay.open()) expect(await theDay.ends(amount, 'written_off')).toBe('ended');
  await theDay.shows('100.00', own);
  expect(await theDay.ends('-100.00', 'written_off')).toBe('ended');
  expect(await theDay.ends('100.00', 'posted')).toBe('ended');
  expect([await theDay.book(), await theDay.open()]).toEqual([['100.00', '0.00', '0.00'], []]);
});
