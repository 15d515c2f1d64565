import { expect, test } from 'vitest';
import type { Chosen } from './choose-seals.ts';
import { fillWalks } from './fill-walks.ts';
import { beginWalk } from './verify-seals.ts';

const seal = (merchant: number, rows: number): Chosen => {
  return { merchantId: `M${merchant}`, sealNo: 1, period: '2026-03', rows };
};
const seals = (count: number, rows: number): Chosen[] => Array.from({ length: count }, (_, i) => seal(i, rows));
const sizes = ({ lanes }: ReturnType<typeof fillWalks>): number[] => lanes.map((walks) => walks.length);

test('large seals that were begun are spread over both snapshots, and no other large one begins before they end', () => {
  let filled = fillWalks([], seals(10, 100_000));
  expect(sizes(filled)).toEqual([1, 1]);
  for (let step = 0; step < 5; step += 1) {
    filled = fillWalks(filled.lanes.flat(), filled.waiting);
    expect(sizes(filled)).toEqual([1, 1]);
  }
  expect(filled.waiting).toHaveLength(8);
});

test('small seals fill both snapshots, and the others wait', () => {
  const filled = fillWalks([], seals(100, 1_000));
  expect(sizes(filled)).toEqual([8, 8]);
  expect(filled.waiting).toHaveLength(84);
});

test('every seal that was begun is read on', () => {
  const begun = seals(60, 1).map(beginWalk);
  const { lanes } = fillWalks(begun, []);
  expect(new Set(lanes.flat())).toEqual(new Set(begun));
});
