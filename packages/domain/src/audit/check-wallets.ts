import type { OrderRef } from '../core/order.ts';
import type { LedgerSql } from './ledger-sql.ts';
import { checkMerchantKeys } from './merchant-key-rules.ts';
import type { Position } from './position.ts';
import { readPages } from './read-pages.ts';
import { settlementEntryRules } from './settlement-rules.ts';
import type { Read } from './snapshot.ts';
import { transferRules } from './transfer-rules.ts';
import { askRules, type Violation } from './violation.ts';
import { walletRules } from './wallet-rules.ts';

export interface WalletsCheck {
  /** The position up to which each merchant's ledger was read, in the order of the argument. */
  positions: Position[];
  /** The merchants that were read to their end, with the wallet's row as it was then. */
  ended: Map<string, string>;
  /** The orders that the entries and transfers name. */
  named: OrderRef[];
  violations: Violation[];
  entries: number;
  transfers: number;
}

/**
 * Reads on in the ledger of these merchants, in one snapshot: at most `limit` entries, transfers and decisions of each.
 * Every row is compared with the previous one. At the end the wallet is compared with all of them. Rows never change
 * once written, so the next page may be read in a later snapshot.
 */
export async function checkWallets(
  read: Read,
  sql: LedgerSql,
  positions: readonly Position[],
  limit: number,
): Promise<WalletsCheck> {
  const from = JSON.stringify(positions);
  const reached = await readPages(read, sql, positions, { rows: limit });
  const violations = await askRules(read, { ...transferRules, ...settlementEntryRules }, [from, limit]);
  violations.push(...reached.flatMap((page) => page.violations));
  const ends = reached.filter(({ isEnd }) => isEnd).map(({ position }) => position);
  violations.push(...(await askRules(read, walletRules, [JSON.stringify(ends)])));
  const merchantIds = ends.map(({ merchantId }) => merchantId);
  violations.push(...(await checkMerchantKeys(read, merchantIds)));
  const rows = await read<{ merchantId: string; wallet: string }>(seenSql, [JSON.stringify(ends)]);
  const seen = new Map(rows.map(({ merchantId, wallet }) => [merchantId, wallet]));
  return {
    positions: reached.map(({ position }) => position),
    ended: new Map(ends.map(({ merchantId }) => [merchantId, seen.get(merchantId) ?? ''])),
    named: reached.flatMap(({ position: { merchantId }, named }) => named.map((orderNo) => ({ merchantId, orderNo }))),
    violations,
    entries: reached.reduce((sum, { entries }) => sum + entries, 0),
    transfers: reached.reduce((sum, { transfers }) => sum + transfers, 0),
  };
}

/** The wallet's row as one text. A different text means that the wallet was written. */
export const walletText = `concat_ws(' ', w.available, w.frozen, w.withheld, w.last_entry_no, w.last_transfer_no, w.last_case_no, w.last_audit_no, w.last_batch_no, w.last_batch_hash)`;

const seenSql = `select w.merchant_id as "merchantId", ${walletText} as wallet
  from json_to_recordset($1::json) as p("merchantId" text) join wallet w on w.merchant_id = p."merchantId"`;
