import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../src/audit/audit.ts';
import { auditNew } from '../src/audit/audit-new.ts';
import { auditWhole } from '../src/audit/audit-whole.ts';
import { openFindings } from '../src/audit/open-findings.ts';
import { openTamperedLedger, type TamperedLedger } from './tampered-ledger.ts';
import { tamperings } from './tamperings.ts';

const minute = 60_000;
/** Every night each change is also undone and made again, after a run that found nothing. */
const isThorough = process.env.TIDEGATE_TEST_DEPTH !== undefined;
const ledgerTables = ['ledger_batch', 'transfer', 'wallet', 'wallet_entry'];

/** The rules that open findings are about; each finding names its merchant and says what is wrong. */
export async function foundIn(ledger: TamperedLedger): Promise<string[]> {
  const findings = await openFindings(ledger.domain, 1_000);
  expect(findings.every(({ merchantId, detail }) => ledger.merchants.includes(merchantId) && detail !== '')).toBe(true);
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** Resets the audit to a state in which nothing was checked. */
export function purgeAudits(ledger: TamperedLedger): Promise<void> {
  return ledger.byHand(
    'delete from audit_finding',
    'delete from audit_checkpoint',
    `update audit_run set finished_at = null, position = case run when 'incremental' then '{"seenUntil": 0}'::jsonb end`,
  );
}

/**
 * The tests that the audit finds each tampering: of the tables with the ledger's amounts, or of all other tables. They are in two files, because
 * files run at the same time.
 */
export function testTamperings({ areOfLedger }: { areOfLedger: boolean }): void {
  let ledger: TamperedLedger;
  beforeAll(async () => {
    ledger = await openTamperedLedger();
  });
  afterAll(() => ledger.close());

  test.each(tamperings.filter(([, table]) => ledgerTables.includes(table) === areOfLedger))(
    '%s: the change is found at once in new rows, and by the next whole run in old rows',
    async (_, table, sql, rules) => {
      await purgeAudits(ledger);
      const restore = await ledger.tamper(table, sql);
      await auditNew(ledger.domain, minute);
      expect(await foundIn(ledger)).toEqual(expect.arrayContaining(rules));
      expect((await audit(ledger.domain)).violations.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
      if (isThorough) {
        await restore();
        await purgeAudits(ledger);
        await auditNew(ledger.domain, minute);
        expect(await foundIn(ledger)).toEqual([]);
        await ledger.tamper(table, sql);
        await auditNew(ledger.domain, minute);
        // Of the old rows only that of a wallet is always checked.
        expect(await foundIn(ledger)).toEqual(table === 'wallet' ? expect.arrayContaining(rules) : []);
      } else await ledger.byHand('delete from audit_finding');
      // All rows are old now.
      await auditWhole(ledger.domain, minute);
      expect(await foundIn(ledger)).toEqual(expect.arrayContaining(rules));
      await restore();
    },
  );
}
