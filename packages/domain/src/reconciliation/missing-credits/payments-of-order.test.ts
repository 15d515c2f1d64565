import { expect, test } from 'vitest';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { type LineOfOrder, nothing, paidInTwo, two } from '../../testing/paid-order.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';

const fixture = auditedDomain();
let orders = 0;
const channel = () => `parts-${++orders}`;

test.each([
  ['posted', 'charged'],
  ['charged', 'written_off'],
] as const)('one line over the order gives back what both payments were: %s, %s', async (...how) => {
  const paid = await paidInTwo(fixture.domain, channel(), how);
  await paid.shows(['order', '100.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
});

test('what a line shows beyond one payment is of the other one', async () => {
  const paid = await paidInTwo(fixture.domain, channel(), ['charged', 'written_off']);
  const lines: LineOfOrder[] = [
    ['order', '30.00'],
    [0, '60.00'],
    ['order', '10.00'],
  ];
  for (const at of lines.keys()) {
    await paid.shows(...lines.slice(0, at + 1));
    await paid.ends();
  }
  expect(await paid.book()).toEqual(nothing);
});

test.each<[BreakOutcome[], 0 | 1, string[]]>([
  [['charged', 'posted'], 0, ['100.00', '40.00', '0.00', '40.00']],
  [['charged', 'posted'], 1, ['40.00', '0.00', '0.00', '0.00']],
  [['written_off', 'charged'], 0, ['60.00', '0.00', '0.00', '0.00']],
  [['written_off', 'charged'], 1, ['100.00', '0.00', '60.00', '0.00']],
])('a line that shows the own payment frees that one first: %j, number %i', async (how, at, expected) => {
  const paid = await paidInTwo(fixture.domain, channel(), how);
  await paid.shows([at, two[at]]);
  await paid.ends();
  expect(await paid.book()).toEqual(expected);
});

test('a line over the whole of a payment answers, though another payment was shown beyond its amount', async () => {
  const paid = await paidInTwo(fixture.domain, channel(), ['charged', 'matched']);
  await paid.shows([1, '50.00']);
  await paid.ends();
  await paid.shows([1, '50.00'], ['order', '60.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(['100.00', '0.00', '0.00', '-10.00']);
});

test.each<[BreakOutcome, string[]]>([
  ['posted', ['100.00', '40.00', '0.00', '40.00']],
  ['charged', ['60.00', '0.00', '0.00', '0.00']],
])('what was given back for another payment and is missing again is %s', async (how, expected) => {
  const paid = await paidInTwo(fixture.domain, channel(), ['matched', 'charged']);
  await paid.shows([0, '100.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
  await paid.shows([0, '60.00']);
  await paid.ends(how);
  expect(await paid.book()).toEqual(expected);
});
