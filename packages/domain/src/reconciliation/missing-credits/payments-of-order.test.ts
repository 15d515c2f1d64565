import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import type { Order } from '../../core/order.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { placePayin } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { rowsOf } from '../../testing/reconciled-days.ts';
import { aLine, anImport, backdateLedger, dayAgo, reconcileAll, violationsOfMoved } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import type { StatementLine } from '../statement.ts';
import { heldCreditsSql } from './queries.ts';

// An order of 100.00 that was paid in two payments, of which no statement showed any. Lines can name one of them, or the order.

const country = 'TH';
const tenant = 'PLATFORM-TH';
const [first, second] = ['60.00', '40.00'] as const;
let fixture: TestDomain;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});

/** The order, whose payments are missing: `how` their breaks ended, the one over the first payment first. */
async function missingPayments(how: readonly BreakOutcome[]) {
  channels += 1;
  const channelId = `parts-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const { merchantId } = await aMerchant(fixture.domain, country);
  const order = await placePayin(fixture.domain, merchantId, country, {
    channelId,
    netAmount: '100.00',
    feeAmount: '0.00',
  });
  const references = [`A-${channelId}`, `B-${channelId}`] as const;
  const payments = [
    { reference: references[0], amount: first },
    { reference: references[1], amount: second },
  ];
  for (const paid of [payments.slice(0, 1), payments])
    await fixture.domain.commit({
      type: 'applyReport',
      ref: order,
      channelId,
      answer: { outcome: 'part_paid', payments: paid },
      during: 'callback',
    });
  await backdateLedger(fixture.domain, 4);
  const found = { channelId, merchantId, order, references };
  await shows(found, 4, { type: 'settlement', direction: 'out', gross: '1.00', channelRef: `S-${channelId}` });
  for (const [at, amount] of [`-${first}`, `-${second}`].entries()) await ends(found, how[at] ?? 'posted', amount);
  return found;
}
type Found = { channelId: string; merchantId: string; order: Order; references: readonly [string, string] };

async function shows({ channelId }: Found, ago: number, ...lines: Partial<StatementLine>[]): Promise<void> {
  const rows = lines.map((line) => aLine({ currency: 'THB', bookedOn: dayAgo(country, ago), ...line }));
  await anImport(fixture.domain, country, rows, channelId);
  await reconcileAll(fixture.domain);
}
/** Ends the open breaks, or those over this amount, but for that of the settlement. */
async function ends({ channelId }: Found, outcome: BreakOutcome, amount?: string): Promise<void> {
  const open = await rowsOf(
    fixture.domain,
    `select break_no::integer from reconciliation_break
     where channel_id = $1 and state = 'open' and amount <> -1 and amount = coalesce($2, amount) order by break_no`,
    [channelId, amount ?? null],
  );
  for (const [breakNo] of open) {
    const ended = { merchantId: tenant, breakNo: Number(breakNo), outcome, otherBreakNo: null };
    expect(await resolveBreak(fixture.domain, ended, by('ann', 'bob'))).toMatchObject({ ok: true });
  }
  await reconcileAll(fixture.domain);
}
/** What the wallet has, what of it is held, and what the platform bears, or got beyond what the ledger knows. */
async function book({ channelId, merchantId }: Found): Promise<string[]> {
  const [[held, writtenOff, variance] = []] = await rowsOf(
    fixture.domain,
    `select (select coalesce(sum(held), 0.00)::numeric(18, 2)::text from (${heldCreditsSql}) h), ${['$2', '$3']
      .map(
        (account) =>
          `(select coalesce(sum(case when debit = ${account} then -amount else amount end), 0.00)::numeric(18, 2)::text from transfer where ${account} in (debit, credit))`,
      )
      .join()}`,
    [merchantId, `written_off:${channelId}`, `variance:${channelId}`],
  );
  return [(await readWallet(fixture.domain, merchantId)).available ?? '', held, writtenOff, variance].map(String);
}

const outcomes = ['posted', 'written_off', 'charged'] as const;

test.each(outcomes)('one line over the order gives back what both payments were: %s', async (how) => {
  const found = await missingPayments([how, how]);
  await shows(found, 3, { gross: '100.00', orderNo: found.order.orderNo });
  await ends(found, 'posted');
  expect(await book(found)).toEqual(['100.00', '0.00', '0.00', '0.00']);
});

test.each(outcomes)(
  'what a line shows beyond one payment is of the other one, whichever comes first: %s',
  async (how) => {
    const found = await missingPayments([how, how]);
    const { orderNo } = found.order;
    for (const line of [
      { gross: '30.00', orderNo },
      { gross: '60.00', channelRef: found.references[0] },
      { gross: '10.00', orderNo },
    ]) {
      await shows(found, 3, line);
      await ends(found, 'posted');
    }
    expect(await book(found)).toEqual(['100.00', '0.00', '0.00', '0.00']);
  },
);

test.each<[BreakOutcome[], 0 | 1, string[]]>([
  [['charged', 'posted'], 0, ['100.00', '40.00', '0.00', '-40.00']],
  [['charged', 'posted'], 1, ['40.00', '0.00', '0.00', '0.00']],
  [['written_off', 'charged'], 0, ['60.00', '0.00', '0.00', '0.00']],
  [['written_off', 'charged'], 1, ['100.00', '0.00', '-60.00', '0.00']],
])('a line that shows the own payment frees that one alone: %j, number %i', async (how, at, expected) => {
  const found = await missingPayments(how);
  await shows(found, 3, { gross: at === 0 ? first : second, channelRef: found.references[at] });
  await ends(found, 'posted');
  expect(await book(found)).toEqual(expected);
});

const inCents = (amount: string): number => Math.round(Number(amount) * 100);
const aLineOf = fc.record({
  cents: fc.integer({ min: 1, max: 100 }).map((units) => units * 100),
  by: fc.constantFrom('first', 'second', 'order'),
  isEndedAtOnce: fc.boolean(),
});

test('nobody bears more, and nobody less, than what the lines do not show of the order', async () => {
  const plan = fc.record({
    how: fc.tuple(fc.constantFrom(...outcomes), fc.constantFrom(...outcomes)),
    // A second line of one own reference would be its correction, and one of the same amount a repetition.
    lines: fc.uniqueArray(aLineOf, { minLength: 1, maxLength: 4, selector: ({ cents }) => cents }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ how, lines }) => {
      const found = await missingPayments(how);
      let left = 10_000;
      const named = new Set<string>();
      for (const { cents, by: name, isEndedAtOnce } of lines) {
        // More than the order is another payment of it.
        if (cents > left || (name !== 'order' && named.has(name))) continue;
        named.add(name);
        left -= cents;
        const reference = { channelRef: found.references[name === 'first' ? 0 : 1] };
        const its = name === 'order' ? { orderNo: found.order.orderNo } : reference;
        await shows(found, 3, { gross: (cents / 100).toFixed(2), ...its });
        if (isEndedAtOnce) await ends(found, 'posted');
      }
      await ends(found, 'posted');
      const [wallet, held, writtenOff, variance] = (await book(found)).map(inCents);
      const borne = { merchant: 10_000 - (wallet ?? 0), platform: 0 - (writtenOff ?? 0), nobody: 0 - (variance ?? 0) };
      expect(borne.merchant + borne.platform + borne.nobody).toBe(left);
      expect(Math.min(...Object.values(borne))).toBeGreaterThanOrEqual(0);
      expect(held).toBe(borne.nobody);
    }),
    { numRuns: process.env.TIDEGATE_TEST_DEPTH === undefined ? 8 : 100 },
  );
});
