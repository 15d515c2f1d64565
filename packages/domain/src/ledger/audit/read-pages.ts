import { auditHash } from '../../core/audit-hash.ts';
import { entryHash } from '../../core/entry-hash.ts';
import type { AuditRecord } from '../../core/operator.ts';
import type { WalletEntry } from '../../core/wallet.ts';
import { followChain } from './chain.ts';
import { type BatchesCheck, checkBatches, type LinksPerStep } from './check-batches.ts';
import type { LedgerSql } from './ledger-sql.ts';
import { type BoundedPosition, type Position, positionRows } from './position.ts';
import type { Read } from './snapshot.ts';
import { nextTransfers } from './transfer-rules.ts';
import type { Violation } from './violation.ts';

/** The next rows of a merchant's ledger. */
export interface LedgerPage {
  /** The position up to which the ledger was read. */
  position: Position;
  /** Whether these are the last rows. */
  isEnd: boolean;
  /** The hashes of entries, decisions and links, computed from their rows. */
  hashes: { entries: string[]; decisions: string[]; links: string[] };
  /** The orders that the entries and transfers name, and those of the links' rows. */
  named: string[];
  linked: string[];
  /** Numbers of payments that belong to no order. */
  unmatched: string[];
  violations: Violation[];
  entries: number;
  transfers: number;
}

export interface PageSize {
  /** The most entries, transfers and decisions of each merchant. */
  rows: number;
  links?: LinksPerStep;
  /** Sums of transfers are not computed: the position keeps those that it has. */
  withoutSums?: true;
}

/**
 * Reads on in the ledger of these merchants, in one snapshot. Every row is compared with the previous one. Rows never
 * change once written, so the next page may be read in a later snapshot.
 */
export async function readPages(
  read: Read,
  sql: LedgerSql,
  positions: readonly BoundedPosition[],
  { rows, links, withoutSums }: PageSize,
): Promise<LedgerPage[]> {
  const values = [JSON.stringify(positions), rows];
  const entries = Map.groupBy(await read<WalletEntry>(sql.entries, values), (row) => row.merchantId);
  const decisions = Map.groupBy(await read<AuditRecord>(sql.decisions, values), (row) => row.merchantId);
  const summed = withoutSums ? [] : await read<Sums>(transfersSql, values);
  const sums = new Map(summed.map((row) => [row.merchantId, row]));
  const batches = await checkBatches(read, sql, positions, links);
  return positions.map((position) => {
    const { merchantId } = position;
    const pages = { entries: entries.get(merchantId) ?? [], decisions: decisions.get(merchantId) ?? [] };
    const chained = batches.get(merchantId);
    const page = readOn(position, pages, sums.get(merchantId), chained);
    const counts = [pages.entries.length, pages.decisions.length, page.transfers];
    return { ...page, isEnd: counts.every((count) => count < rows) && chained?.isEnd !== false };
  });
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
  const hashes = { entries: read.hashes, decisions: decided.hashes, links: chained?.hashes ?? [] };
  const counts = { entries: entries.length, transfers: sums?.count ?? 0 };
  return {
    position,
    hashes,
    violations,
    named,
    linked: chained?.orders ?? [],
    unmatched: chained?.unmatched ?? [],
    ...counts,
  };
}

const entryChain = {
  noOf: (row: WalletEntry) => row.entryNo,
  hashOf: (previous: string, row: WalletEntry) => entryHash(previous, row),
};
const auditChain = {
  noOf: (row: AuditRecord) => row.auditNo,
  hashOf: (previous: string, row: AuditRecord) => auditHash(previous, row),
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

const into = (account: string): string =>
  `(p."${account}Sum" + sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end))::text as "${account}Sum"`;

const transfersSql = `select p."merchantId", max(t.transfer_no)::float8 as "transferNo", count(*)::integer as count,
    ${['available', 'frozen', 'suspense'].map(into).join(', ')},
    coalesce(array_agg(distinct t.order_no) filter (where t.order_no is not null), '{}') as named
  from ${positionRows} ${nextTransfers}
  group by p."merchantId", p."availableSum", p."frozenSum", p."suspenseSum"`;
