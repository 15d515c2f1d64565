import { setChannel } from '../channels/set-channel.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import type { Domain } from '../open-domain.ts';
import type { BreakOutcome } from '../reconciliation/breaks/decide-resolution.ts';
import { resolveBreak } from '../reconciliation/breaks/resolve-break.ts';
import { heldCreditsSql } from '../reconciliation/missing-credits/queries.ts';
import { aMerchant } from './index.ts';
import { placePayin } from './payins.ts';
import { by } from './payouts.ts';
import { rowsOf } from './reconciled-days.ts';
import { aLine, anImport, backdateLedger, dayAgo, lineOfVersion, noSummary, reconcileAll } from './statements.ts';

// An order in Thailand that was paid in several payments, and a day of its channel whose statement comes in several versions.

const country = 'TH';
const tenant = 'PLATFORM-TH';
const day = dayAgo(country, 3);

/** What a line names, the order or the payment of this place by its reference, and its amount. */
export type LineOfOrder = readonly ['order' | number, string];
export type PaidOrder = Awaited<ReturnType<typeof aPaidOrder>>;

/** An order that was paid in these payments, without a fee, at a channel of its own. No line shows them so far. */
export async function aPaidOrder(domain: Domain, channelId: string, amounts: readonly string[]) {
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  const { merchantId } = await aMerchant(domain, country);
  const free = { netAmount: '100.00', feeAmount: '0.00' };
  const order = await placePayin(domain, merchantId, country, { channelId, ...free });
  const payments = amounts.map((amount, at) => ({ reference: `${at}-${channelId}`, amount }));
  for (const at of payments.keys()) {
    const answer = { outcome: 'part_paid', payments: payments.slice(0, at + 1) } as const;
    await domain.commit({ type: 'applyReport', ref: order, channelId, answer, during: 'callback' });
  }
  await backdateLedger(domain, 3, merchantId);
  let versions = 0;

  /** The next version of the day has these lines. Each version has a line of its own, over 1.00, and that of the one before. */
  async function shows(...lines: readonly LineOfOrder[]): Promise<void> {
    versions += 1;
    const marks = [versions - 1, versions].map((no) =>
      lineOfVersion({ currency: 'THB', bookedOn: day }, channelId, no),
    );
    const rows = lines.map(([of, gross]) => {
      const names = of === 'order' ? { orderNo: order.orderNo } : { channelRef: `${of}-${channelId}` };
      return aLine({ currency: 'THB', bookedOn: day, gross, ...names });
    });
    const closing = (lines.reduce((sum, [, gross]) => sum + Number(gross), 0) - 2).toFixed(2);
    const summary = { ...noSummary, from: day, to: day, opening: '0.00', closing, versions };
    await anImport(domain, country, [...marks, ...rows, summary], channelId);
    await reconcileAll(domain);
  }

  const open = `select break_no::integer, amount from reconciliation_break where channel_id = $1 and state = 'open'`;
  /** Ends these open breaks, each in one of these ways if that is possible, else by a posting. */
  async function endAll(which: string, outcomes: readonly BreakOutcome[]): Promise<void> {
    const breaks = await rowsOf(domain, `${open} and ${which} order by break_no`, [channelId]);
    for (const [at, [breakNo]] of breaks.entries()) {
      const ended = { merchantId: tenant, breakNo: Number(breakNo), otherBreakNo: null };
      for (const outcome of [outcomes[at % outcomes.length] ?? 'posted', 'posted'] as const)
        if ((await resolveBreak(domain, { ...ended, outcome }, by('ann', 'bob'))).ok) break;
    }
    await reconcileAll(domain);
  }

  return {
    merchantId,
    shows,

    /** Ends the open break over this amount. */
    async endsOne(amount: string, outcome: BreakOutcome): Promise<void> {
      const [[breakNo] = []] = await rowsOf(domain, `${open} and amount = $2`, [channelId, amount]);
      const ended = { merchantId: tenant, breakNo: Number(breakNo), outcome, otherBreakNo: null };
      const done = await resolveBreak(domain, ended, by('ann', 'bob'));
      if (!done.ok) throw new Error(done.rejection);
    },

    /** Ends the open breaks: first what is missing, in these ways one after another. Then what lines show beyond the ledger is posted. */
    async ends(...outcomes: readonly BreakOutcome[]): Promise<void> {
      await endAll('amount < 0 and abs(amount) <> 1', outcomes);
      await endAll('true', []);
    },

    /** What the wallet has, what of it is held, and what is missing that the platform bears, or nobody. */
    async book(): Promise<string[]> {
      const sum = `select coalesce(sum(case when debit = $1 then amount else -amount end), 0.00)::text from transfer where $1 in (debit, credit)`;
      const held = `select coalesce(sum(held), 0.00)::numeric(18, 2)::text from (${heldCreditsSql}) h`;
      const read = async (text: string, value: string) => String((await rowsOf(domain, text, [value]))[0]?.[0]);
      // The lines of the versions are missing in the ledger too.
      const variance = Number(await read(sum, `variance:${channelId}`)) - Math.min(versions + 1, 2);
      return [
        (await readWallet(domain, merchantId)).available ?? '',
        await read(held, merchantId),
        await read(sum, `written_off:${channelId}`),
        variance.toFixed(2),
      ];
    },
  };
}

export const two = ['60.00', '40.00'] as const;
/** An order that was paid in two payments, that a line shows, or that are missing. `how` the breaks over them ended. */
export async function paidInTwo(
  domain: Domain,
  channelId: string,
  how: readonly (BreakOutcome | 'matched')[],
): Promise<PaidOrder> {
  const paid = await aPaidOrder(domain, channelId, two);
  await paid.shows(...how.flatMap((one, at): LineOfOrder[] => (one === 'matched' ? [[at, two[at] ?? '']] : [])));
  for (const [at, outcome] of how.entries()) if (outcome !== 'matched') await paid.endsOne(`-${two[at]}`, outcome);
  await paid.ends();
  return paid;
}
/** The book if nothing is missing: the wallet has 100.00, and nobody bears anything. */
export const nothing = ['100.00', '0.00', '0.00', '0.00'];
