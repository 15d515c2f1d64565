import type { Currency } from '../core/country.ts';
import { signedSum } from '../core/money.ts';
import type { WalletEntry } from '../core/wallet.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { walletPageStatement, walletStatement } from './queries.ts';

/** A wallet as its merchant sees it (decisions 6). Amounts are text with two decimals; `balance` is available + frozen. */
export interface WalletView {
  merchantNo: string;
  currency: Currency;
  balance: string;
  available: string;
  frozen: string;
  /** Unix seconds. */
  updatedAt: number;
}

/** One page of a wallet's entries, newest first. `total` is how many there are. */
export interface WalletPage {
  total: number;
  entries: WalletEntry[];
}

/** The wallet of a merchant; every merchant has one. */
export async function readWallet(domain: DatabaseAccess, merchantId: string): Promise<WalletView> {
  const { rows } = await domain.database.reading.query<WalletView & { updatedAt: number }>({
    ...walletStatement,
    values: [merchantId],
  });
  const wallet = rows[0];
  if (!wallet) throw new Error(`merchant ${merchantId} has no wallet`);
  const { currency, available, frozen } = wallet;
  const balance = signedSum(currency, available, frozen);
  return { merchantNo: merchantId, currency, balance, available, frozen, updatedAt: wallet.updatedAt };
}

/**
 * Page `page` (1 is the newest) of `pageSize` entries. Entries are numbered without gaps, so that a page
 * costs the same however deep it is.
 */
export async function readWalletPage(
  domain: DatabaseAccess,
  merchantId: string,
  page: number,
  pageSize: number,
): Promise<WalletPage> {
  const newest = (page - 1) * pageSize;
  const { rows } = await domain.database.reading.query<{ total: number; entry: WalletEntry | null }>({
    ...walletPageStatement(domain.database.orm),
    values: [merchantId, newest, newest + pageSize],
  });
  return { total: rows[0]?.total ?? 0, entries: rows.flatMap(({ entry }) => (entry ? [entry] : [])) };
}
