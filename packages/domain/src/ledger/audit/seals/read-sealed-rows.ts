import { addLeaves } from '../../../core/merkle.ts';
import type { LedgerSql } from '../ledger-sql.ts';
import type { BoundedPosition, Position } from '../position.ts';
import { type LedgerPage, readPages } from '../read-pages.ts';
import type { Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { noTrees, type Trees } from './period-walk.ts';

/** Where to read on in the rows of a seal, and the trees over the rows before. */
export interface SealedPart {
  from: BoundedPosition;
  trees: Trees;
}

/** The position after the next rows of a seal, and the trees with them. */
export interface ReadPart {
  at: Position;
  trees: Trees;
  isEnd: boolean;
  rows: number;
  violations: Violation[];
}

/** Reads the next rows of seals in one snapshot. The parts of the answer are in the order of the argument. */
export type ReadSealedRows = (parts: readonly SealedPart[]) => Promise<ReadPart[]>;

const size = { rows: 4_000, links: { links: 2_000, rows: 12_000 }, withoutSums: true } as const;

/** Reads the next rows of these seals, each of another merchant, and adds their hashes to the trees. */
export async function readSealedRows(read: Read, sql: LedgerSql, parts: readonly SealedPart[]): Promise<ReadPart[]> {
  const pages = await readPages(
    read,
    sql,
    parts.map(({ from }) => from),
    size,
  );
  return pages.map((page, i) => ({
    at: page.position,
    trees: grown(parts[i]?.trees ?? noTrees, page),
    isEnd: page.isEnd,
    rows: page.entries + page.hashes.decisions.length + page.hashes.links.length,
    violations: page.violations,
  }));
}

export function grown(trees: Trees, { hashes }: Pick<LedgerPage, 'hashes'>): Trees {
  return {
    entries: addLeaves(trees.entries, hashes.entries),
    decisions: addLeaves(trees.decisions, hashes.decisions),
    links: addLeaves(trees.links, hashes.links),
  };
}
