import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { checkLists } from './seals/check-lists.ts';
import type { Chosen } from './seals/choose-seals.ts';
import { fillWalks } from './seals/fill-walks.ts';
import { type SealFiles, sealFilesIn } from './seals/seal-files.ts';
import { openSealKeys } from './seals/seal-keys.ts';
import { type VerifyWalk, verifyStep } from './seals/verify-seals.ts';
import { inSnapshot } from './snapshot.ts';
import type { Violation } from './violation.ts';

export interface SealsReport {
  /** At most 100. */
  violations: Violation[];
  seals: number;
  rows: number;
}

const violationLimit = 100;
const sealsPerPage = 64;

/**
 * Verifies all seals, or those of one merchant, with their files in `dir` if it is given. It changes nothing. `reported`
 * receives the numbers so far after each step.
 */
export async function verifyAllSeals(
  domain: DatabaseAccess & VaultAccess,
  { merchantId = null, dir }: { merchantId?: string | null; dir?: string | undefined },
  reported: (checked: Omit<SealsReport, 'violations'>) => void = () => undefined,
): Promise<SealsReport> {
  const files = dir === undefined ? null : sealFilesIn(dir);
  const keys = await openSealKeys(domain, { mayMake: false });
  const context = { domain, keys, files };
  const report: SealsReport = { violations: await listViolations(domain, files, merchantId), seals: 0, rows: 0 };
  let after = { merchantId: '', sealNo: 0 };
  let chosen: Chosen[] = [];
  let walks: VerifyWalk[] = [];
  for (;;) {
    if (chosen.length === 0 && walks.length === 0) {
      chosen = await inSnapshot(domain, (read) =>
        read<Chosen>(pageSql, [after.merchantId, after.sealNo, sealsPerPage, merchantId]),
      );
      const last = chosen.at(-1);
      if (!last) return report;
      after = last;
    }
    const { lanes, waiting } = fillWalks(walks, chosen);
    const steps = await Promise.all(lanes.map((lane) => verifyStep(context, lane)));
    chosen = waiting;
    walks = steps.flatMap(({ left }) => left);
    const found = steps.flatMap(({ violations }) => violations);
    report.violations.push(...found.slice(0, violationLimit - report.violations.length));
    report.seals += steps.reduce((sum, { ended }) => sum + ended.length, 0);
    report.rows += steps.reduce((sum, { rows }) => sum + rows, 0);
    reported({ seals: report.seals, rows: report.rows });
  }
}

async function listViolations(
  domain: DatabaseAccess,
  files: SealFiles | null,
  merchantId: string | null,
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after;
    const step = await checkLists(domain, files, from);
    found.push(...(step.violations.length > 0 ? await foundAgain(domain, files, from, step.violations) : []));
    after = step.next;
  }
  return found.filter((one) => merchantId === null || one.merchantId === merchantId).slice(0, violationLimit);
}

/**
 * The worker may make a seal between the reading of the database and of the folder. A second reading does not find such
 * a difference.
 */
async function foundAgain(
  domain: DatabaseAccess,
  files: SealFiles | null,
  from: string,
  before: readonly Violation[],
): Promise<Violation[]> {
  const { violations } = await checkLists(domain, files, from);
  const keyOf = ({ merchantId, subject }: Violation): string => JSON.stringify([merchantId, subject]);
  const again = new Set(violations.map(keyOf));
  return before.filter((violation) => again.has(keyOf(violation)));
}

const pageSql = `select merchant_id as "merchantId", seal_no as "sealNo", period, rows::float8 as rows from period_seal
  where (merchant_id, seal_no) > ($1, $2::integer) and ($4::text is null or merchant_id = $4) order by merchant_id, seal_no limit $3`;
