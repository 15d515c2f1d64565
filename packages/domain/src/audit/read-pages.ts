import { checkCoverage, type RowFact } from './chain-coverage.ts';
import { type BatchesCheck, checkBatches, type LinksPerStep } from './check-batches.ts';
import type { LedgerSql, PagedDecision, PagedEntry } from './ledger-sql.ts';
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
  /** The hashes of the links, computed from their rows. */
  hashes: string[];
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
}

/**
 * Reads on in the ledger of these merchants, in one snapshot. Entries are compared with the previous one, links are
 * hashed with the rows that they cover, and each entry and decision must be covered. Rows never change once written, so
 * the next page may be read in a later snapshot.
 */
export async function readPages(
  read: Read,
  sql: LedgerSql,
  positions: readonly BoundedPosition[],
  { rows, links }: PageSize,
): Promise<LedgerPage[]> {
  const values = [JSON.stringify(positions), rows];
  const entries = await read<PagedEntry>(sql.entries, values);
  const decisions = await read<PagedDecision>(sql.decisions, values);
  const sums = new Map((await read<Sums>(transfersSql, values)).map((row) => [row.merchantId, row]));
  const batches = await checkBatches(read, sql, positions, links);
  const uncovered = await checkCoverage(read, [
    ...entries.map((row): RowFact => ({ ...row, name: `e:${row.entryNo}` })),
    ...decisions.map((row): RowFact => ({ ...row, name: `a:${row.auditNo}` })),
  ]);
  const merchantIdOf = ({ merchantId }: { merchantId: string }): string => merchantId;
  const [entriesOf, decisionsOf] = [Map.groupBy(entries, merchantIdOf), Map.groupBy(decisions, merchantIdOf)];
  const uncoveredOf = Map.groupBy(uncovered, merchantIdOf);
  return positions.map((position) => {
    const { merchantId } = position;
    const pages = { entries: entriesOf.get(merchantId) ?? [], decisions: decisionsOf.get(merchantId) ?? [] };
    const chained = batches.get(merchantId);
    const page = readOn(position, pages, sums.get(merchantId), chained);
    const counts = [pages.entries.length, pages.decisions.length, page.transfers];
    return {
      ...page,
      isEnd: counts.every((count) => count < rows) && chained?.isEnd !== false,
      violations: [...page.violations, ...(uncoveredOf.get(merchantId) ?? [])],
    };
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
  entries: readonly PagedEntry[];
  decisions: readonly PagedDecision[];
}

/** The position after these rows, and their violations. */
function readOn(
  from: Position,
  { entries, decisions }: Pages,
  sums: Sums | undefined,
  chained: BatchesCheck | undefined,
) {
  const last = entries.at(-1);
  const position: Position = {
    merchantId: from.merchantId,
    entryNo: last?.entryNo ?? from.entryNo,
    entryCount: from.entryCount + entries.length,
    available: last?.availableAfter ?? from.available,
    frozen: last?.frozenAfter ?? from.frozen,
    transferNo: sums?.transferNo ?? from.transferNo,
    transferCount: from.transferCount + (sums?.count ?? 0),
    availableSum: sums?.availableSum ?? from.availableSum,
    frozenSum: sums?.frozenSum ?? from.frozenSum,
    suspenseSum: sums?.suspenseSum ?? from.suspenseSum,
    auditNo: decisions.at(-1)?.auditNo ?? from.auditNo,
    auditCount: from.auditCount + decisions.length,
    ...(chained?.end ?? { batchNo: from.batchNo, batchCount: from.batchCount, batchHash: from.batchHash }),
  };
  const inEntries = entries.flatMap(({ orderNo }) => (orderNo === null ? [] : [orderNo]));
  return {
    position,
    hashes: chained?.hashes ?? [],
    violations: [...brokenEntries(from, entries), ...(chained?.violations ?? [])],
    named: [...new Set([...inEntries, ...(sums?.named ?? [])])],
    linked: chained?.orders ?? [],
    unmatched: chained?.unmatched ?? [],
    entries: entries.length,
    transfers: sums?.count ?? 0,
  };
}

/** Entries that do not continue where the previous one ended. */
function brokenEntries(from: Position, entries: readonly PagedEntry[]): Violation[] {
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
