import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { addLeaves, emptyTree, rootOf } from './merkle.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The definition of RFC 6962, section 2.1. */
function definedRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return hash('sha256', '', 'hex');
  if (leaves.length === 1) return hash('sha256', Buffer.concat([bytes('00'), Buffer.from(leaves[0] ?? '')]), 'hex');
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  const [left, right] = [definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half))];
  return hash('sha256', Buffer.concat([bytes('01'), bytes(left), bytes(right)]), 'hex');
}

const leavesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `leaf ${i}`);

test('the root is that of the definition, for every number of leaves up to 70', () => {
  for (let count = 0; count <= 70; count += 1)
    expect(rootOf(addLeaves(emptyTree, leavesOf(count))), `${count}`).toBe(definedRoot(leavesOf(count)));
});

test('leaves may come in any number of parts', () => {
  const leaves = leavesOf(37);
  for (let first = 0; first <= 37; first += 1) {
    const begun = addLeaves(emptyTree, leaves.slice(0, first));
    const read = JSON.parse(JSON.stringify(begun));
    expect(rootOf(addLeaves(read, leaves.slice(first)))).toBe(definedRoot(leaves));
  }
});

test('a changed, missing, added or exchanged leaf gives another root', () => {
  const leaves = leavesOf(9);
  const roots = new Set([definedRoot(leaves)]);
  const changes = leaves.flatMap((_, i) => [
    leaves.with(i, 'another'),
    leaves.toSpliced(i, 1),
    leaves.toSpliced(i, 0, 'another'),
    ...(i > 0 ? [leaves.with(i, leaves[i - 1] ?? '').with(i - 1, leaves[i] ?? '')] : []),
  ]);
  for (const changed of changes) roots.add(rootOf(addLeaves(emptyTree, changed)));
  expect(roots.size).toBe(1 + changes.length);
});

test('a subtree does not pass for a leaf', () => {
  const [a, b] = leavesOf(2);
  const pair = rootOf(addLeaves(emptyTree, [a ?? '', b ?? '']));
  expect(rootOf(addLeaves(emptyTree, [pair]))).not.toBe(pair);
});

test('the stored part stays small', () => {
  expect(addLeaves(emptyTree, leavesOf(5_000)).roots.length).toBeLessThanOrEqual(13);
});
