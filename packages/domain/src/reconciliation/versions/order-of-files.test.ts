import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by } from '../../testing/payouts.ts';
import { aLine, anImport, backdateLedger, dayAgo, noSummary, reconcileAll } from '../../testing/statements.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';

const country = 'PK';
/** At night all of these cases; otherwise every fifth, so that each order and each shape is among them. */
const someOf = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, at) => process.env.TIDEGATE_TEST_DEPTH !== undefined || at % 5 === 0);
const day = dayAgo(country, 2);
const nextDay = dayAgo(country, 1);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const read = async (text: string, values: unknown[]): Promise<unknown[][]> =>
  (await fixture.domain.database.pool.query({ text, values, rowMode: 'array' })).rows;
const openBreaks = (channelId: string) =>
  read(
    "select kind, amount::text from reconciliation_break b where channel_id = $1 and state = 'open' order by kind, b.amount",
    [channelId],
  );

/** Statements of one account, each with its opening balance and what moved. Money that came in is that of a payin. */
interface Part {
  opening: number;
  movements: readonly number[];
  on?: string;
}

/** Opens a channel, and resolves to what imports its statement `no` and matches it. */
async function account(channelId: string, parts: readonly Part[]): Promise<(no: number) => Promise<void>> {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const { merchantId } = await aFundedMerchant(domain, country);
  const nameOf = (no: number, i: number) => `${channelId}/${no}/${i}`;
  for (const [no, { movements }] of parts.entries())
    for (const [i, movement] of movements.entries()) {
      if (movement < 0) continue;
      const payin = await placePayin(domain, merchantId, country, { channelId, amount: movement.toFixed(2) });
      const answer = paid(nameOf(no, i), movement.toFixed(2));
      await domain.commit({ type: 'applyReport', ref: payin, channelId, answer, during: 'query' });
    }
  await backdateLedger(domain, 2);
  return async (no) => {
    const { opening, movements, on = day } = parts[no] ?? { opening: 0, movements: [] };
    const closing = movements.reduce((sum, movement) => sum + movement, opening);
    const lines = movements.map((movement, i) => {
      const gross = Math.abs(movement).toFixed(2);
      const moved =
        movement < 0
          ? ({ type: 'settlement', direction: 'out' } as const)
          : ({ type: 'payin', direction: 'in' } as const);
      return aLine({ currency: 'PKR', bookedOn: on, gross, channelRef: nameOf(no, i), ...moved });
    });
    const summary = { ...noSummary, from: on, to: on, opening: opening.toFixed(2), closing: closing.toFixed(2) };
    await anImport(domain, country, [...lines, summary], channelId);
    await reconcileAll(domain);
  };
}

const shapes = {
  'a plain chain': [
    { opening: 100, movements: [50, -10] },
    { opening: 140, movements: [20] },
    { opening: 160, movements: [-30, 11] },
  ],
  'an account swept once': [
    { opening: 0, movements: [50, 20] },
    { opening: 70, movements: [-70] },
    { opening: 0, movements: [9] },
  ],
  'an account swept twice': [
    { opening: 0, movements: [50, 20] },
    { opening: 70, movements: [-70] },
    { opening: 0, movements: [9, -9] },
  ],
  'a balance that comes back': [
    { opening: 100, movements: [60] },
    { opening: 160, movements: [-60] },
    { opening: 100, movements: [60] },
  ],
} as const;
const orders = ['012', '021', '102', '120', '201', '210'];
const cases = Object.entries(shapes).flatMap(([shape, parts], at) =>
  orders.map((order) => ({ shape, parts, order, at })),
);

