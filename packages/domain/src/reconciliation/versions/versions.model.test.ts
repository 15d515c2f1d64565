import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { auditedDomain } from '../../testing/audited-domain.ts';
import { aMerchant } from '../../testing/index.ts';
import { paid, placePayin } from '../../testing/payins.ts';
import { by } from '../../testing/payouts.ts';
import { moveEntriesTo } from '../../testing/settlements.ts';
import { aLine, anImport, dayAgo, lineOfVersion, noSummary, reconcileAll } from '../../testing/statements.ts';
import type { BreakOutcome } from '../breaks/decide-resolution.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { explainDay } from '../days/explain-day.ts';
import { heldCreditsSql } from '../missing-credits/queries.ts';
import type { StatementLine } from '../statement.ts';

// An honest book next to ours: whatever versions of two days come, and whatever breaks are ended on the way, accounts, wallets and what is held are what the
// last version and the decisions say, and not how they came about.

const country = 'TH';
const currency = 'THB';
const tenant = 'PLATFORM-TH';
const [day, next] = [dayAgo(country, 3), dayAgo(country, 2)];
const fixture = auditedDomain();

/** What a version shows of a payin of 100.00, of which the wallet was credited 97.50. */
interface Shown {
  gross: number;
  fee: number;
  on: string;
}
const credited = 9_750;
const shown: fc.Arbitrary<Shown> = fc.record({
  gross: fc.constantFrom(10_000, 10_000, 9_000, 11_000, 7_000, 9_997, 0),
  fee: fc.constantFrom(0, 100, 150),
  on: fc.constantFrom(day, day, day, next),
});
const ends = ['posted', 'written_off', 'charged'] as const;
const payment = fc.record({
  /** How operators end what is missing; null: in each way. */
  ends: fc.constantFrom(...ends, null),
  shown: fc.array(shown, { minLength: 4, maxLength: 4 }),
});
const plan = fc.record({
  payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
  worksOff: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
});

const money = (minor: number): string => (minor / 100).toFixed(2);
const minor = (text: string): number => Math.round(Number(text) * 100);
const read = async <T>(text: string, values: unknown[]): Promise<T[]> =>
  (await fixture.domain.database.pool.query({ text, values, rowMode: 'array' })).rows as T[];
const balance = async (account: string): Promise<number> => {
  const sum = `select coalesce(sum(case when debit = $1 then amount else -amount end), 0)::text from transfer where $1 in (debit, credit)`;
  return minor((await read<[string]>(sum, [account]))[0]?.[0] ?? '');
};
const netOf = (lines: readonly StatementLine[]): number =>
  lines.reduce((sum, line) => sum + (line.direction === 'in' ? 1 : -1) * minor(line.net), 0);

interface Payment {
  merchantId: string;
  ends: BreakOutcome | null;
}
/** Ends each open break: what is missing in the way of its payment. Charging is refused if nothing is missing any more. */
async function workOff(channelId: string, payments: readonly Payment[], turn: number): Promise<void> {
  const { domain } = fixture;
  const open = `select break_no::integer, amount < 0 and kind in ('amount', 'missing_at_channel'), owner_id from reconciliation_break
    where channel_id = $1 and state = 'open' order by break_no`;
  for (const [breakNo, isMissing, ownerId] of await read<[number, boolean, string | null]>(open, [channelId])) {
    const of = payments.find(({ merchantId }) => merchantId === ownerId);
    const wanted = of && isMissing ? (of.ends ?? ends[(breakNo + turn) % ends.length] ?? 'posted') : 'posted';
    const ending = { merchantId: tenant, breakNo, outcome: wanted, otherBreakNo: null };
    const done = await resolveBreak(domain, ending, by('ann', 'bob'));
    if (!done.ok) expect([wanted, done.rejection]).toEqual(['charged', 'break_not_resolvable']);
    if (!done.ok)
      expect(await resolveBreak(domain, { ...ending, outcome: 'posted' }, by('ann', 'bob'))).toMatchObject({
        ok: true,
      });
  }
  await reconcileAll(domain);
}

let channels = 0;
async function play({
  payments: plans,
  worksOff,
}: typeof plan extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const { domain } = fixture;
  channels += 1;
  const channelId = `model-${channels}`;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const payments = [];
  for (const [i, one] of plans.entries()) {
    const { merchantId } = await aMerchant(domain, country);
    const order = await placePayin(domain, merchantId, country, { channelId });
    await domain.commit({
      type: 'applyReport',
      ref: order,
      channelId,
      answer: paid(`${channelId}-${i}`),
      during: 'query',
    });
    await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
    payments.push({ ...one, merchantId, reference: `${channelId}-${i}` });
  }
  let last: StatementLine[] = [];
  for (let version = 0; version < 4; version++) {
    // Each has a line of its own, and repeats that of the one before.
    const own = [version, version - 1].filter((one) => one >= 0);
    const mark = (one: number) => lineOfVersion({ currency, bookedOn: day }, channelId, one);
    last = own.map(mark);
    for (const { reference, shown: versions } of payments) {
      const { gross = 0, fee = 0, on = day } = versions[version] ?? {};
      const amounts = { gross: money(gross), fee: money(fee), net: money(gross - fee) };
      if (gross > 0) last.push(aLine({ currency, bookedOn: on, channelRef: reference, ...amounts }));
    }
    const summary = { ...noSummary, currency, from: day, to: next, opening: '0.00', closing: money(netOf(last)) };
    await anImport(domain, country, [...last, { ...summary, version }], channelId);
    await reconcileAll(domain);
    if (worksOff[version]) await workOff(channelId, payments, version);
  }
  for (let turn = 0; turn < 2; turn++) await workOff(channelId, payments, turn);

  expect(
    await read("select kind from reconciliation_break where channel_id = $1 and state in ('open', 'posting')", [
      channelId,
    ]),
  ).toEqual([]);
  expect(await balance(`channel:${channelId}`)).toBe(netOf(last));
  expect(await balance(`channel_fee:${channelId}`)).toBe(last.reduce((sum, line) => sum + minor(line.fee), 0));
  for (const { merchantId, ends: wanted, shown: versions } of payments) {
    const missing = Math.min(Math.max(10_000 - (versions[3]?.gross ?? 0), 0), credited);
    const held = (
      await read<[string]>(`select coalesce(sum(held), 0.00)::text from (${heldCreditsSql}) h`, [merchantId])
    )[0]?.[0];
    const has = [minor((await readWallet(domain, merchantId)).available), minor(held ?? '')] as const;
    if (wanted === null) expect(credited - has[0] + has[1]).toBeLessThanOrEqual(missing);
    else expect(has).toEqual([wanted === 'charged' ? credited - missing : credited, wanted === 'posted' ? missing : 0]);
    expect(has[0]).toBeLessThanOrEqual(credited);
  }
  for (const on of [day, next]) {
    const sums =
      'select statement_net::text, ledger_net::text from reconciliation_day where channel_id = $1 and day = $2';
    const [[statementNet, ledgerNet] = ['0.00', '0.00']] = await read<[string, string]>(sums, [channelId, on]);
    expect(minor(statementNet)).toBe(netOf(last.filter(({ bookedOn }) => bookedOn === on)));
    const parts = await explainDay(domain, { country, channelId, day: on }, { statementNet, ledgerNet });
    expect(parts.filter(({ reason }) => reason === 'not_matched')).toEqual([]);
  }
}

test('whatever versions come, and however breaks end between them, wallets, accounts and held credits are those of an honest book', async () => {
  await fc.assert(fc.asyncProperty(plan, play), { numRuns: 5, endOnFailure: true });
});
