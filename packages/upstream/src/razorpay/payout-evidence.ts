import { storedTime } from '../provider/stored.ts';
import { type Account, ask, unanswered } from './api.ts';
import { meaningOf, neverDebited } from './mapping.ts';
import { anUnknownAccount, payerOf } from './payer.ts';
import type { Settings } from './settings.ts';
import { type WirePayout, type WireTransaction, wireTransactions } from './wire.ts';

type Payouts = NonNullable<Settings['payouts']>;
export type Evidence = { isProven: true; words: string } | { isProven: false; detail: string };

const pageSize = 50;
const maxPages = 20;
/** The statement is read until this long after the delay. Money that comes back later makes the payout `reversed`. */
const maxRangeMs = 24 * 3_600_000;
/** Clocks differ. */
const marginSeconds = 60;

/**
 * Finds out whether a failed payout moved no money. The state `failed` of Razorpay alone does not prove it: a debited
 * payout stays failed until its money is back (razorpay.com/docs, x/payouts/states-life-cycle). The statement of the
 * account that paid decides. It is read only when it must already have the debit.
 */
export async function findEvidence(
  account: Account,
  payouts: Payouts,
  { payout, orderNo }: { payout: WirePayout; orderNo: string },
  signal: AbortSignal,
): Promise<Evidence> {
  const reason = payout.status_details?.reason ?? 'no reason given';
  const not = (detail: string): Evidence => ({ isProven: false, detail: `failed (${reason}), but ${detail}` });
  if (meaningOf(neverDebited, reason)) return { isProven: true, words: reason };
  const stored = await account.memory.remember(`failed:${payout.id}`, String(Date.now()), 'order');
  const failedAt = storedTime.safeParse(stored).data ?? Number.NaN;
  // A payout cannot have failed before it was made: its debit would lie behind the range that is read.
  if (!(failedAt >= (payout.created_at - marginSeconds) * 1_000)) return not('it is not known since when');
  if (Date.now() - failedAt < payouts.statementDelayMs) return not('the statement may not have the debit yet');
  const payer = await payerOf(account, orderNo);
  if (payer === anUnknownAccount) return not('the account that paid cannot be read');
  const accountNumber = payer ?? payouts.accountNumber;
  if (namesAnother(payout, accountNumber)) return not('it names another debit account');
  const to = Math.min(Date.now(), failedAt + payouts.statementDelayMs + maxRangeMs);
  const range = { accountNumber, to: Math.ceil(to / 1_000) + marginSeconds };
  const read = await readStatement(account, payouts, payout, range, signal);
  if (!Array.isArray(read)) return read;
  const debits = read.filter(({ debit }) => debit > 0).length;
  const credit = read.reduce((paise, line) => paise + line.credit, 0);
  if (debits > 0)
    return credit >= payout.amount * debits
      ? { isProven: true, words: `${reason}, and the money is back` }
      : not('debited and not back');
  return payer === null
    ? not('the account that paid is not known')
    : { isProven: true, words: `${reason}, and nothing was debited` };
}

/** Razorpay may pay from another account of ours (x/payouts/multi-bank-routing), whose statement is not read. */
function namesAnother({ debit_account_number: named }: WirePayout, accountNumber: string): boolean {
  return Boolean(named) && named !== 'null' && named !== accountNumber;
}

/** All lines of the account statement about this payout, since it was made. */
async function readStatement(
  account: Account,
  { keys }: Payouts,
  payout: WirePayout,
  { accountNumber, to }: { accountNumber: string; to: number },
  signal: AbortSignal,
): Promise<WireTransaction[] | Evidence> {
  // Lines are stored by id, because a new line moves the others to a later page, so one may be read twice.
  const lines = new Map<string, WireTransaction>();
  const from = String(payout.created_at - marginSeconds);
  const range = { account_number: accountNumber, from, to: String(to), count: String(pageSize) };
  // A page may be shorter than asked for, so only an empty one is the end.
  for (let page = 0, skip = 0; page < maxPages; page++) {
    const query = new URLSearchParams({ ...range, skip: String(skip) });
    const reply = await ask(account, keys, { method: 'GET', path: `/transactions?${query}` }, signal);
    if (reply.kind !== 'ok') return { isProven: false, detail: `failed, and ${unanswered(reply).detail}` };
    const parsed = wireTransactions.safeParse(reply.json);
    if (!parsed.success) return { isProven: false, detail: 'failed, and the statement is unreadable' };
    const { items } = parsed.data;
    for (const line of items)
      if (line.source?.id === payout.id || line.source?.payout_id === payout.id) lines.set(line.id, line);
    if (items.length === 0) return [...lines.values()];
    skip += items.length;
  }
  return { isProven: false, detail: 'failed, and the statement since then is too long to read' };
}
