import { emptyTree, type MerkleTree, rootOf } from '../../core/merkle.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import { type BoundedPosition, boundsOf, type Position, startOf } from '../position.ts';
import { inSnapshot, type Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { type ReadPart, type ReadSealedRows, readSealedRows, type SealedPart } from './read-sealed-rows.ts';
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
  tree: MerkleTree;
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
  /** Reads the rows of seals. By default, this thread reads them. */
  readRows?: ReadSealedRows | undefined;
}

export function beginWalk({ merchantId, sealNo, period }: SealRef): VerifyWalk {
  return { merchantId, sealNo, period, at: null, tree: emptyTree };
}

/** The seals of a step that are read, and what is known of the others. */
interface BegunStep extends VerifyStep {
  reading: { walk: VerifyWalk; content: PositionSeal }[];
}

/**
 * Reads the next rows of these seals, each of another merchant. At its end a seal is compared with what its rows give
 * now. Its signature, its predecessor and its file are checked at its beginning. The service never changes
 * seals or their rows, so they may be read in two snapshots.
 */
export async function verifyStep(context: VerifyContext, walks: readonly VerifyWalk[]): Promise<VerifyStep> {
  const { domain, files, keys, readRows = (parts) => readInThisThread(domain, parts) } = context;
  const { reading, ...step } = await inSnapshot(domain, (read) => beginStep(read, keys, walks));
  const parts = await readRows(reading.map(({ walk, content }) => ({ from: bounded(walk, content), tree: walk.tree })));
  for (const [i, { walk, content }] of reading.entries()) {
    const part = parts[i];
    if (!part) throw new Error(`the rows of seal ${walk.sealNo} of ${walk.merchantId} were not read`);
    step.rows += part.rows;
    step.violations.push(...part.violations);
    const next = { ...walk, at: part.at, tree: part.tree };
    if (!part.isEnd) step.left.push(next);
    else {
      step.ended.push(walk);
      step.violations.push(...compare(next, content));
    }
  }
  if (files) step.violations.push(...(await checkFiles(files, keys, step.begun)));
  return step;
}

function readInThisThread({ database }: DatabaseAccess, parts: readonly SealedPart[]): Promise<ReadPart[]> {
  return inSnapshot({ database }, (read) => readSealedRows(read, ledgerSqlOf(database.orm), parts));
}

/** Reads the seals, and checks those that are begun. */
async function beginStep(read: Read, keys: SealKeys, walks: readonly VerifyWalk[]): Promise<BegunStep> {
  const step: BegunStep = { left: [], ended: [], violations: [], rows: 0, begun: [], reading: [] };
  const stored = new Map((await readSeals(read, walks)).map((seal) => [seal.merchantId, seal]));
  for (const walk of walks) {
    const seal = stored.get(walk.merchantId);
    // A seal that was deleted meanwhile is found by its missing number.
    const found = seal && readSeal(seal, keys);
    if (seal && found && 'content' in found) {
      step.reading.push({ walk, content: found.content });
      if (walk.at === null) {
        step.begun.push(seal);
        step.violations.push(...(await checkPrevious(read, seal, found.content)));
      }
    } else step.ended.push(walk);
    if (found && 'violation' in found) step.violations.push(found.violation);
  }
  return step;
}

function bounded({ at }: VerifyWalk, { from, to }: PositionSeal): BoundedPosition {
  return { ...(at ?? from), ...boundsOf(to) };
}

function compare({ tree, ...ref }: VerifyWalk, { links }: PositionSeal): Violation[] {
  return rootOf(tree) === links ? [] : [violationOf('rows', ref, 'its links or their rows are other than sealed')];
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
