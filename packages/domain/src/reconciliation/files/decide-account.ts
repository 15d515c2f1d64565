import { fitOfAccounts } from '../../core/account-number.ts';
import type { StatementSummary } from '../statement.ts';

/** The account of a channel, and those of the other channels of its country. */
export interface ExpectedAccount {
  /** Null: no statement of the channel has named one. */
  account: string | null;
  others: readonly { channelId: string; account: string }[];
}

/**
 * Why the accounts that a file names are not that of its channel; null if they are, or if it names none. A number of which the file shows only the end
 * counts as the channel's, because people or the schedule chose the channel. The whole number of another channel does not.
 */
export function problemOfAccounts(
  summaries: readonly Pick<StatementSummary, 'account'>[],
  { account, others }: ExpectedAccount,
): string | null {
  const named = [...new Set(summaries.map((one) => one.account).filter((one) => one !== null))];
  const [first, ...more] = named;
  if (account === null && first !== undefined && more.some((one) => fitOfAccounts(one, first) === 'no'))
    return 'is about several accounts';
  for (const one of named) {
    const fit = account === null ? 'ending' : fitOfAccounts(one, account);
    if (fit === 'whole') continue;
    const owner = others.find((other) => fitOfAccounts(one, other.account) === 'whole');
    if (owner) return `is about the account of the channel ${owner.channelId}, not that of this channel`;
    if (fit === 'no') return 'is about another account than that of this channel';
  }
  return null;
}
