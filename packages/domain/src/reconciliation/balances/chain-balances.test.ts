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
