import type { PoolClient } from 'pg';
import { addLeaves } from '../../core/merkle.ts';
import type { OrderRef } from '../../core/order.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { checkCoverage, rowsOfOrders } from '../chain-coverage.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import { checkOrders } from '../order-rules.ts';
import { type BoundedPosition, boundsOf } from '../position.ts';
import { type LedgerPage, readPages } from '../read-pages.ts';
import { settlementEntryRules } from '../settlement-rules.ts';
import type { Read } from '../snapshot.ts';
import { transferRules } from '../transfer-rules.ts';
import { askRules, type Violation } from '../violation.ts';
import { type Candidate, hasOpenFindings, nextCandidates } from './candidates.ts';
import { makeSeal } from './make-seal.ts';
import { endsOfPeriods } from './period-ends.ts';
import { type PeriodWalk, periodFor, repeated, stateOf, walkAfter } from './period-walk.ts';
import type { SealKeys } from './seal-keys.ts';
import type { StoredSeal } from './stored-seals.ts';

/** How far the merchants were asked for new rows, and those of them that have more. */
export interface ExtendPosition {
  after: string;
  left: string[];
}

export interface ExtendStep {
  /** Null when every merchant's rows were read. */
  next: ExtendPosition | null;
  violations: Violation[];
  /** Saved in the transaction of the step. */
  walks: Map<string, PeriodWalk>;
  seals: StoredSeal[];
}

const size = { rows: 2_000, links: { links: 1_000, rows: 6_000 } };

/**
 * Reads the rows that are new since the last run, by all rules, and adds their links to the tree of their period. A period
 * that is over and was read to its end is sealed.
 */
export async function extendStep(
  read: Read,
  { database: { orm } }: DatabaseAccess,
  { position, keys, now }: { position: ExtendPosition; keys: SealKeys; now: number },
): Promise<ExtendStep> {
  const { candidates, after, left: waiting, isAll, ...next } = await nextCandidates(read, { ...position, keys, now });
  const walking = await walkingOf(read, candidates, now);
  const positions = walking.map((one) => one.position);
  const pages = await readPages(read, ledgerSqlOf(orm), positions, size);
  const violations = await checkPages(read, positions, pages);
  const walks = new Map<string, PeriodWalk>();
  const seals: StoredSeal[] = [];
  const left = [...waiting];
  for (const [i, { walk: before, isSealable }] of walking.entries()) {
    const page = pages[i];
    if (!page) continue;
    const { merchantId } = before.from;
    const isFaulty = violations.some((violation) => violation.merchantId === merchantId);
    const walk = extended(before, page, isFaulty);
    walks.set(merchantId, walk);
    // The findings of this step are stored when it ends. So the next step sees them.
    if (!page.isEnd || (isSealable && isFaulty)) left.push(merchantId);
    else if (isSealable) {
      if (walk.isFaulty && (await hasOpenFindings(read, merchantId))) continue;
      left.push(merchantId);
      if (walk.isFaulty && !walk.isRepeat) walks.set(merchantId, repeated(walk));
      else {
        const seal = makeSeal(walk, keys);
        seals.push(seal.stored);
        walks.set(merchantId, walkAfter({ content: seal.content, text: seal.stored.content }));
      }
    }
  }
  const isLast = isAll && left.length === 0;
  return { next: isLast ? null : { after, left }, violations: [...next.violations, ...violations], walks, seals };
}

/** The rules of new rows, on these pages. */
async function checkPages(
  read: Read,
  positions: readonly BoundedPosition[],
  pages: readonly LedgerPage[],
): Promise<Violation[]> {
  const rules = { ...transferRules, ...settlementEntryRules };
  const refsOf = (numbersOf: (page: LedgerPage) => readonly string[]): OrderRef[] =>
    pages.flatMap((page) =>
      [...new Set(numbersOf(page))].map((orderNo) => ({ merchantId: page.position.merchantId, orderNo })),
    );
  const refs = refsOf(({ named, linked }) => [...named, ...linked]);
  const covered = [...refs, ...refsOf(({ unmatched }) => unmatched)];
  const { violations } = await checkOrders(read, refs);
  return [
    ...pages.flatMap((page) => page.violations),
    ...(await askRules(read, rules, [JSON.stringify(positions), size.rows])),
    ...violations,
    ...(await checkCoverage(read, await rowsOfOrders(read, covered))),
  ];
}

function extended(walk: PeriodWalk, page: LedgerPage, isFaulty: boolean): PeriodWalk {
  const tree = addLeaves(walk.tree, page.hashes);
  return { ...walk, at: page.position, tree, isFaulty: walk.isFaulty || isFaulty };
}

/** A merchant whose next rows are read in this step. */
interface Walking {
  walk: PeriodWalk;
  position: BoundedPosition;
  isSealable: boolean;
}

/**
 * The candidates that have rows to read or a period to seal, with the end of that period: none yet for the current
 * month. The end of a period that may be sealed is kept in its walk, because it is known from then on.
 */
async function walkingOf(read: Read, candidates: readonly Candidate[], now: number): Promise<Walking[]> {
  const found = candidates.flatMap(({ walk, firstAt, last }) => {
    const period = walk.period ?? (firstAt === null ? null : periodFor(walk, Math.min(firstAt, now)));
    return period === null ? [] : [{ walk: { ...walk, period }, period, last, state: stateOf(period, now) }];
  });
  const over = found.filter(({ state, walk }) => state !== 'current' && walk.until === null);
  const ends = await endsOfPeriods(
    read,
    new Map(over.map(({ walk, period, last }) => [walk.from.merchantId, { period, from: walk.at, last }])),
  );
  return found.map(({ walk, state }) => {
    const until = walk.until ?? ends.get(walk.from.merchantId) ?? null;
    const isSealable = state === 'sealable';
    const position = until === null ? walk.at : { ...walk.at, ...boundsOf(until) };
    return { walk: { ...walk, until: isSealable ? until : null }, position, isSealable };
  });
}

/** Keeps the walks and seals of a step, in its transaction. */
export async function saveWalks(
  client: PoolClient,
  { walks, seals }: Pick<ExtendStep, 'walks' | 'seals'>,
): Promise<void> {
  if (seals.length > 0) await client.query(insertSealsSql, [JSON.stringify(seals)]);
  const rows = [...walks].map(([merchantId, walk]) => ({ merchantId, walk }));
  if (rows.length > 0) await client.query(saveWalksSql, [JSON.stringify(rows)]);
}

// Where a walk was changed by hand, its number or month may have a seal. The next list of seals shows it.
const insertSealsSql = `insert into period_seal (merchant_id, seal_no, period, rows, content, key_id, signature)
  select s."merchantId", s."sealNo", s.period, s.rows, s.content, s."keyId", s.signature from json_to_recordset($1::json)
    as s("merchantId" text, "sealNo" integer, period text, rows bigint, content text, "keyId" text, signature text)
  on conflict do nothing`;

const saveWalksSql = `insert into period_walk as w (merchant_id, walk)
  select r."merchantId", r.walk from json_to_recordset($1::json) as r("merchantId" text, walk jsonb)
  on conflict (merchant_id) do update set walk = excluded.walk, walked_at = clock_timestamp()`;
