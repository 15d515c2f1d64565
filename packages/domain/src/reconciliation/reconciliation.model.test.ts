import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import type { Order } from '../core/order.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../testing/statements.ts';

// A random day of payins, a statement made from it with random faults, cut into files that come in any order: what is found are exactly the faults.

const country = 'PK';
const currency = 'PKR';
const day = dayAgo(country, 0);

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, country));
});
afterAll(() => fixture.close());

const faults = [
  'none',
  'none',
  'none',
  'none',
  'lost',
  'amount',
  'currency',
  'twice',
  'unknown',
  'unpaid',
  'returned',
  'charged',
  'garbled',
] as const;
interface Planned {
  fault: (typeof faults)[number];
  /** Few amounts, so that lines of other orders could be taken for each other. */
  amount: string;
  names: 'reference' | 'order' | 'both';
  file: number;
}
const plan: fc.Arbitrary<Planned> = fc.record({
  fault: fc.constantFrom(...faults),
  amount: fc.constantFrom('100.00', '250.50', '99.99'),
  names: fc.constantFrom('reference' as const, 'order' as const, 'both' as const),
  file: fc.integer({ min: 0, max: 2 }),
});

let channels = 0;

/** The rows of the statement for one order, each with its file, and the breaks that they come to. */
async function play({ fault, amount, names, file }: Planned, i: number, channelId: string) {
  const { domain } = fixture;
  const reference = `${channelId}-${i}`;
  const order: Order = await placePayin(domain, merchantId, country, {
    channelId,
    amount,
    netAmount: amount,
    feeAmount: '0.00',
  });
  const ref = { merchantId, orderNo: order.orderNo };
  if (fault !== 'unpaid' && fault !== 'unknown')
    await domain.commit({ type: 'applyReport', ref, channelId, answer: paid(reference, amount), during: 'query' });
  const named = {
    ...(names !== 'order' && { channelRef: reference }),
    ...(names !== 'reference' && { orderNo: order.orderNo }),
  };
  const line = (changes: object = {}) =>
    aLine({ currency, bookedOn: day, gross: amount, net: amount, ...named, ...changes });
  const at = (row: object | string, n = file) => ({ row, file: n });
  switch (fault) {
    case 'none':
      return { rows: [at(line())], breaks: [] };
    case 'lost':
      return { rows: [], breaks: [`missing_at_channel -${amount}`] };
    case 'amount':
      return {
        rows: [at(line({ gross: '77.00', net: '77.00' }))],
        breaks: [`amount ${(77 - Number(amount)).toFixed(2)}`],
      };
    case 'currency':
      return { rows: [at(line({ currency: 'USD' }))], breaks: [`currency -${amount}`] };
    case 'twice': {
      const repeated = line({ channelRef: reference });
      return { rows: [at(repeated), at(repeated, (file + 1) % 3)], breaks: [`duplicate ${amount}`] };
    }
    case 'unknown':
      return { rows: [at(line({ channelRef: reference, orderNo: null }))], breaks: [`missing_in_ledger ${amount}`] };
    case 'unpaid':
      return { rows: [at(line({ orderNo: order.orderNo }))], breaks: [`status ${amount}`] };
    case 'returned':
      return {
        rows: [at(line()), at(line({ type: 'payout_return', channelRef: `${reference}-back`, orderNo: null }))],
        breaks: [`late_reversal ${amount}`],
      };
    case 'charged':
      return {
        rows: [at(line()), at(line({ type: 'fee', direction: 'out', gross: '1.25', net: '1.25' }))],
        breaks: ['fee -1.25'],
      };
    case 'garbled':
      return { rows: [at(line()), at(`garbled ${reference}`)], breaks: ['unparsed 0.00'] };
    default:
      return fault satisfies never;
  }
}

test('the breaks that are found are exactly the faults, whatever file comes first, and matching again finds no others', async () => {
  const { domain } = fixture;
  const open = async (channelId: string): Promise<string[]> => {
    const { rows } = await domain.database.pool.query<{ found: string }>(
      `select kind || ' ' || amount as found from reconciliation_break where channel_id = $1 and state in ('open', 'posting') order by 1`,
      [channelId],
    );
    return rows.map(({ found }) => found);
  };
  const property = async (plans: Planned[], order: readonly number[]) => {
    channels += 1;
    const channelId = `c-${channels}`;
    await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
    const played = [];
    for (const [i, one] of plans.entries()) played.push(await play(one, i, channelId));
    const rows = played.flatMap((one) => one.rows);
    for (const file of order) {
      const own = rows.filter((one) => one.file === file).map(({ row }) => row);
      const summary = {
        account: null,
        currency: null,
        from: day,
        to: day,
        opening: null,
        closing: null,
        lines: null,
        totalIn: null,
        totalOut: null,
      };
      await anImport(domain, country, [...own, { ...summary, file }], channelId);
      await reconcileAll(domain);
    }
    const expected = played.flatMap(({ breaks }) => breaks).sort();
    expect((await open(channelId)).sort()).toEqual(expected);
    await domain.database.pool.query('update reconciliation_day set is_due = true');
    await reconcileAll(domain);
    expect((await open(channelId)).sort()).toEqual(expected);
  };
  const files = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  await fc.assert(fc.asyncProperty(fc.array(plan, { minLength: 5, maxLength: 25 }), files, property), {
    numRuns: 4,
    endOnFailure: true,
  });
});
