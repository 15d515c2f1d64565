import { addLeaves, type MerkleTree } from '../../core/merkle.ts';
import { checkBatches } from '../check-batches.ts';
import type { LedgerSql } from '../ledger-sql.ts';
import type { BoundedPosition, Position } from '../position.ts';
import type { Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';

/** Where to read on in the links of a seal, and the tree over the links before. */
export interface SealedPart {
  from: BoundedPosition;
  tree: MerkleTree;
}

/** The position after the next links of a seal, and the tree with them. */
export interface ReadPart {
  at: Position;
  tree: MerkleTree;
  isEnd: boolean;
  rows: number;
  violations: Violation[];
}

/** Reads the next links of seals with their rows, in one snapshot. The parts of the answer are in the order of the argument. */
export type ReadSealedRows = (parts: readonly SealedPart[]) => Promise<ReadPart[]>;

const size = { links: 2_000, rows: 12_000 };

/** Reads the next links of these seals, each of another merchant, with the rows that they cover, and adds their hashes to the trees. */
export async function readSealedRows(read: Read, sql: LedgerSql, parts: readonly SealedPart[]): Promise<ReadPart[]> {
  const positions = parts.map(({ from }) => from);
  const checks = await checkBatches(read, sql, positions, size);
  return parts.flatMap(({ from, tree }) => {
    const check = checks.get(from.merchantId);
    if (!check) return [];
    const { end, hashes, isEnd, rows, violations } = check;
    return [{ at: { ...from, ...end }, tree: addLeaves(tree, hashes), isEnd, rows, violations }];
  });
}
