import { isPlatformTenant } from '../../core/country.ts';
import { batchHash, type LedgerBatch } from '../../core/ledger-batch.ts';
import { followChain } from './chain.ts';
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
  batches: number;
  /** The computed hash of each link. */
  hashes: string[];
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
      const batches = fitting.get(merchantId) ?? [];
      const problems = new Map<number, string>();
      const hashOf = (previousHash: string, batch: NamedLink): string => {
        const contents = contentsOf.get(batch) ?? [];
        const missing: string[] = [];
        let texts = '';
        for (const [i, name] of batch.names.entries()) {
          const content = contents[i];
          // A row that names another batch counts as missing, even if its content is the same.
          if (content?.batchNo === batch.batchNo) texts += content.text;
          else missing.push(name);
        }
        if (missing.length === 0) return batchHash(previousHash, batch, texts);
        problems.set(batch.batchNo, `it covers rows that are missing: ${missing.slice(0, 10).join(' ')}`);
        return '';
      };
      const from = { no: position.batchNo, count: position.batchCount, hash: position.batchHash };
      const { end, changed, hashes } = followChain(batches, from, { noOf: ({ batchNo }) => batchNo, hashOf });
      const fetched = byMerchant.get(merchantId)?.length ?? 0;
      const violations = changed.map(({ batchNo, rows }): Violation => {
        const detail =
          problems.get(batchNo) ?? `it was changed, or one of its rows was: ${rows.slice(0, 10).join(' ')}`;
        return { rule: batchRuleName, merchantId, subject: `batch ${batchNo}`, detail };
      });
      return [
        merchantId,
        {
          end: { batchNo: end.no, batchCount: end.count, batchHash: end.hash },
          isEnd: fetched < most.links && batches.length === fetched,
          batches: batches.length,
          hashes,
          ...numbersIn(merchantId, batches),
          violations,
        },
      ];
    }),
  );
}

/** The first links, as many as fit into one step with their rows. */
function fit(links: readonly LedgerBatch[], most: number): NamedLink[] {
  let rows = 0;
  return links.map(withNames).filter(({ names }, i) => {
    rows += names.length;
    return i === 0 || rows <= most;
  });
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
