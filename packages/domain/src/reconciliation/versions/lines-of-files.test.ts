import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { countedOn, openBreaksOf, rowsOf, someOf } from '../../testing/reconciled-days.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll } from '../../testing/statements.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';

// What counts of a line, a fee or an uncounted row that several files of an account show, some of them with other days.

const country = 'PK';
const day = dayAgo(country, 2);
const nextDay = dayAgo(country, 1);
const dayBefore = dayAgo(country, 3);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const read = (text: string, values: unknown[]) => rowsOf(fixture.domain, text, values);
const openBreaks = (channelId: string) => openBreaksOf(fixture.domain, channelId);
const counted = (channelId: string) => countedOn(fixture.domain, channelId, day);

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

test.each([true, false])(
  'a day of which no row could be read is replaced by a file that reads it, written off before %s',
  async (isWrittenOff) => {
    const { domain } = fixture;
    const channelId = `unread-${isWrittenOff}`;
    await statements(channelId);
    const shows = async (row: object | string, place: number) => {
      const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing: '100.00', place };
      await anImport(domain, country, [row, summary], channelId);
      await reconcileAll(domain);
    };
    await shows('garbled', 1);
    const ofDay =
      "select break_no::integer, kind, amount::text from reconciliation_break where channel_id = $1 and day = $2 and state = 'open' order by kind, amount";
    const [unread] = await read(ofDay, [channelId, day]);
    expect(unread?.slice(1)).toEqual(['unparsed', '100.00']);
    if (isWrittenOff) {
      const ending = {
        merchantId: 'PLATFORM-PK',
        breakNo: unread?.[0] as number,
        outcome: 'written_off',
        otherBreakNo: null,
      } as const;
      expect(await resolveBreak(domain, ending, by('ann', 'bob'))).toMatchObject({ ok: true });
    }
    await shows(moved(100, { channelRef: 'A' }), 2);
    const left = (await read(ofDay, [channelId, day])).map(([, kind, amount]) => [kind, amount]);
    expect(left).toEqual([...(isWrittenOff ? [['currency', '-100.00']] : []), ['missing_in_ledger', '100.00']]);
    expect(await counted(channelId)).toEqual([[1, '100.00']]);
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
