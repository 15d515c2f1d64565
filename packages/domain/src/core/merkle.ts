import { hash } from 'node:crypto';

/**
 * A Merkle tree (RFC 6962, with SHA-256) whose leaves come one after the other: how many came, and the roots of its
 * complete subtrees, the largest first. Its size grows with the logarithm of the leaves, so a long walk can store it.
 */
export interface MerkleTree {
  readonly leaves: number;
  readonly roots: readonly string[];
}

export const emptyTree: MerkleTree = { leaves: 0, roots: [] };

/** Adds leaves at the end. Each is the text of a link's hash. */
export function addLeaves(tree: MerkleTree, texts: readonly string[]): MerkleTree {
  const roots = [...tree.roots];
  let { leaves } = tree;
  for (const text of texts) {
    roots.push(hash('sha256', `\0${text}`, 'hex'));
    leaves += 1;
    // As many subtrees are complete as the number of leaves has zeros at its end.
    for (let size = leaves; size % 2 === 0; size /= 2) {
      const right = roots.pop() ?? '';
      roots.push(nodeHash(roots.pop() ?? '', right));
    }
  }
  return { leaves, roots };
}

/** The root: no two different lists of leaves have the same. */
export function rootOf({ roots }: MerkleTree): string {
  const last = roots.at(-1);
  if (last === undefined) return hash('sha256', '', 'hex');
  return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

function nodeHash(left: string, right: string): string {
  return hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');
}
