import { type LedgerEnd, rowsBetween } from '../../core/period-seal.ts';
import type { Read } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { firstWalk, type PeriodWalk, stateOf, walkAfter } from './period-walk.ts';
import type { SealKeys } from './seal-keys.ts';
import { readSeal, type StoredSeal, sealRules } from './stored-seals.ts';

/** A merchant with rows that are in no seal yet. */
export interface Candidate {
  merchantId: string;
  walk: PeriodWalk;
  /** The time of the first row that was not read, in Unix ms; null if all were. */
  firstAt: number | null;
  /** The last rows that the wallet knows. */
  last: LedgerEnd;
  unread: number;
}

const merchantsPerPage = 500;
/**
 * The number of merchants of one step, and of their rows. A step has at least one merchant, however many rows it has.
 */
const merchantsPerStep = 50;
const rowsPerStep = 6_000;

interface NextCandidates {
  candidates: Candidate[];
  after: string;
  left: string[];
  isAll: boolean;
  violations: Violation[];
}

/** The next merchants with new rows, or with a period that may be sealed: as many as fill a step. */
export async function nextCandidates(
  read: Read,
  { after, left, now, keys }: { after: string; left: readonly string[]; now: number; keys: SealKeys },
): Promise<NextCandidates> {
  const isRest = left.length > 0;
  const rows = await read<WalletFacts>(isRest ? leftSql : nextSql, [isRest ? left : after, merchantsPerPage]);
  const candidates: Candidate[] = [];
  const violations: Violation[] = [];
  let sum = 0;
  let reached = isRest ? '' : after;
  for (const row of rows) {
    const found = candidateOf(row, keys);
    if ('violation' in found) violations.push(found.violation);
    else if (isDue(found, now)) {
      const isFull = candidates.length >= merchantsPerStep || (sum > 0 && sum + found.unread > rowsPerStep);
      if (isFull) break;
      candidates.push(found);
      sum += found.unread;
    }
    reached = row.merchantId;
  }
  const waiting = rows.filter(({ merchantId }) => merchantId > reached).map(({ merchantId }) => merchantId);
  const firsts = await firstTimes(read, candidates);
  for (const candidate of candidates) candidate.firstAt = firsts.get(candidate.merchantId) ?? null;
  // Rows that were read but not reached are read again later.
  const isAll = !isRest && waiting.length === 0 && rows.length < merchantsPerPage;
  return { candidates, after: isRest ? after : reached, left: isRest ? waiting : [], isAll, violations };
}

function isDue({ walk, unread }: Candidate, now: number): boolean {
  return unread > 0 || (walk.period !== null && stateOf(walk.period, now) === 'sealable');
}

interface WalletFacts extends LedgerEnd {
  merchantId: string;
  walk: PeriodWalk | null;
  lastSeal: StoredSeal | null;
}

/**
 * The stored reading position (walk), if it continues after the last seal; otherwise one that begins there. After a
 * seal that is not genuine nothing is read, until the seal is repaired.
 */
function candidateOf(
  { merchantId, walk: stored, lastSeal, ...last }: WalletFacts,
  keys: SealKeys,
): Candidate | { violation: Violation } {
  const candidate = (walk: PeriodWalk): Candidate => {
    return { merchantId, walk, firstAt: null, last, unread: rowsBetween(walk.at, last) };
  };
  // Reading also continues after a missing seal. The missing seal is found by its number.
  if (stored !== null && stored.sealNo > (lastSeal?.sealNo ?? 0)) return candidate(stored);
  if (lastSeal === null) return candidate(firstWalk(merchantId));
  const found = readSeal(lastSeal, keys);
  if ('violation' in found) return found;
  return candidate(walkAfter({ content: found.content, text: lastSeal.content }));
}

async function firstTimes(read: Read, candidates: readonly Candidate[]): Promise<Map<string, number | null>> {
  const without = candidates.filter(({ walk }) => walk.period === null);
  if (without.length === 0) return new Map();
  const found = await read<{ merchantId: string; at: number | null }>(firstSql, [
    JSON.stringify(without.map(({ walk }) => walk.at)),
  ]);
  return new Map(found.map(({ merchantId, at }) => [merchantId, at]));
}

/** Whether a rule other than those of seals has an open finding of this merchant. */
export async function hasOpenFindings(read: Read, merchantId: string): Promise<boolean> {
  const values = [merchantId, Object.values(sealRules)];
  return (await read(openSql, values)).length > 0;
}

const lastSealSql = `select json_build_object('merchantId', s.merchant_id, 'sealNo', s.seal_no, 'period', s.period, 'rows', s.rows,
    'content', s.content, 'keyId', s.key_id, 'signature', s.signature, 'isFiled', s.filed_at is not null) as seal
  from period_seal s where s.merchant_id = w.merchant_id order by s.seal_no desc limit 1`;
const factsSql = (where: string): string => `select w.merchant_id as "merchantId", p.walk, s.seal as "lastSeal",
    w.last_entry_no::float8 as "entryNo", w.last_transfer_no::float8 as "transferNo", w.last_audit_no::float8 as "auditNo",
    w.last_batch_no::float8 as "batchNo"
  from wallet w left join lateral (select walk from period_walk p where p.merchant_id = w.merchant_id offset 0) p on true
  left join lateral (${lastSealSql}) s on true
  where ${where} order by w.merchant_id limit $2`;
const nextSql = factsSql('w.merchant_id > $1');
const leftSql = factsSql('w.merchant_id = any($1::text[])');

const firstOf = (table: string, no: string, at: string, position: string): string =>
  `(select date_part('epoch', t.${at}) * 1000 from ${table} t where t.merchant_id = p."merchantId" and t.${no} > p."${position}" order by t.${no} limit 1)`;
const firstSql = `select p."merchantId", round(least(${firstOf('wallet_entry', 'entry_no', 'created_at', 'entryNo')},
    ${firstOf('transfer', 'transfer_no', 'created_at', 'transferNo')}, ${firstOf('audit_record', 'audit_no', 'at', 'auditNo')},
    ${firstOf('ledger_batch', 'batch_no', 'at', 'batchNo')})) as at
  from json_to_recordset($1::json) as p("merchantId" text, "entryNo" bigint, "transferNo" bigint, "auditNo" bigint, "batchNo" bigint)`;

const openSql = `select 1 from audit_finding where merchant_id = $1 and state = 'open' and rule <> all($2::text[]) limit 1`;
