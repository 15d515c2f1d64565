import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aPaidOrder, type LineOfOrder, type PaidOrder } from '../../testing/paid-order.ts';
import { violationsOfMoved } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';

const two = ['60.00', '40.00'] as const;
let fixture: TestDomain;
let orders = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});

function anOrder(amounts: readonly string[] = two): Promise<PaidOrder> {
  orders += 1;
  return aPaidOrder(fixture.domain, `parts-${orders}`, amounts);
}

/** Two payments that a line shows, or that are missing. `how` the breaks over them ended. */
async function twoPayments(how: readonly (BreakOutcome | 'matched')[]): Promise<PaidOrder> {
  const paid = await anOrder();
  await paid.shows(...how.flatMap((one, at): LineOfOrder[] => (one === 'matched' ? [[at, two[at] ?? '']] : [])));
  for (const [at, outcome] of how.entries()) if (outcome !== 'matched') await paid.endsOne(`-${two[at]}`, outcome);
  await paid.ends();
  return paid;
}

/** Nothing is missing: the wallet has 100.00, and nobody bears anything. */
const nothing = ['100.00', '0.00', '0.00', '0.00'];

test.each([
  ['posted', 'charged'],
  ['charged', 'written_off'],
] as const)('one line over the order gives back what both payments were: %s, %s', async (...how) => {
  const paid = await twoPayments(how);
  await paid.shows(['order', '100.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
});

test('what a line shows beyond one payment is of the other one', async () => {
  const paid = await twoPayments(['charged', 'written_off']);
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
  const paid = await twoPayments(how);
  await paid.shows([at, two[at]]);
  await paid.ends();
  expect(await paid.book()).toEqual(expected);
});

test('a line over the whole of a payment answers, though another payment was shown beyond its amount', async () => {
  const paid = await twoPayments(['charged', 'matched']);
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
  const paid = await twoPayments(['matched', 'charged']);
  await paid.shows([0, '100.00']);
  await paid.ends();
  expect(await paid.book()).toEqual(nothing);
  await paid.shows([0, '60.00']);
  await paid.ends(how);
  expect(await paid.book()).toEqual(expected);
});

test.each<[string, string, BreakOutcome, string[]]>([
  ['matched', '80.00', 'posted', ['100.00', '20.00', '0.00', '20.00']],
  ['matched', '0.00', 'charged', ['0.00', '0.00', '0.00', '0.00']],
  ['answered', '80.00', 'charged', ['80.00', '0.00', '0.00', '0.00']],
  ['answered', '0.00', 'posted', ['100.00', '100.00', '0.00', '100.00']],
])('a line that was %s with both payments and then shows %s is %s', async (was, gross, how, expected) => {
  const paid = was === 'matched' ? await anOrder() : await twoPayments(['charged', 'charged']);
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
  const paid = await anOrder(amounts);
  await paid.shows(...lines.slice(0, amounts.length));
  await paid.ends();
  for (const shown of [lines, [], lines.slice(0, 1)]) await paid.shows(...shown);
  await paid.ends();
  expect(await paid.book()).toEqual(['100.00', '30.00', '0.00', '30.00']);
});