test.each(someOf(cases))(
  'three statements of a day with $shape count whole if they arrive as $order',
  async (given) => {
    const { parts, order, at } = given;
    const channelId = `order-${at}-${order}`;
    const arrives = await account(channelId, parts);
    for (const no of order) await arrives(Number(no));
    const movements = parts.flatMap((part) => [...part.movements]);
    const out = movements.filter((movement) => movement < 0).toSorted((a, b) => a - b);
    expect(await openBreaks(channelId)).toEqual(out.map((amount) => ['missing_in_ledger', amount.toFixed(2)]));
    const net = movements.reduce((sum, movement) => sum + movement, 0).toFixed(2);
    const counted = 'select lines, statement_net::text from reconciliation_day where channel_id = $1 and day = $2';
    expect(await read(counted, [channelId, day])).toEqual([[movements.length, net]]);
  },
);

test('a statement that opens like another one of its day withdraws nothing, and is a gap until the one between them comes', async () => {
  const arrives = await account('fork', [
    { opening: 0, movements: [70] },
    { opening: 70, movements: [-70] },
    { opening: 0, movements: [9] },
    { opening: 9, movements: [3] },
  ]);
  for (const no of [0, 3, 2]) await arrives(no);
  expect(await openBreaks('fork')).toEqual([['balance', '-70.00']]);
  await arrives(1);
  expect(await openBreaks('fork')).toEqual([['missing_in_ledger', '-70.00']]);
});

test('a correction without a common line that leaves the balance unchanged is a gap of the next day', async () => {
  const arrives = await account('corrected', [
    { opening: 0, movements: [70] },
    { opening: 0, movements: [9, -9] },
    { opening: 0, movements: [5], on: nextDay },
    { opening: 70, movements: [-70] },
  ]);
  for (const no of [0, 1, 2]) await arrives(no);
  const ofLine = (amount: string) => ['missing_in_ledger', amount];
  expect(await openBreaks('corrected')).toEqual([['balance', '-70.00'], ofLine('-9.00')]);
  await arrives(3);
  expect(await openBreaks('corrected')).toEqual([ofLine('-70.00'), ofLine('-9.00')]);
});

test('a line that the latest version of a day leaves out is withdrawn, although that version has no line of the first', async () => {
  const { domain } = fixture;
  const channelId = 'noon';
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const fee = (channelRef: string) =>
    aLine({ currency: 'PKR', bookedOn: day, gross: '1.00', type: 'fee', direction: 'out', channelRef });
  const versions = [['noon'], ['noon', 'evening'], ['evening', 'corrected']];
  for (const lines of versions) {
    const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing: (-lines.length).toFixed(2) };
    await anImport(domain, country, [...lines.map(fee), summary], channelId);
    await reconcileAll(domain);
  }
  const counted = 'select lines, statement_net::text from reconciliation_day where channel_id = $1 and day = $2';
  expect(await read(counted, [channelId, day])).toEqual([[2, '-2.00']]);
});

const feeOf = (named: object) =>
  aLine({ currency: 'PKR', bookedOn: day, gross: '1.00', type: 'fee', direction: 'out', ...named });
/** Opens a channel without payments, and resolves to what imports a statement of it, from its days, its balances and lines. */
async function statements(channelId: string) {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  // It is reconciled from an earlier day.
  await anImport(domain, country, [{ ...feeOf({ channelRef: 'first' }), bookedOn: dayAgo(country, 5) }], channelId);
  let place = 0;
  return async (
    lines: readonly ReturnType<typeof aLine>[],
    opening = 0,
    days: readonly [string, string] = [day, day],
  ) => {
    const net = lines.reduce((sum, line) => sum + (line.direction === 'in' ? 1 : -1) * Number(line.net), 0);
    place += 1;
    const summary = {
      ...noSummary,
      from: days[0],
      to: days[1],
      opening: opening.toFixed(2),
      closing: (opening + net).toFixed(2),
    };
    await anImport(domain, country, [...lines, { ...summary, place }], channelId);
    await reconcileAll(domain);
  };
}
const counted = (channelId: string, on = day) =>
  read('select lines, statement_net::text from reconciliation_day where channel_id = $1 and day = $2', [channelId, on]);

