import { expect, test } from 'vitest';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aPaidOrder, type LineOfOrder, nothing, paidInTwo, two } from '../../testing/paid-order.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';

const fixture = auditedDomain();
let orders = 0;
const channel = () => `parts-${++orders}`;

test.each<[string, string, BreakOutcome, string[]]>([
  ['matched', '80.00', 'posted', ['100.00', '20.00', '0.00', '20.00']],
  ['matched', '0.00', 'charged', ['0.00', '0.00', '0.00', '0.00']],
  ['answered', '80.00', 'charged', ['80.00', '0.00', '0.00', '0.00']],
  ['answered', '0.00', 'posted', ['100.00', '100.00', '0.00', '100.00']],
])('a line that was %s with both payments and then shows %s is %s', async (was, gross, how, expected) => {
  const paid =
    was === 'matched'
      ? await aPaidOrder(fixture.domain, channel(), two)
      : await paidInTwo(fixture.domain, channel(), ['charged', 'charged']);
  await paid.shows(['order', '100.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
  await paid.shows(...(gross === '0.00' ? [] : ([['order', gross]] as const)));
  await paid.ends(how);
  expect(await paid.book()).toEqual(expected);
  await paid.shows([0, two[0]], [1, two[1]]);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
});

test.each<[string, readonly string[], LineOfOrder[]]>([
  [
    'a payment',
    ['100.00'],
    [
      [0, '70.00'],
      ['order', '30.00'],
    ],
  ],
  [
    'two payments',
    two,
    [
      ['order', '70.00'],
      ['order', '30.00'],
    ],
  ],
])('of two lines of %s one comes back, and the other one is still missing', async (_, amounts, lines) => {
  const paid = await aPaidOrder(fixture.domain, channel(), amounts);
  await paid.shows(...lines.slice(0, amounts.length));
  await paid.ends();
  for (const shown of [lines, [], lines.slice(0, 1)]) await paid.shows(...shown);
  await paid.ends();
  expect(await paid.book()).toEqual(['100.00', '30.00', '0.00', '30.00']);
});
