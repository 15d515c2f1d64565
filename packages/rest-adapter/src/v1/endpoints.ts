import type { Endpoint } from './endpoint.ts';
import { payinCreate } from './payin-create.ts';
import { payinQuery } from './payin-query.ts';
import { payoutCreate } from './payout-create.ts';
import { payoutQuery } from './payout-query.ts';
import { wallet } from './wallet.ts';
import { walletTransactions } from './wallet-transactions.ts';

/** Every signed operation. A new one is a file and a line here. */
export const endpoints: readonly Endpoint[] = [
  payinCreate,
  payinQuery,
  payoutCreate,
  payoutQuery,
  wallet,
  walletTransactions,
];
