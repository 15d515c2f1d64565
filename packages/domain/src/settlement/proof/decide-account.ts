import { endingOf, fitOfAccounts } from '../../core/account-number.ts';

/** The accounts of ours in a country. */
export interface OwnAccounts {
  /** Of channels, as their statements name them. */
  channels: readonly { channelId: string; account: string }[];
  /** Whole numbers of the accounts that pay bank files, the newest first. */
  payers: readonly string[];
}

/**
 * Why a line of a channel's account is not of the account that pays; null if it is. Another account of ours may name a settlement too, when it gives
 * money to the one that pays. Two of ours may have the same ending. So if only endings agree, no other account may fit.
 */
export function problemOfAccount(
  { channelId, account }: { channelId: string; account: string | null },
  paying: string | null,
  { channels, payers }: OwnAccounts,
): string | null {
  if (paying === null) return 'no bank file says which account of ours pays';
  if (account === null) return 'the account of its channel is not known';
  const ending = endingOf(paying);
  switch (fitOfAccounts(account, paying)) {
    case 'whole':
      return null;
    case 'no':
      return endingOf(account) === ending
        ? `another account pays, which ends with ${ending} too`
        : `an account that ends with ${ending} pays`;
    default: {
      const other = channels.find((one) => one.channelId !== channelId && fitOfAccounts(one.account, paying) !== 'no');
      if (other)
        return `the accounts of ${channelId} and ${other.channelId} both fit the one that pays: set their whole numbers`;
      const isAlone = payers.every(
        (one) => fitOfAccounts(one, account) === 'no' || fitOfAccounts(one, paying) === 'whole',
      );
      return isAlone ? null : `several accounts that pay fit the account of ${channelId}: set its whole number`;
    }
  }
}
