import { setChannel } from '../channels/set-channel.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { unrestricted } from '../lists/scope.ts';
import type { Domain } from '../open-domain.ts';
import type { BreakOutcome } from '../reconciliation/breaks/decide-resolution.ts';
import { resolveBreak } from '../reconciliation/breaks/resolve-break.ts';
import { loadBreakOutcomes } from '../reconciliation/list-breaks.ts';
import { heldCreditsSql } from '../reconciliation/missing-credits/queries.ts';
import type { StatementLine } from '../reconciliation/statement.ts';
import { aMerchant } from './index.ts';
import { paid, placePayin } from './payins.ts';
import { by } from './payouts.ts';
import { moveEntriesTo } from './settlements.ts';
import { aLine, anImport, dayAgo, lineOfVersion, noSummary, reconcileAll } from './statements.ts';

// A day of a channel in Pakistan whose statement comes in several versions, and a merchant.

export const country = 'PK';
const currency = 'PKR';
export const tenant = 'PLATFORM-PK';
export const day = dayAgo(country, 2);
export const agreed = by('ann', 'bob');

export type DayOfVersions = Awaited<ReturnType<typeof aDayOfVersions>>;

/** A new channel, and a new merchant. */
export async function aDayOfVersions(domain: Domain, channelId: string) {
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const { merchantId } = await aMerchant(domain, country);
  let versions = 0;

  /** The open breaks but for those over the lines of the versions, the oldest first. */
  async function open(): Promise<{ breakNo: number; amount: string }[]> {
    const { rows } = await domain.database.pool.query<{ breakNo: number; amount: string }>(
      `select break_no::integer as "breakNo", amount::text as amount from reconciliation_break b
       where channel_id = $1 and state = 'open' and abs(b.amount) <> 1 order by break_no`,
      [channelId],
    );
    return rows;
  }
  const openOver = async (amount: string) => (await open()).find((one) => one.amount === amount)?.breakNo ?? 0;
  async function sumIn(account: string): Promise<string | undefined> {
    const sum =
      'select coalesce(sum(case when debit = $1 then amount else -amount end), 0.00)::text as sum from transfer where $1 in (debit, credit)';
    return (await domain.database.pool.query<{ sum: string }>(sum, [`${account}:${channelId}`])).rows[0]?.sum;
  }

  return {
    merchantId,
    channelId,
    open,
    sumIn,

    /** A payin of 100.00 without a fee, that the channel reported. */
    async aPayin(): Promise<void> {
      const free = { netAmount: '100.00', feeAmount: '0.00' };
      const ref = await placePayin(domain, merchantId, country, { channelId, ...free });
      await domain.commit({
        type: 'applyReport',
        ref,
        channelId,
        answer: paid(`P-${channelId}`),
        during: 'query',
      });
      await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
    },

    /** The next version of the day shows the line over this amount; null: it does not show it. Each version has a line of its own, and that of the one before. */
    async shows(gross: string | null, its: Partial<StatementLine> = { channelRef: `P-${channelId}` }): Promise<void> {
      versions += 1;
      const mark = (no: number) => lineOfVersion({ currency, bookedOn: day }, channelId, no);
      const lines = [mark(versions - 1), mark(versions)];
      if (gross !== null) lines.push(aLine({ currency, bookedOn: day, gross, ...its }));
      const closing = ((its.direction === 'out' ? -1 : 1) * Number(gross ?? 0) - 2).toFixed(2);
      const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing };
      await anImport(domain, country, [...lines, { ...summary, versions }], channelId);
      await reconcileAll(domain);
    },

    /** A statement of its own with one line. */
    async showsToo(line: Partial<StatementLine>): Promise<void> {
      await anImport(domain, country, [aLine({ currency, bookedOn: day, ...line })], channelId);
      await reconcileAll(domain);
    },

    /** Ends the open break over this amount. */
    async ends(amount: string, outcome: BreakOutcome): Promise<string> {
      const ended = { merchantId: tenant, breakNo: await openOver(amount), outcome, otherBreakNo: null };
      const done = await resolveBreak(domain, ended, agreed);
      await reconcileAll(domain);
      return done.ok ? 'ended' : done.rejection;
    },
    async canEnd(amount: string): Promise<BreakOutcome[] | undefined> {
      const ref = { merchantId: tenant, breakNo: await openOver(amount) };
      return (await loadBreakOutcomes(domain, unrestricted, [ref]))[0];
    },

    /** What the wallet has, what of it is held, and what the platform bears. */
    async book(): Promise<unknown[]> {
      const sum = `select coalesce(sum(held), 0.00)::numeric(18, 2)::text as held from (${heldCreditsSql}) h`;
      const { rows } = await domain.database.pool.query<{ held: string }>(sum, [merchantId]);
      return [(await readWallet(domain, merchantId)).available, rows[0]?.held, await sumIn('written_off')];
    },
  };
}