const dayBefore = dayAgo(country, 3);
const nameless = { channelRef: null, gross: '5.00', net: '5.00' };
test.each(
  someOf(
    [
      { wrong: { channelRef: 'wrong' }, name: 'another reference' },
      { wrong: nameless, name: 'another amount and no reference' },
    ].flatMap((given) =>
      ['wxr', 'xwr', 'xrw'].flatMap((order) => [
        { ...given, order, days: [dayBefore, day] as const },
        { ...given, order, days: [day, nextDay] as const },
      ]),
    ),
  ),
)(
  'a line of a wrong day with $name does not stay, whatever a longer file shows of the day: $order $days',
  async (given) => {
    const channelId = `long-${given.order}-${given.name.length}-${given.days[0]}`;
    const shows = await statements(channelId);
    const [A, B] = [feeOf({ channelRef: 'A' }), feeOf({ channelRef: 'B' })];
    const other = { ...feeOf({ channelRef: 'Z' }), bookedOn: given.days.find((one) => one !== day) ?? '' };
    const opening = given.days[0] === day ? 10 : 9;
    for (const file of given.order) {
      if (file === 'w') await shows([other, A, B], opening, given.days);
      if (file === 'x') await shows([A, feeOf(given.wrong)], given.days[0] === day ? 10 : 8);
      if (file === 'r') await shows([B, A], given.days[0] === day ? 10 : 8);
    }
    expect(await counted(channelId)).toEqual([[2, '-2.00']]);
  },
);

test('a line that two files show counts until both are replaced', async () => {
  const shows = await statements('both');
  const [A, B, C, Z] = ['A', 'B', 'C', 'Z'].map((channelRef) => feeOf({ channelRef }));
  if (!A || !B || !C || !Z) throw new Error('no lines');
  const earlier = { ...Z, bookedOn: dayBefore };
  await shows([A, B], 9);
  await shows([earlier, A, B], 10, [dayBefore, day]);
  await shows([A, C], 9);
  expect(await counted('both')).toEqual([[3, '-3.00']]);
  await shows([earlier, A, C], 10, [dayBefore, day]);
  expect(await counted('both')).toEqual([[2, '-2.00']]);
});

const moved = (amount: number, named: object) => {
  const gross = Math.abs(amount).toFixed(2);
  const direction = amount < 0 ? ('out' as const) : ('in' as const);
  return aLine({ currency: 'PKR', bookedOn: day, type: 'adjustment', direction, gross, ...named });
};
test.each(
  someOf(
    ['amw', 'awm', 'maw', 'mwa', 'wam', 'wma'].flatMap((order) =>
      [0, 40].flatMap((opening) => [true, false].map((isNamed) => ({ order, opening, isNamed }))),
    ),
  ),
)(
  'a whole day that ends with its opening balance $opening shows its parts again: $order, with references $isNamed',
  async (given) => {
    const { order, opening, isNamed } = given;
    const channelId = `whole-${order}-${opening}-${isNamed}`;
    const shows = await statements(channelId);
    const named = (channelRef: string) => (isNamed ? { channelRef } : {});
    const morning = [moved(100, { channelRef: 'A' })];
    const midday = [moved(30, named('B')), moved(-130, named('C'))];
    for (const file of order) {
      if (file === 'a') await shows(morning, opening);
      if (file === 'm') await shows(midday, opening + 100);
      if (file === 'w') await shows([...morning, ...midday], opening);
    }
    expect(await counted(channelId)).toEqual([[3, '0.00']]);
    expect((await openBreaks(channelId)).filter(([kind]) => kind === 'balance' || kind === 'duplicate')).toEqual([]);
    // What comes after it is another movement.
    await shows([moved(35, named('D'))], opening);
    expect(await counted(channelId)).toEqual([[4, '35.00']]);
  },
);

