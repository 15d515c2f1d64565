import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant } from '../../testing/payouts.ts';
import { countedOn, openBreaksOf, someOf } from '../../testing/reconciled-days.ts';
import { aLine, anImport, backdateLedger, dayAgo, noSummary, reconcileAll } from '../../testing/statements.ts';

const country = 'PK';
const day = dayAgo(country, 2);
const nextDay = dayAgo(country, 1);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const openBreaks = (channelId: string) => openBreaksOf(fixture.domain, channelId);

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
    expect(await countedOn(fixture.domain, channelId, day)).toEqual([[movements.length, net]]);
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
  expect(await countedOn(fixture.domain, channelId, day)).toEqual([[2, '-2.00']]);
});
