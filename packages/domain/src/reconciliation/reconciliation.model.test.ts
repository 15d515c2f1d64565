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

// A random day of payins, a statement made from it with random faults, cut into files that come in any order: what is found are exactly the faults. After
// they are worked off, what was late comes: callbacks of payments that the statement proved, and lines of entries that were posted as missing. Some callbacks
// come after the matching and before operators post the line, and some orders are paid in parts.

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
  'banked twice',
  'nameless twice',
  'corrected',
  'repeated',
  'contradicted',
  'unknown',
  'unpaid',
  'returned',
  'charged',
  'garbled',
  'reported meanwhile',
  'reported twice',
  'parts',
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

interface Played {
  rows: { row: object | string; file: number; counts: boolean }[];
  breaks: string[];
  /** The line that comes after the entry was posted as missing. */
  lateLine?: object;
  /** The channel's report of what the statement proved. */
  lateReport?: () => Promise<unknown>;
  /** The channel's report, after its line was found missing and before operators post it. */
  meanwhile?: () => Promise<unknown>;
}

/** Orders whose channel reports nothing before the first matching. */
const isUnreported = (fault: Planned['fault']): boolean =>
  ['unpaid', 'unknown', 'reported meanwhile', 'reported twice', 'parts'].includes(fault);

/** The rows of the statement for one order, each with its file, and the breaks that they come to. `order`: that of the files. */
async function play(
  { fault, amount, names, file }: Planned,
  i: number,
  { channelId, order: files }: { channelId: string; order: readonly number[] },
): Promise<Played> {
  const { domain } = fixture;
  const reference = `${channelId}-${i}`;
  const order: Order = await placePayin(domain, merchantId, country, {
    channelId,
    amount,
    ...free(amount),
  });
  const ref = { merchantId, orderNo: order.orderNo };
  if (!isUnreported(fault))
    await domain.commit({ type: 'applyReport', ref, channelId, answer: paid(reference, amount), during: 'query' });
  const named = {
    ...(names !== 'order' && { channelRef: reference }),
    ...(names !== 'reference' && { orderNo: order.orderNo }),
  };
  const line = (changes: object = {}) =>
    aLine({ currency, bookedOn: day, gross: amount, net: amount, ...named, ...changes });
  const at = (row: object | string, n = file, counts = true) => ({ row, file: n, counts });
  const next = (file + 1) % 3;
  /** A movement that two files show counts once. */
  const inBoth = (row: object) => [at(row), at(row, next, false)];
  switch (fault) {
    case 'none':
      return { rows: [at(line())], breaks: [] };
    case 'lost':
      return { rows: [], breaks: [`missing_at_channel -${amount}`], lateLine: line() };
    case 'amount':
      return {
        rows: [at(line({ gross: '77.00', net: '77.00' }))],
        breaks: [`amount ${(77 - Number(amount)).toFixed(2)}`],
      };
    case 'currency':
      return { rows: [at(line({ currency: 'USD' }))], breaks: [`currency -${amount}`] };
    case 'twice':
      return { rows: inBoth(line({ channelRef: reference })), breaks: [] };
    case 'banked twice':
      return { rows: inBoth(line({ channelRef: null, orderNo: null, bankRef: reference })), breaks: [] };
    case 'nameless twice': {
      // No other line has the amount.
      const gross = `${1_000 + i}.00`;
      const unknown = line({ channelRef: null, orderNo: null, gross, net: gross });
      return {
        rows: [at(line({ channelRef: reference })), ...inBoth(unknown)],
        breaks: [`missing_in_ledger ${gross}`],
      };
    }
    case 'corrected': {
      // The newest file is right, also if it is the first one of the day.
      const isLast = files.indexOf(next) > files.indexOf(file);
      const right = at(line({ channelRef: reference }), file, !isLast);
      const wrong = at(line({ channelRef: reference, gross: '77.00', net: '77.00' }), next, isLast);
      return { rows: [right, wrong], breaks: isLast ? [`amount ${(77 - Number(amount)).toFixed(2)}`] : [] };
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
      return {
        rows: [at(line({ orderNo: order.orderNo }))],
        breaks: [`status ${amount}`],
        lateReport: () =>
          domain.commit({
            ...({ type: 'applyReport', ref, channelId, during: 'callback' } as const),
            answer: paid(`${reference}-own`, amount),
          }),
      };
    case 'reported meanwhile':
    case 'reported twice': {
      // A line of the bank, which has a reference of its own.
      const shown = (n: number) =>
        at(line({ channelRef: null, orderNo: order.orderNo, bankRef: `${reference}-utr${n}` }));
      const report = (own: string) =>
        domain.commit({
          ...({ type: 'applyReport', ref, channelId, during: 'callback' } as const),
          answer: paid(`${reference}-${own}`, amount),
        });
      if (fault === 'reported meanwhile')
        return { rows: [shown(1)], breaks: [`status ${amount}`], meanwhile: () => report('own') };
      // It was paid twice. One report comes before the lines are posted, and one after.
      return {
        rows: [shown(1), shown(2)],
        breaks: [`status ${amount}`, `status ${amount}`],
        meanwhile: () => report('own'),
        lateReport: () => report('again'),
      };
    }
    case 'parts': {
      // Two payments of one order: of one the channel tells, of the other the statement. The order was for another amount.
      const [one, other] = ['11.00', '12.00'];
      const report = { type: 'applyReport', ref, channelId, during: 'query' } as const;
      await domain.commit({ ...report, answer: paid(`${reference}-one`, one) });
      const shown = (gross: string, more: object) => at(line({ channelRef: null, gross, net: gross, ...more }));
      return {
        rows: [
          shown(one, { channelRef: `${reference}-one`, orderNo: null }),
          shown(other, { orderNo: order.orderNo, bankRef: `${reference}-utr` }),
        ],
        breaks: [`status ${other}`],
        meanwhile: () => domain.commit({ ...report, answer: paid(`${reference}-other`, other) }),
      };
    }
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

/** How many cases were opened over payments of these lines: none, because the ledger had them. */
async function casesOver(channelId: string, lines: readonly object[]): Promise<number> {
  const references = (lines as StatementLine[]).map(({ channelRef, orderNo }) => channelRef ?? orderNo);
  const { rows } = await fixture.domain.database.pool.query<{ count: number }>(
    'select count(*)::integer as count from money_case where channel_id = $1 and (reference = any($2::text[]) or order_no = any($2::text[]))',
    [channelId, references],
  );
  return rows[0]?.count ?? 0;
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
    const played: Played[] = [];
    for (const [i, one] of plans.entries()) played.push(await play(one, i, { channelId, order }));
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
    for (const { meanwhile } of played) await meanwhile?.();
    await workOff(channelId);
    expect(await open(channelId)).toEqual([]);
    const shown = rows.filter(({ counts }) => counts).map(({ row }) => row);
    expect(await held(channelId)).toBe(sumOf(shown));
    for (const { lateReport } of played) for (let times = 0; times < 2; times++) await lateReport?.();
    expect(await held(channelId)).toBe(sumOf(shown));
    const late = played.flatMap(({ lateLine }) => (lateLine ? [lateLine] : []));
    if (late.length === 0) return;
    await anImport(domain, country, late, channelId);
    await reconcileAll(domain);
    expect(await open(channelId)).toHaveLength(late.length);
    await workOff(channelId);
    expect(await open(channelId)).toEqual([]);
    expect(await held(channelId)).toBe(sumOf([...shown, ...late]));
    expect(await casesOver(channelId, late)).toBe(0);
  };
  const files = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  await fc.assert(fc.asyncProperty(fc.array(plan, { minLength: 5, maxLength: 25 }), files, property), {
    numRuns: 3,
    endOnFailure: true,
  });
});

const aFee = (channelRef: string): StatementLine =>
  aLine({ currency, bookedOn: day, channelRef, type: 'fee', direction: 'out', gross: '1.00', net: '1.00' });

/** What a version of a day shows of each payment. */
const versions = ['whole', 'other amount', 'gone', 'without order'] as const;

test('whatever versions of a day come, in the end the ledger equals the last one, and no payment is booked twice', async () => {
  const { domain } = fixture;
  const payment = fc.record({
    isReported: fc.boolean(),
    shown: fc.array(fc.constantFrom(...versions), { minLength: 3, maxLength: 3 }),
    worksOff: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  });
  const property = async (
    plans: { isReported: boolean; shown: (typeof versions)[number][]; worksOff: boolean[] }[],
  ) => {
    channels += 1;
    const channelId = `v-${channels}`;
    await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
    const paidAs = (order: Order, reference: string) =>
      domain.commit({
        ...({ type: 'applyReport', ref: order, channelId, during: 'callback' } as const),
        answer: paid(reference),
      });
    const payments = await Promise.all(
      plans.map(async (one, i) => {
        const order = await placePayin(domain, merchantId, country, { channelId, ...free('100.00') });
        if (one.isReported) await paidAs(order, `${channelId}-${i}`);
        return { ...one, order, reference: `${channelId}-${i}` };
      }),
    );
    let last: object[] = [];
    for (let version = 0; version < 3; version++) {
      last = payments.flatMap(({ shown, order: { orderNo }, reference }) => {
        const gross = shown[version] === 'other amount' ? '90.00' : '100.00';
        const named = { channelRef: reference, orderNo: shown[version] === 'without order' ? null : orderNo };
        return shown[version] === 'gone' ? [] : [aLine({ currency, bookedOn: day, gross, net: gross, ...named })];
      });
      // A version that only leaves lines out may be an older one, and withdraws nothing. So each has a line of its own. One that has no line of the version
      // before may be of another part of the day, and withdraws nothing either. So each repeats the own line of the version before.
      const own = [version, version - 1].filter((one) => one >= 0).map((one) => aFee(`${channelId}-version-${one}`));
      last = [...own, ...last];
      const whole = {
        account: null,
        currency,
        from: day,
        to: day,
        opening: '0.00',
        lines: null,
        totalIn: null,
        totalOut: null,
      };
      const closing = (sumOf(last) / 100).toFixed(2);
      await anImport(domain, country, [...last, { ...whole, closing, version }], channelId);
      await reconcileAll(domain);
      // What the channel has not reported so far, it reports once.
      if (version === 1)
        for (const { isReported, order, reference } of payments) if (!isReported) await paidAs(order, reference);
      if (plans.some(({ worksOff }) => worksOff[version])) await workOff(channelId);
    }
    await workOff(channelId);
    expect(await held(channelId)).toBe(sumOf(last));
  };
  await fc.assert(fc.asyncProperty(fc.array(payment, { minLength: 2, maxLength: 6 }), property), {
    numRuns: 3,
    endOnFailure: true,
  });
});
