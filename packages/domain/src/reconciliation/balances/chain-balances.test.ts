import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll } from '../../testing/statements.ts';

const day = dayAgo('PK', 0);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** Morning, noon and evening of one day. */
const parts = [
  { opening: '100.00', closing: '140.00', direction: 'in', gross: '40.00' },
  { opening: '140.00', closing: '160.00', direction: 'in', gross: '20.00' },
  { opening: '160.00', closing: '131.00', direction: 'out', gross: '29.00' },
] as const;

async function gapsAfter(channelId: string, order: readonly number[]): Promise<string[]> {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  for (const no of order) {
    const { opening, closing, direction, gross } = parts[no] ?? parts[0];
    const line = aLine({ currency: 'PKR', bookedOn: day, direction, gross, bankRef: `${channelId}-${no}` });
    await anImport(domain, 'PK', [line, { ...noSummary, from: day, to: day, opening, closing }], channelId);
    await reconcileAll(domain);
  }
  const { rows } = await domain.database.pool.query<{ gap: string }>(
    "select amount::text as gap from reconciliation_break where channel_id = $1 and kind = 'balance' and state = 'open'",
    [channelId],
  );
  return rows.map(({ gap }) => gap);
}

test.each(['012', '021', '102', '120', '201', '210'])(
  'three statements of a day leave no gap between their balances if they arrive as %s',
  async (order) => {
    expect(await gapsAfter(`day-${order}`, [...order].map(Number))).toEqual([]);
  },
);

test('a statement that is missing between two of a day is a gap, whichever comes first', async () => {
  expect(await gapsAfter('gap-02', [0, 2])).toEqual(['20.00']);
  expect(await gapsAfter('gap-20', [2, 0])).toEqual(['-31.00']);
});

interface Shown {
  first: number;
  last: number;
  opening: number;
  lines: readonly [day: number, ref: string, amount: number][];
}

/** Open breaks between balances after statements of the last three days (1 to 3), as `day amount`. */
async function contradictionsAfter(channelId: string, statements: readonly Shown[]): Promise<string[]> {
  const { domain } = fixture;
  const dayOf = (n: number) => dayAgo('PK', 3 - n);
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  for (const { first, last, opening, lines } of statements) {
    const shown = lines.map(([n, ref, amount]) =>
      aLine({ currency: 'PKR', bookedOn: dayOf(n), gross: `${amount}.00`, channelRef: `${channelId}-${ref}` }),
    );
    const closing = lines.reduce((sum, [, , amount]) => sum + amount, opening);
    const balances = { opening: `${opening}.00`, closing: `${closing}.00` };
    await anImport(
      domain,
      'PK',
      [...shown, { ...noSummary, from: dayOf(first), to: dayOf(last), ...balances }],
      channelId,
    );
    await reconcileAll(domain);
  }
  const { rows } = await domain.database.pool.query<{ day: string; amount: string }>(
    `select day::text as day, amount::text as amount from reconciliation_break
     where channel_id = $1 and kind = 'balance' and state = 'open' order by day`,
    [channelId],
  );
  return rows.map(({ day: on, amount }) => `${[1, 2, 3].find((n) => dayOf(n) === on)} ${amount}`);
}

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
    ['2 -100.00'],
  ],
  ['both days, then the first day with another amount', [merged, { ...first, lines: [[1, 'n', 55]] }], ['1 95.00']],
  ['the days one by one and together', [first, second, merged], []],
  ['a part of the second day before both days', [first, secondWithout, merged], []],
  ['a part of the second day after both days', [merged, secondWithout], []],
  ['both days with a line corrected', [first, second, { ...merged, lines: [[...a], [2, 'c', 90], [...d]] }], []],
])(
  'two statements that show the end of a day with different balances contradict each other: %s',
  async (name, statements, breaks) => {
    expect(await contradictionsAfter(`ends-${name.length}`, statements)).toEqual(breaks);
  },
);
