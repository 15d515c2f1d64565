import { type Account, ask, unanswered } from './api.ts';
import { meaningOf, neverDebited } from './mapping.ts';
import type { Settings } from './settings.ts';
import { type WirePayout, type WireTransaction, wireTransactions } from './wire.ts';

export type Evidence = { isProven: true; words: string } | { isProven: false; detail: string };

const pageSize = 50;
const mostPages = 20;

/**
 * Whether a failed payout left no money outside. Razorpay's `failed` alone does not say so: a debited payout stays
 * failed until its money is back (razorpay.com/docs, x/payouts/states-life-cycle). The account statement decides.
 */
export async function findEvidence(
  account: Account,
  payouts: NonNullable<Settings['payouts']>,
  payout: WirePayout,
  signal: AbortSignal,
): Promise<Evidence> {
  const reason = payout.status_details?.reason ?? 'no reason given';
  if (meaningOf(neverDebited, reason)) return { isProven: true, words: reason };
  const read = await readStatement(account, payouts, payout, signal);
  if (!Array.isArray(read)) return read;
  const total = (side: 'debit' | 'credit') => read.reduce((paise, line) => paise + line[side], 0);
  if (total('debit') > 0)
    return total('credit') >= payout.amount
      ? { isProven: true, words: `${reason}, and the money is back` }
      : { isProven: false, detail: `failed (${reason}), but debited and not back` };
  const age = Date.now() - payout.created_at * 1_000;
  return age >= payouts.statementDelayMs
    ? { isProven: true, words: `${reason}, and nothing was debited` }
    : { isProven: false, detail: `failed (${reason}), but the statement may not have the debit yet` };
}

/** All lines of the account statement about this payout, since it was made. */
async function readStatement(
  account: Account,
  { keys, accountNumber }: NonNullable<Settings['payouts']>,
  payout: WirePayout,
  signal: AbortSignal,
): Promise<WireTransaction[] | Evidence> {
  const lines: WireTransaction[] = [];
  const range = { account_number: accountNumber, from: String(payout.created_at - 60), count: String(pageSize) };
  // A page may be shorter than asked for, so only an empty one is the end.
  for (let page = 0, skip = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ ...range, skip: String(skip) });
    const reply = await ask(account, keys, { method: 'GET', path: `/transactions?${query}` }, signal);
    if (reply.kind !== 'ok') return { isProven: false, detail: `failed, and ${unanswered(reply).detail}` };
    const parsed = wireTransactions.safeParse(reply.json);
    if (!parsed.success) return { isProven: false, detail: 'failed, and the statement is unreadable' };
    const { items } = parsed.data;
    lines.push(...items.filter(({ source }) => source?.id === payout.id || source?.payout_id === payout.id));
    if (items.length === 0) return lines;
    skip += items.length;
  }
  return { isProven: false, detail: 'failed, and the statement since then is too long to read' };
}
