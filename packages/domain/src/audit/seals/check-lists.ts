import type { PoolClient } from 'pg';
import type { DatabaseAccess } from '../../database/database.ts';
import { inSnapshot } from '../snapshot.ts';
import type { Violation } from '../violation.ts';
import { nameOfFile, type SealFiles, type SealRef, textOfFile } from './seal-files.ts';
import type { SealKeys } from './seal-keys.ts';
import { otherText, readSeal, type StoredSeal, sealColumns, violationOf } from './stored-seals.ts';

const merchantsPerStep = 200;
const filesPerStep = 64;
/** The number of files that are written at the same time. */
const atOnce = 8;
/** The most violations of one kind that a step reports for a merchant. */
const most = 100;

/**
 * Writes the files of seals that have none yet. Resolves to these seals, to be marked in the database. A seal whose
 * signature is not genuine gets no file. It is found when it is verified. A file with another text stays as it is.
 */
export async function writeFiles(
  domain: DatabaseAccess,
  files: SealFiles,
  keys: SealKeys,
  after: Pick<SealRef, 'merchantId' | 'sealNo'>,
): Promise<{
  written: StoredSeal[];
  violations: Violation[];
  next: Pick<SealRef, 'merchantId' | 'sealNo'> | null;
}> {
  const seals = await inSnapshot(domain, (read) =>
    read<StoredSeal>(unfiledSql, [after.merchantId, after.sealNo, filesPerStep]),
  );
  const genuine = seals.filter((seal) => 'content' in readSeal(seal, keys));
  const written: StoredSeal[] = [];
  const violations: Violation[] = [];
  for (let next = 0; next < genuine.length; next += atOnce) {
    const write = async (seal: StoredSeal) => ({ seal, outcome: await files.write(seal, textOfFile(seal, keys)) });
    for (const { seal, outcome } of await Promise.all(genuine.slice(next, next + atOnce).map(write)))
      if (outcome === 'other') violations.push(otherText(seal));
      else written.push(seal);
  }
  const last = seals.at(-1);
  return { written, violations, next: last && seals.length === filesPerStep ? last : null };
}

export async function saveFiled(client: PoolClient, seals: readonly StoredSeal[]): Promise<void> {
  if (seals.length === 0) return;
  await client.query(filedSql, [seals.map(({ merchantId }) => merchantId), seals.map(({ sealNo }) => sealNo)]);
}

interface MerchantSeals {
  merchantId: string;
  /** The seal that the merchant's next period will have. */
  next: number | null;
  seals: { sealNo: number; period: string; isFiled: boolean }[];
}

/**
 * Checks that the seals of the next merchants are numbered without gaps, up to the beginning of the next period. Each
 * seal must have its file, and there must be no other files.
 */
export async function checkLists(
  domain: DatabaseAccess,
  files: SealFiles | null,
  after: string,
): Promise<{ violations: Violation[]; next: string | null }> {
  const merchants = await inSnapshot(domain, (read) => read<MerchantSeals>(listsSql, [after, merchantsPerStep]));
  const violations: Violation[] = [];
  for (const merchant of merchants) {
    violations.push(...checkNumbers(merchant));
    if (files) violations.push(...(await checkNames(files, merchant)));
  }
  const isLast = merchants.length < merchantsPerStep;
  if (isLast && files) violations.push(...(await checkFolders(domain, files)));
  return { violations, next: isLast ? null : (merchants.at(-1)?.merchantId ?? null) };
}

function checkNumbers({ merchantId, next, seals }: MerchantSeals): Violation[] {
  const violations: Violation[] = [];
  const last = Math.max((next ?? 1) - 1, ...seals.map(({ sealNo }) => sealNo), 0);
  const there = new Set(seals.map(({ sealNo }) => sealNo));
  for (let sealNo = 1; sealNo <= last && violations.length < most; sealNo += 1)
    if (!there.has(sealNo)) violations.push(missing(merchantId, `seal ${sealNo}`, 'it is not in the database'));
  return violations;
}

async function checkNames(files: SealFiles, { merchantId, seals }: MerchantSeals): Promise<Violation[]> {
  const names = new Set(await files.namesOf(merchantId));
  const expected = new Set(seals.map(nameOfFile));
  const lost = seals.filter((seal) => seal.isFiled && !names.has(nameOfFile(seal))).slice(0, most);
  const unknown = [...names].filter((name) => !expected.has(name)).slice(0, most);
  return [
    ...lost.map((seal) => violationOf('files', { merchantId, ...seal }, 'its file is missing')),
    ...unknown.map((name) => missing(merchantId, `file ${name}`, 'the database has no seal of this file')),
  ];
}

/** Folders of merchants of which the database has neither a seal nor a walk. */
async function checkFolders(domain: DatabaseAccess, files: SealFiles): Promise<Violation[]> {
  const folders = await files.merchants();
  const known = await inSnapshot(domain, (read) => read<{ merchantId: string }>(knownSql, [folders]));
  const there = new Set(known.map(({ merchantId }) => merchantId));
  return folders
    .filter((merchantId) => !there.has(merchantId))
    .slice(0, most)
    .map((merchantId) => missing(merchantId, 'files', 'the database has no seals of this merchant'));
}

function missing(merchantId: string, subject: string, detail: string): Violation {
  return { ...violationOf('missing', { merchantId, sealNo: 0, period: '' }, detail), subject };
}

const unfiledSql = `select ${sealColumns} from period_seal s
  where (s.merchant_id, s.seal_no) > ($1, $2::integer) and s.filed_at is null order by s.merchant_id, s.seal_no limit $3`;

const filedSql = `update period_seal s set filed_at = clock_timestamp() from unnest($1::text[], $2::integer[]) as k(m, n)
  where s.merchant_id = k.m and s.seal_no = k.n and s.filed_at is null`;

const listsSql = `select k.m as "merchantId", (select (w.walk->>'sealNo')::integer from period_walk w where w.merchant_id = k.m) as next,
    coalesce((select json_agg(json_build_object('sealNo', s.seal_no, 'period', s.period, 'isFiled', s.filed_at is not null) order by s.seal_no)
      from period_seal s where s.merchant_id = k.m), '[]') as seals
  from (select merchant_id as m from period_walk where merchant_id > $1 union select merchant_id from period_seal where merchant_id > $1
    order by 1 limit $2) as k order by 1`;

const knownSql = `select distinct merchant_id as "merchantId" from (
  select merchant_id from period_seal where merchant_id = any($1::text[])
  union select merchant_id from period_walk where merchant_id = any($1::text[])) as t`;
