import type { Currency } from '../core/country.ts';
import { signedSum } from '../core/money.ts';
import type { WalletEntry } from '../core/wallet.ts';
import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { WalletEntryRow } from '../database/entities/ledger.ts';

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
    name: 'read-wallet',
    text: walletSql,
    values: [merchantId],
  });
  const wallet = rows[0];
  if (!wallet) throw new Error(`merchant ${merchantId} has no wallet`);
  const { currency, available, frozen } = wallet;
  const balance = signedSum(currency, available, frozen);
  return { merchantNo: merchantId, currency, balance, available, frozen, updatedAt: wallet.updatedAt };
}

/**
 * Page `page` (1 is the newest) of `pageSize` entries. Entries are numbered without gaps, so a page is a range of numbers:
 * no offset, no count, the same cost however deep. One statement, so that `total` and the page are of one moment.
 */
export async function readWalletPage(
  domain: DatabaseAccess,
  merchantId: string,
  page: number,
  pageSize: number,
): Promise<WalletPage> {
  const newest = (page - 1) * pageSize;
  const { rows } = await domain.database.reading.query<{ total: number; entry: WalletEntry | null }>({
    name: 'read-wallet-page',
    text: `select w.last_entry_no::float8 as total, to_json(e) as entry from wallet w left join lateral (
        select ${columnsOf(domain.database.orm, WalletEntryRow)} from wallet_entry t
        where t.merchant_id = w.merchant_id and t.entry_no <= w.last_entry_no - $2::bigint and t.entry_no > w.last_entry_no - $3::bigint
      ) e on true where w.merchant_id = $1 order by e."entryNo" desc`,
    values: [merchantId, newest, newest + pageSize],
  });
  return { total: rows[0]?.total ?? 0, entries: rows.flatMap(({ entry }) => (entry ? [entry] : [])) };
}

const walletSql = `select currency, available::text as available, frozen::text as frozen,
  floor(extract(epoch from updated_at))::float8 as "updatedAt" from wallet where merchant_id = $1`;
