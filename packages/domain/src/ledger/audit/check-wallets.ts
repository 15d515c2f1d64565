import type { MikroORM } from '@mikro-orm/postgresql';
import { auditHash } from '../../core/audit-hash.ts';
import { entryHash } from '../../core/entry-hash.ts';
import type { AuditRecord } from '../../core/operator.ts';
import type { OrderRef } from '../../core/order.ts';
import type { WalletEntry } from '../../core/wallet.ts';
import { columnsOf } from '../../database/columns.ts';
import { AuditRecordRow } from '../../database/entities/access.ts';
import { WalletEntryRow } from '../../database/entities/ledger.ts';
import { followChain } from './chain.ts';
import { type BatchesCheck, checkBatches } from './check-batches.ts';
import { checkMerchantKeys } from './merchant-key-rules.ts';
import { type Position, positionRows } from './position.ts';
import { settlementEntryRules } from './settlement-rules.ts';
import type { Read } from './snapshot.ts';
import { nextTransfers, transferRules } from './transfer-rules.ts';
import { askRules, type Violation } from './violation.ts';
import { walletRules } from './wallet-rules.ts';

export interface WalletsCheck {
  /** How far each merchant's ledger was read, in the order of the argument. */
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
 * Continues in the ledger of these merchants, in one snapshot: at most `limit` entries, transfers and decisions of
 * each. Every row is compared with the previous one; at the end the wallet is compared with all of them. Rows never
 * change once written, so the next page may be read in a later snapshot.
 */
export async function checkWallets(
  read: Read,
  orm: MikroORM,
  positions: readonly Position[],
  limit: number,
): Promise<WalletsCheck> {
  const from = JSON.stringify(positions);
  const entries = Map.groupBy(await read<WalletEntry>(entriesSql(orm), [from, limit]), (row) => row.merchantId);
  const decisions = Map.groupBy(await read<AuditRecord>(decisionsSql(orm), [from, limit]), (row) => row.merchantId);
  const sums = new Map((await read<Sums>(transfersSql, [from, limit])).map((row) => [row.merchantId, row]));
  const batches = await checkBatches(read, orm, positions);
  const violations = await askRules(read, { ...transferRules, ...settlementEntryRules }, [from, limit]);
  const reached = positions.map((position) => {
    const read = {
      entries: entries.get(position.merchantId) ?? [],
      decisions: decisions.get(position.merchantId) ?? [],
    };
    const chained = batches.get(position.merchantId);
    const next = readOn(position, read, sums.get(position.merchantId), chained);
    violations.push(...next.violations);
    const isEnd =
      [read.entries.length, read.decisions.length, next.transfers].every((count) => count < limit) &&
      chained?.isEnd !== false;
    return { ...next, isEnd };
  });
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

interface Sums {
  merchantId: string;
  transferNo: number;
  count: number;
  availableSum: string;
  frozenSum: string;
  suspenseSum: string;
  named: string[];
}

interface Pages {
  entries: readonly WalletEntry[];
  decisions: readonly AuditRecord[];
}

/** The position after these rows, and their violations. */
function readOn(
  from: Position,
  { entries, decisions }: Pages,
  sums: Sums | undefined,
  chained: BatchesCheck | undefined,
) {
  const { merchantId } = from;
  const read = followChain(entries, { no: from.entryNo, count: from.entryCount, hash: from.entryHash }, entryChain);
  const decided = followChain(
    decisions,
    { no: from.auditNo, count: from.auditCount, hash: from.auditHash },
    auditChain,
  );
  const last = entries.at(-1);
  const position: Position = {
    merchantId,
    entryNo: read.end.no,
    entryCount: read.end.count,
    entryHash: read.end.hash,
    available: last?.availableAfter ?? from.available,
    frozen: last?.frozenAfter ?? from.frozen,
    transferNo: sums?.transferNo ?? from.transferNo,
    transferCount: from.transferCount + (sums?.count ?? 0),
    availableSum: sums?.availableSum ?? from.availableSum,
    frozenSum: sums?.frozenSum ?? from.frozenSum,
    suspenseSum: sums?.suspenseSum ?? from.suspenseSum,
    auditNo: decided.end.no,
    auditCount: decided.end.count,
    auditHash: decided.end.hash,
    ...(chained?.end ?? { batchNo: from.batchNo, batchCount: from.batchCount, batchHash: from.batchHash }),
  };
  const changed = (rule: string, subject: string): Violation => ({
    rule,
    merchantId,
    subject,
    detail: 'it was changed',
  });
  const violations = [
    ...brokenEntries(from, entries),
    ...(chained?.violations ?? []),
    ...read.changed.map((row) => changed('entries match their hashes', `entry ${row.entryNo}`)),
    ...decided.changed.map((row) => changed('decisions match their hashes', `decision ${row.auditNo}`)),
  ];
  const inEntries = entries.flatMap(({ orderNo }) => (orderNo === null ? [] : [orderNo]));
  const named = [...new Set([...inEntries, ...(sums?.named ?? [])])];
  return { position, violations, named, entries: entries.length, transfers: sums?.count ?? 0 };
}

const entryChain = {
  noOf: (row: WalletEntry) => row.entryNo,
  hashOf: (previous: string, { hash: _, ...unhashed }: WalletEntry) => entryHash(previous, unhashed),
};
const auditChain = {
  noOf: (row: AuditRecord) => row.auditNo,
  hashOf: (previous: string, { hash: _, ...unhashed }: AuditRecord) => auditHash(previous, unhashed),
};

/** Entries that do not continue where the previous one ended. */
function brokenEntries(from: Position, entries: readonly WalletEntry[]): Violation[] {
  let before = { no: from.entryNo, available: from.available, frozen: from.frozen };
  return entries.flatMap((entry) => {
    const { no, available, frozen } = before;
    before = { no: entry.entryNo, available: entry.availableAfter, frozen: entry.frozenAfter };
    if (entry.entryNo === no + 1 && entry.availableBefore === available && entry.frozenBefore === frozen) return [];
    const detail = `entry ${no} left ${available} and ${frozen}, it begins with ${entry.availableBefore} and ${entry.frozenBefore}`;
    const rule = 'entries are numbered without gaps and chain';
    return [{ rule, merchantId: from.merchantId, subject: `entry ${entry.entryNo}`, detail }];
  });
}

/** The wallet's row as one text. A different text means that the wallet was written. */
export const walletText = `concat_ws(' ', w.available, w.frozen, w.last_entry_no, w.last_entry_hash, w.last_transfer_no, w.last_case_no, w.last_audit_no, w.last_audit_hash, w.last_batch_no, w.last_batch_hash)`;

const seenSql = `select w.merchant_id as "merchantId", ${walletText} as wallet
  from json_to_recordset($1::json) as p("merchantId" text) join wallet w on w.merchant_id = p."merchantId"`;

const entriesSql = (orm: MikroORM): string => `select ${columnsOf(orm, WalletEntryRow)}
  from json_to_recordset($1::json) as p("merchantId" text, "entryNo" bigint) cross join lateral (
    select * from wallet_entry e where e.merchant_id = p."merchantId" and e.entry_no > p."entryNo" order by e.entry_no limit $2) t
  order by t.merchant_id, t.entry_no`;

const decisionsSql = (orm: MikroORM): string => `select ${columnsOf(orm, AuditRecordRow)}
  from json_to_recordset($1::json) as p("merchantId" text, "auditNo" bigint) cross join lateral (
    select * from audit_record a where a.merchant_id = p."merchantId" and a.audit_no > p."auditNo" order by a.audit_no limit $2) t
  order by t.merchant_id, t.audit_no`;

const into = (account: string): string =>
  `(p."${account}Sum" + sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end))::text as "${account}Sum"`;

const transfersSql = `select p."merchantId", max(t.transfer_no)::float8 as "transferNo", count(*)::integer as count,
    ${['available', 'frozen', 'suspense'].map(into).join(', ')},
    coalesce(array_agg(distinct t.order_no) filter (where t.order_no is not null), '{}') as named
  from ${positionRows} ${nextTransfers}
  group by p."merchantId", p."availableSum", p."frozenSum", p."suspenseSum"`;
