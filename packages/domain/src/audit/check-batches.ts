import { isPlatformTenant } from '../core/country.ts';
import { batchHash, type LedgerBatch } from '../core/ledger-batch.ts';
import type { RowContent } from './chained-tables.ts';
import { type NamedLink, readRowsOfLinks, withNames } from './ledger-rows.ts';
import type { LedgerSql } from './ledger-sql.ts';
import type { BoundedPosition, Position } from './position.ts';
import type { Read } from './snapshot.ts';
import type { Violation } from './violation.ts';

export const batchRuleName = 'ledger batches match their hashes';

/**
 * The most links of a merchant that one step reads, and the most rows that they cover. A step reads at least one link,
 * however many rows it covers.
 */
export interface LinksPerStep {
  links: number;
  rows: number;
}
const linksPerStep: LinksPerStep = { links: 250, rows: 4_000 };

export interface BatchesCheck {
  end: Pick<Position, 'batchNo' | 'batchCount' | 'batchHash'>;
  isEnd: boolean;
  /** The computed hash of each link; empty if one of its rows is missing. */
  hashes: string[];
  /** How many rows were read: the links, and what they cover. */
  rows: number;
  /** The orders of their rows, and the numbers under which a platform tenant has payments that belong to no order. */
  orders: string[];
  unmatched: string[];
  violations: Violation[];
}

/** Reads on in the ledger chains of these merchants, and recomputes each hash from the current rows. */
export async function checkBatches(
  read: Read,
  sql: LedgerSql,
  positions: readonly BoundedPosition[],
  most: LinksPerStep = linksPerStep,
): Promise<Map<string, BatchesCheck>> {
  const links = await read<LedgerBatch>(sql.links, [JSON.stringify(positions), most.links]);
  const byMerchant = Map.groupBy(links, ({ merchantId }) => merchantId);
  const fitting = new Map(
    positions.map(({ merchantId }) => [merchantId, fit(byMerchant.get(merchantId) ?? [], most.rows)]),
  );
  const contentsOf = await readRowsOfLinks(read, sql, [...fitting.values()].flat());
  return new Map(
    positions.map((position) => {
      const { merchantId } = position;
      const links = fitting.get(merchantId) ?? [];
      const fetched = byMerchant.get(merchantId)?.length ?? 0;
      const check = {
        ...followLinks(position, links, contentsOf),
        ...numbersIn(merchantId, links),
        isEnd: fetched < most.links && links.length === fetched,
      };
      return [merchantId, check];
    }),
  );
}

type Contents = ReadonlyMap<NamedLink, readonly (RowContent | undefined)[]>;

/**
 * Recomputes the hashes of the next links of a merchant, in order. A link that does not follow from the previous one is
 * reported, and the links after it are checked against its stored hash.
 */
function followLinks(
  { merchantId, batchNo, batchCount, batchHash: from }: Position,
  links: readonly NamedLink[],
  contentsOf: Contents,
): Pick<BatchesCheck, 'end' | 'hashes' | 'rows' | 'violations'> {
  const hashes: string[] = [];
  const violations: Violation[] = [];
  let previous = from;
  for (const link of links) {
    const { texts, missing } = textsOf(link, contentsOf.get(link) ?? []);
    const computed = missing.length === 0 ? batchHash(previous, link, texts) : '';
    hashes.push(computed);
    previous = link.hash;
    if (link.hash === computed) continue;
    const detail =
      missing.length > 0
        ? `it covers rows that are missing: ${missing.slice(0, 10).join(' ')}`
        : `it was changed, or one of its rows was: ${link.rows.slice(0, 10).join(' ')}`;
    violations.push({ rule: batchRuleName, merchantId, subject: `batch ${link.batchNo}`, detail });
  }
  return {
    end: { batchNo: links.at(-1)?.batchNo ?? batchNo, batchCount: batchCount + links.length, batchHash: previous },
    hashes,
    rows: links.reduce((sum, { names }) => sum + names.length, links.length),
    violations,
  };
}

/** The contents of a link's rows. A row that names another batch counts as missing, even if its content is the same. */
function textsOf({ batchNo, names }: NamedLink, contents: readonly (RowContent | undefined)[]) {
  const missing: string[] = [];
  let texts = '';
  for (const [i, name] of names.entries()) {
    const content = contents[i];
    if (content?.batchNo === batchNo) texts += content.text;
    else missing.push(name);
  }
  return { texts, missing };
}

/** The first links, as many as fit into one step with their rows. */
function fit(links: readonly LedgerBatch[], most: number): NamedLink[] {
  const fitting: NamedLink[] = [];
  let rows = 0;
  for (const link of links) {
    const named = withNames(link);
    rows += named.names.length;
    if (fitting.length > 0 && rows > most) break;
    fitting.push(named);
  }
  return fitting;
}

/**
 * The numbers of orders that the rows of these links name. A platform tenant books money under a channel's numbers, of
 * orders that it does not have. What a channel moves for a settlement has the number of that payment, SP…
 */
function numbersIn(merchantId: string, links: readonly LedgerBatch[]): Pick<BatchesCheck, 'orders' | 'unmatched'> {
  const parts = links.flatMap(({ rows }) => rows.map((row) => row.split(':', 2)));
  const named = (letters: string): string[] => [
    ...new Set(parts.flatMap(([letter = '', no = '']) => (letters.includes(letter) ? [no] : []))),
  ];
  if (isPlatformTenant(merchantId)) return { orders: named('os'), unmatched: named('p') };
  const isOfSettlement = (no: string): boolean => no.startsWith('SP');
  return {
    orders: named('osp').filter((no) => !isOfSettlement(no)),
    unmatched: named('p').filter(isOfSettlement),
  };
}