test('a fee is booked once for the line that counts, whatever versions came before', async () => {
  const shows = await statements('fees');
  const line = (gross: string, fee: string) =>
    aLine({
      currency: 'PKR',
      bookedOn: day,
      channelRef: 'F',
      gross,
      fee,
      net: (Number(gross) - Number(fee)).toFixed(2),
    });
  const marks = [0, 1, 2, 3, 4].map((no) => moved(-1, { channelRef: `v${no}` }));
  const versions = [line('100.00', '1.00'), line('100.00', '1.00'), line('90.00', '0.00'), line('100.00', '1.00')];
  for (const [no, one] of versions.entries()) await shows([...marks.slice(no, no + 2), one]);
  const fees =
    "select coalesce(sum(b.amount), 0)::text from reconciliation_break b where channel_id = 'fees' and kind = 'fee' and day = $1";
  expect(await read(fees, [day])).toEqual([['-1.00']]);
});

test.each([
  ['a row that cannot be read', 'garbled', 'unparsed'],
  ['a row in another currency', moved(1, { currency: 'USD', channelRef: 'dollars' }), 'currency'],
])(
  'the amount of %s counts once, in however many versions it is, and no more when a version can read it',
  async (_, row, kind) => {
    const { domain } = fixture;
    const channelId = `uncounted-${kind}`;
    await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
    const [A, B] = [moved(10, { channelRef: 'A' }), moved(3, { channelRef: 'B' })];
    const shows = async (closing: string, ...rows: (object | string)[]) => {
      await anImport(
        domain,
        country,
        [...rows, { ...noSummary, from: day, to: day, opening: '0.00', closing }],
        channelId,
      );
      await reconcileAll(domain);
    };
    const over = async () =>
      (await openBreaks(channelId)).filter(([found, amount]) => found === kind && amount !== '0.00');
    const writeOff = async () => {
      const open =
        "select break_no::integer from reconciliation_break where channel_id = $1 and kind = $2 and state = 'open'";
      for (const [breakNo] of await read(open, [channelId, kind])) {
        const ending = {
          merchantId: 'PLATFORM-PK',
          breakNo: breakNo as number,
          outcome: 'written_off',
          otherBreakNo: null,
        } as const;
        expect(await resolveBreak(domain, ending, by('ann', 'bob'))).toMatchObject({ ok: true });
      }
    };
    await shows('60.00', A, row);
    await shows('63.00', A, row, B);
    expect(await over()).toEqual([[kind, '50.00']]);
    await writeOff();
    await shows('62.00', A, row, moved(2, { channelRef: 'C' }));
    expect(await over()).toEqual([]);
    await writeOff();
    await shows('60.00', A, moved(50, { channelRef: 'D' }));
    expect((await openBreaks(channelId)).filter(([, amount]) => amount === '-50.00')).toHaveLength(1);
  },
);

test.each(['wd', 'dw', 'wdc', 'dwc'])(
  'a row in another currency that files of several days and of one day show counts once: %s',
  async (order) => {
    const channelId = `dollars-${order}`;
    const shows = await statements(channelId);
    const [A, B, C] = [
      { ...moved(10, { channelRef: 'A' }), bookedOn: dayBefore },
      moved(5, { channelRef: 'C' }),
      { ...moved(3, { channelRef: 'B' }), bookedOn: nextDay },
    ];
    const dollars = (channelRef: string) => moved(1, { currency: 'USD', channelRef });
    for (const file of order) {
      if (file === 'w') await shows([A, dollars('one'), C, B], 0, [dayBefore, nextDay]);
      if (file === 'd') await shows([dollars('one'), C], 10, [day, day]);
      // A corrected day has one more.
      if (file === 'c') await shows([dollars('one'), dollars('two'), C], 10, [day, day]);
    }
    const over = (await openBreaks(channelId)).filter(([kind, amount]) => kind === 'currency' && amount !== '0.00');
    const sum = over.reduce((total, [, amount]) => total + Number(amount), 0);
    expect(sum).toBe(order.endsWith('c') ? 2 : 1);
  },
);
