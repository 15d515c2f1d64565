import { rootOf } from '../../../core/merkle.ts';
import type { DatabaseAccess } from '../../../database/database.ts';
import { type BoundedPosition, boundsOf, type Position, startOf } from '../position.ts';
import { readPages } from '../read-pages.ts';
import { inSnapshot, type Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { grown } from './extend-walks.ts';
import { noTrees, type Trees } from './period-walk.ts';
import { type SealFiles, type SealRef, textOfFile } from './seal-files.ts';
import type { SealKeys } from './seal-keys.ts';
import {
  follows,
  isSameEnd,
  otherText,
  type PositionSeal,
  readSeal,
  readSeals,
  type StoredSeal,
  violationOf,
} from './stored-seals.ts';

/** The progress of comparing a seal with its rows. */
export interface VerifyWalk extends SealRef {
  at: Position | null;
  trees: Trees;
}

export interface VerifyStep {
  /** The walks that have more rows. */
  left: VerifyWalk[];
  ended: SealRef[];
  violations: Violation[];
  rows: number;
  /** The seals whose verification began in this step. */
  begun: StoredSeal[];
}

export interface VerifyContext {
  domain: DatabaseAccess;
  keys: SealKeys;
  /** Null: there are no files to compare. */
  files: SealFiles | null;
}

export function beginWalk({ merchantId, sealNo, period }: SealRef): VerifyWalk {
  return { merchantId, sealNo, period, at: null, trees: noTrees };
}

const size = { rows: 4_000, links: { links: 2_000, rows: 12_000 }, withoutSums: true } as const;

/**
 * Reads the next rows of these seals, each of another merchant, in one snapshot. At its end a seal is compared with what
 * its rows give now. Its signature, its predecessor and its file are checked at its beginning.
 */
export async function verifyStep(context: VerifyContext, walks: readonly VerifyWalk[]): Promise<VerifyStep> {
  const step = await inSnapshot(context.domain, (read) => verifyRows(read, context, walks));
  const { files, keys } = context;
  if (files) step.violations.push(...(await checkFiles(files, keys, step.begun)));
  return step;
}

async function verifyRows(
  read: Read,
  { domain, keys }: VerifyContext,
  walks: readonly VerifyWalk[],
): Promise<VerifyStep> {
  const step: VerifyStep = { left: [], ended: [], violations: [], rows: 0, begun: [] };
  const stored = new Map((await readSeals(read, walks)).map((seal) => [seal.merchantId, seal]));
  const reading: { walk: VerifyWalk; content: PositionSeal }[] = [];
  for (const walk of walks) {
    const seal = stored.get(walk.merchantId);
    // A seal that was deleted meanwhile is found by its missing number.
    const found = seal && readSeal(seal, keys);
    if (seal && found && 'content' in found) {
      reading.push({ walk, content: found.content });
      if (walk.at === null) {
        step.begun.push(seal);
        step.violations.push(...(await checkPrevious(read, seal, found.content)));
      }
    } else step.ended.push(walk);
    if (found && 'violation' in found) step.violations.push(found.violation);
  }
  const pages = await readPages(
    read,
    domain.database.orm,
    reading.map(({ walk, content }) => bounded(walk, content)),
    size,
  );
  for (const [i, { walk, content }] of reading.entries()) {
    const page = pages[i];
    if (!page) continue;
    step.rows += page.entries + page.hashes.decisions.length + page.hashes.links.length;
    step.violations.push(...page.violations);
    const next = { ...walk, at: page.position, trees: grown(walk.trees, page) };
    if (!page.isEnd) step.left.push(next);
    else {
      step.ended.push(walk);
      step.violations.push(...compare(next, content));
    }
  }
  return step;
}

function bounded({ at }: VerifyWalk, { from, to }: PositionSeal): BoundedPosition {
  return { ...(at ?? from), ...boundsOf(to) };
}

function compare({ trees, ...ref }: VerifyWalk, content: PositionSeal): Violation[] {
  const names = ['entries', 'decisions', 'links'] as const;
  const other = names.filter((name) => rootOf(trees[name]) !== content[name]);
  if (other.length === 0) return [];
  const what = { entries: 'wallet entries', decisions: 'audit records', links: 'rows of the ledger chain' };
  return [violationOf('rows', ref, `other than sealed: ${other.map((name) => what[name]).join(', ')}`)];
}

/** Compares the seal with the previous seal. */
async function checkPrevious(read: Read, seal: StoredSeal, content: PositionSeal): Promise<Violation[]> {
  const { merchantId, sealNo } = seal;
  const [previous] = sealNo > 1 ? await readSeals(read, [{ merchantId, sealNo: sealNo - 1 }]) : [];
  const isFirst = sealNo === 1 && isSameEnd(content.from, startOf(merchantId));
  // A missing previous seal is found by its number.
  if (isFirst || (sealNo > 1 && !previous) || (previous && follows(previous, content))) return [];
  return [violationOf('signature', seal, 'it does not follow the seal before it')];
}

async function checkFiles(files: SealFiles, keys: SealKeys, seals: readonly StoredSeal[]): Promise<Violation[]> {
  const check = async (seal: StoredSeal): Promise<Violation[]> => {
    const text = await files.read(seal);
    if (text === textOfFile(seal, keys)) return [];
    return [text === null ? violationOf('files', seal, 'its file is missing') : otherText(seal)];
  };
  return (await Promise.all(seals.filter(({ isFiled }) => isFiled).map(check))).flat();
}
