import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { auditSeals } from '../src/audit/audit-seals.ts';
import { openFindings } from '../src/audit/open-findings.ts';
import { type SealFiles, sealFilesIn } from '../src/audit/seals/seal-files.ts';
import { endOfPeriod, periodOf } from '../src/core/period-seal.ts';
import { byHand } from './by-hand.ts';
import { hashLedgerAgain } from './hash-ledger-again.ts';
import { openTamperedLedger, type TamperedLedger } from './tampered-ledger.ts';

export const minute = 60_000;
export const day = 24 * 60 * minute;
/** The month of the ledger's rows. */
export const month = periodOf(Date.now());
/** A time at which that month is sealed. */
export const sealable = endOfPeriod(month) + day + 1;

interface SealRow {
  merchantId: string;
  sealNo: number;
  period: string;
  content: string;
  isFiled: boolean;
}

/** A tampered ledger, and a folder for the files of its seals. */
export interface SealedLedger extends TamperedLedger {
  /** The first merchant. */
  th: string;
  dir: string;
  files: SealFiles;
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Makes the next run due. */
  makeDue(): Promise<void>;
  /** Changes the last entry of the first merchant, and all hashes that follow from it. */
  rewriteLastEntry(): Promise<void>;
  /** A whole run at a time, by default one at which the month is sealed. */
  seal(now?: number, files?: SealFiles | null): Promise<void>;
  /** The open findings. */
  found(): Promise<string[]>;
  seals(): Promise<SealRow[]>;
}

export async function openSealedLedger(): Promise<SealedLedger> {
  const ledger = await openTamperedLedger();
  const dir = await mkdtemp(join(tmpdir(), 'seals-'));
  const files = sealFilesIn(dir);
  const query = async <Row extends object>(sql: string): Promise<Row[]> =>
    (await ledger.domain.database.pool.query<Row>(sql)).rows;
  const makeDue = () => ledger.byHand("update audit_run set finished_at = null where run = 'sealing'");
  return {
    ...ledger,
    th: ledger.merchants[0] ?? '',
    dir,
    files,
    query,
    makeDue,
    rewriteLastEntry: () =>
      byHand(ledger.domain.database.pool, async (client) => {
        await client.query(rewriteSql, [ledger.merchants[0]]);
        await hashLedgerAgain(client, ledger.domain.database.orm);
      }),
    seal: async (now = sealable, from = files) => {
      await makeDue();
      expect(await auditSeals(ledger.domain, { forMs: minute, files: from, now: () => now })).toBe('finished');
    },
    found: async () => {
      const findings = await openFindings(ledger.domain, 1_000);
      return findings.map(({ rule, subject }) => `${rule}: ${subject}`);
    },
    seals: () =>
      query<SealRow>(
        `select merchant_id as "merchantId", seal_no as "sealNo", period, content, filed_at is not null as "isFiled" from period_seal order by 1, 2`,
      ),
    close: async () => {
      await ledger.close();
      await rm(dir, { recursive: true });
    },
  };
}

const rewriteSql = `update wallet_entry e set remark = 'rewritten' from wallet w
  where w.merchant_id = $1 and e.merchant_id = w.merchant_id and e.entry_no = w.last_entry_no`;
