import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { gapsAfter, type Shown } from '../../testing/statements-with-balances.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const [a, c, d, e] = [[1, 'a', 150] as const, [2, 'c', 100] as const, [2, 'd', 30] as const, [3, 'e', 20] as const];
const first: Shown = { first: 1, last: 1, opening: 0, lines: [[...a]] };
const second: Shown = { first: 2, last: 2, opening: 150, lines: [[...c], [...d]] };
const secondWithout: Shown = { first: 2, last: 2, opening: 150, lines: [[...d]] };
const thirdWithout: Shown = { first: 3, last: 3, opening: 180, lines: [[...e]] };
const merged: Shown = { first: 1, last: 2, opening: 0, lines: [[...a], [...c], [...d]] };
const mergedWithout: Shown = { first: 1, last: 2, opening: 0, lines: [[...a], [...d]] };

test.each<[string, readonly Shown[], string[]]>([
  ['days, then both days without a line', [first, second, mergedWithout], ['2 -100.00']],
  ['and the next day goes on from there', [first, second, mergedWithout, thirdWithout], ['2 -100.00']],
  [
    'both days, then the next day goes on from a day without a line',
    [merged, secondWithout, thirdWithout],
    ['2 -100.00'],
  ],
  [
    'both days, then the second and third day without a line',
    [merged, { ...secondWithout, last: 3, lines: [[...d], [...e]] }],
    ['3 -100.00'],
  ],
  [
    'both days, then the first day with another amount',
    [merged, { ...first, lines: [[1, 'n', 55]] }],
    ['1 -150.00', '2 95.00'],
  ],
  ['the days one by one and together', [first, second, merged], []],
  ['a part of the second day before both days', [first, secondWithout, merged], []],
  ['a part of the second day after both days', [merged, secondWithout], []],
  ['both days with a line corrected', [first, second, { ...merged, lines: [[...a], [2, 'c', 90], [...d]] }], []],
])(
  'two statements that show the end of a day with different balances contradict each other: %s',
  async (name, statements, breaks) => {
    expect(await gapsAfter(fixture, `ends-${name.length}`, statements)).toEqual(breaks);
  },
);

test('a bank that corrects a day and sends the following days again leaves no gap', async () => {
  const corrected: Shown[] = [
    { ...first, lines: [[1, 'a', 140]] },
    { ...second, opening: 140, lines: [[...d]] },
    { first: 3, last: 3, opening: 170, lines: [[...e]] },
  ];
  const third: Shown = { first: 3, last: 3, opening: 280, lines: [[...e]] };
  expect(await gapsAfter(fixture, 'following', [first, second, third, ...corrected])).toEqual([]);
  const { rows } = await fixture.domain.database.pool.query<{ amount: string }>(
    "select amount::text as amount from reconciliation_break where channel_id = 'following' and state = 'open' order by amount",
  );
  // The ledger has none of the payments.
  expect(rows.map(({ amount }) => amount)).toEqual(['140.00', '20.00', '30.00']);
});
