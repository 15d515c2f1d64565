import { beforeEach, expect, test } from 'vitest';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aDayOfVersions, agreed, type DayOfVersions, tenant } from '../../testing/day-of-versions.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';

// What a wallet paid, and what is held, is what the lines that count now do not show of the ledger's entry, however they came to that.

const fixture = auditedDomain();
let theDay: DayOfVersions;
let channels = 0;
beforeEach(async () => {
  channels += 1;
  theDay = await aDayOfVersions(fixture.domain, `borne-${channels}`);
});

test.each<[BreakOutcome, string]>([
  ['posted', 'ended'],
  ['written_off', 'ended'],
  ['charged', 'break_not_resolvable'],
])('an excess that a correction takes back is nobody’s missing money: %s', async (outcome, ended) => {
  await theDay.aPayin();
  await theDay.shows('110.00');
  expect(await theDay.ends('10.00', 'posted')).toBe('ended');
  await theDay.shows('100.00');
  expect(await theDay.canEnd('-10.00')).not.toContain('charged');
  expect(await theDay.ends('-10.00', outcome)).toBe(ended);
  expect((await theDay.book()).slice(0, 2)).toEqual(['100.00', '0.00']);
});

test('a line that is short, right and short again is held once', async () => {
  await theDay.aPayin();
  for (const [gross, amount] of [
    ['90.00', '-10.00'],
    ['100.00', '10.00'],
    ['90.00', '-10.00'],
  ] as const) {
    await theDay.shows(gross);
    expect(await theDay.ends(amount, 'posted')).toBe('ended');
  }
  expect(await theDay.book()).toEqual(['100.00', '10.00', '0.00']);
});

test.each<BreakOutcome>(['charged', 'written_off'])(
  'a line that shows all gives back what two decisions took, the first one %s',
  async (first) => {
    await theDay.aPayin();
    await theDay.shows('90.00');
    expect(await theDay.ends('-10.00', first)).toBe('ended');
    await theDay.shows('70.00');
    expect(await theDay.ends('-20.00', 'charged')).toBe('ended');
    await theDay.shows('100.00');
    expect(await theDay.ends('30.00', 'posted')).toBe('ended');
    expect(await theDay.book()).toEqual(['100.00', '0.00', '0.00']);
  },
);

test('a line that shows all gives back what was charged for its part, and for the rest when it was gone', async () => {
  await theDay.aPayin();
  await theDay.shows('60.00');
  expect(await theDay.ends('-40.00', 'charged')).toBe('ended');
  await theDay.shows(null);
  expect(await theDay.ends('-60.00', 'charged')).toBe('ended');
  expect(await theDay.book()).toEqual(['0.00', '0.00', '0.00']);
  await theDay.shows('100.00');
  expect(await theDay.ends('100.00', 'posted')).toBe('ended');
  expect(await theDay.book()).toEqual(['100.00', '0.00', '0.00']);
});

test('what a charged merchant gets back does not depend on how the platform ends the break of the line', async () => {
  await theDay.aPayin();
  await theDay.shows('70.00');
  expect(await theDay.ends('-30.00', 'charged')).toBe('ended');
  await theDay.shows('100.00');
  expect(await theDay.ends('30.00', 'written_off')).toBe('ended');
  expect(await theDay.book()).toEqual(['100.00', '0.00', '0.00']);
});

test('a line that shows charged money cannot be linked with another break: the wallet would get nothing back', async () => {
  await theDay.aPayin();
  await theDay.shows(null);
  expect(await theDay.ends('-100.00', 'charged')).toBe('ended');
  await theDay.shows('100.00');
  await theDay.showsToo({ direction: 'out', type: 'settlement', channelRef: `S-${theDay.channelId}` });
  const [back, out] = await theDay.open();
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
  expect([await theDay.ends('100.00', 'posted'), (await theDay.book())[0]]).toEqual(['ended', '100.00']);
});

test('a break over a line that shows all again is not charged, although its correction is open', async () => {
  await theDay.aPayin();
  for (const gross of ['100.00', '90.00', '100.00']) await theDay.shows(gross);
  expect([await theDay.canEnd('-10.00'), await theDay.ends('-10.00', 'charged')]).toEqual([
    ['linked', 'posted', 'written_off'],
    'break_not_resolvable',
  ]);
  expect([await theDay.ends('-10.00', 'posted'), await theDay.ends('10.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await theDay.book()).toEqual(['100.00', '0.00', '0.00']);
});

test('a break is charged no more than what is missing by now', async () => {
  await theDay.aPayin();
  for (const gross of ['100.00', '90.00', '95.00']) await theDay.shows(gross);
  expect([await theDay.ends('-10.00', 'charged'), await theDay.ends('5.00', 'posted')]).toEqual(['ended', 'ended']);
  expect(await theDay.book()).toEqual(['95.00', '0.00', '0.00']);
});
