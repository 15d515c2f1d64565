import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import type { Order } from '../core/order.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by } from '../testing/payouts.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../testing/statements.ts';
import { resolveBreak } from './breaks/resolve-break.ts';
import type { StatementLine } from './statement.ts';
import type { BreakKind } from './types.ts';

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
  'repeated',
  'contradicted',
  'unknown',
  'unpaid',
  'returned',
  'charged',
  'garbled',
] as const;
interface Planned {
  fault: (typeof faults)[number];
  /** Few amounts, so that lines of other orders could be confused. */
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
const free = (amount: string) => ({ netAmount: amount, feeAmount: '0.00' });

/** The rows of the statement for one order, each with its file, and the breaks that they come to. */
async function play({ fault, amount, names, file }: Planned, i: number, channelId: string) {
  const { domain } = fixture;
  const reference = `${channelId}-${i}`;
  const order: Order = await placePayin(domain, merchantId, country, {
    channelId,
    amount,
    ...free(amount),
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
    case 'repeated': {
      const repeated = line({ channelRef: reference });
      const breaks = [`duplicate ${amount}`, `duplicate ${amount}`];
      return { rows: [at(repeated), at(repeated), at(repeated)], breaks };
    }
    case 'contradicted': {
      // The payment of another order, over the same amount, that no other line shows.
      const other: Order = await placePayin(domain, merchantId, country, { channelId, amount, ...free(amount) });
      const ofOther = { merchantId, orderNo: other.orderNo };
      const report = { type: 'applyReport', ref: ofOther, channelId, during: 'query' } as const;
      await domain.commit({ ...report, answer: paid(`${reference}-other`, amount) });
      const wrong = line({ channelRef: reference, orderNo: other.orderNo });
      return {
        rows: [at(line({ channelRef: reference })), at(wrong)],
        breaks: [`missing_in_ledger ${amount}`, `missing_at_channel -${amount}`],
      };
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

/** Two operators end every open break, and what they post enters the ledger. */
async function workOff(channelId: string): Promise<void> {
  const { domain } = fixture;
  const text = `select break_no::float8 as "breakNo", kind from reconciliation_break where channel_id = $1 and state = 'open'`;
  const { rows } = await domain.database.pool.query<{ breakNo: number; kind: BreakKind }>(text, [channelId]);
  for (const { breakNo, kind } of rows) {
    const outcome = kind === 'unparsed' || kind === 'currency' ? 'written_off' : 'posted';
    const ending = { merchantId: 'PLATFORM-PK', breakNo, outcome, otherBreakNo: null } as const;
    expect(await resolveBreak(domain, ending, by('ann', 'bob')), kind).toMatchObject({ ok: true });
  }
  await reconcileAll(domain);
  await reconcileAll(domain);
}

/** What the ledger says that the channel holds, in minor units. */
async function held(channelId: string): Promise<number> {
  const { rows } = await fixture.domain.database.pool.query<{ held: string }>(
    'select coalesce(sum(case when debit = $1 then amount else -amount end), 0)::text as held from transfer where $1 in (debit, credit)',
    [`channel:${channelId}`],
  );
  return Math.round(Number(rows[0]?.held) * 100);
}

/** What the lines in our currency come to, in minor units. */
function sumOf(rows: readonly (object | string)[]): number {
  const lines = rows.filter((row): row is StatementLine => typeof row !== 'string');
  const minor = lines.map((one) => (one.currency === currency ? Math.round(Number(one.net) * 100) : 0));
  return lines.reduce((sum, { direction }, i) => sum + (direction === 'in' ? 1 : -1) * (minor[i] ?? 0), 0);
}

test('the breaks are exactly the injected faults, in any order of files, and after resolving them the ledger equals the statement', async () => {
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
    await workOff(channelId);
    expect(await open(channelId)).toEqual([]);
    expect(await held(channelId)).toBe(sumOf(rows.map(({ row }) => row)));
  };
  const files = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  await fc.assert(fc.asyncProperty(fc.array(plan, { minLength: 5, maxLength: 25 }), files, property), {
    numRuns: 4,
    endOnFailure: true,
  });
});
