import { accountSchema } from '../fields.ts';

/** Codes of mobile wallets. Every other code is a bank (contract "Create payout: PK"). */
const walletCodes = ['JAZZCASH', 'EASYPAISA'];

export const mobileSchema = /^03[0-9]{9}$/;

/**
 * The account of a PK payout, or the problem. For wallet codes it is `payee_mobile`, or `payee_account` if that is
 * absent. For banks it is `payee_account` (decisions 4).
 */
export function payeeAccount(
  bankCode: string,
  payee: { account: string; mobile: string | undefined },
): { account: string } | { path: string; reason: string } {
  if (!walletCodes.includes(bankCode)) {
    return accountSchema.test(payee.account)
      ? { account: payee.account }
      : { path: 'payee_account', reason: 'must be 6 to 34 letters or digits' };
  }
  const account = payee.mobile ?? payee.account;
  if (mobileSchema.test(account)) return { account };
  return {
    path: payee.mobile === undefined ? 'payee_account' : 'payee_mobile',
    reason: 'must be 11 digits starting with 03',
  };
}
