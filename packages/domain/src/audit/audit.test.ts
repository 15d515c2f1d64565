import { afterAll, beforeAll, expect, test } from 'vitest';
import { foundIn, purgeAudits } from '../../test/audit-tampered-ledger.ts';
import { byHand } from '../../test/by-hand.ts';
import { hashLedgerAgain } from '../../test/hash-ledger-again.ts';
import { openTamperedLedger, type TamperedLedger } from '../../test/tampered-ledger.ts';
import { tamperings } from '../../test/tamperings.ts';
import { audit } from './audit.ts';
import { auditNew } from './audit-new.ts';
import { auditRuleNames } from './audit-state.ts';
import { auditWhole } from './audit-whole.ts';

// The audit finds manual changes of the database with the triggers disabled: new rows at once, all others within a day.

const minute = 60_000;
let ledger: TamperedLedger;
beforeAll(async () => {
  ledger = await openTamperedLedger();
});
afterAll(() => ledger.close());

test('a correct ledger has no violations in any of the three audits', async () => {
  const reported: number[] = [];
  const report = await audit(ledger.domain, (checked) => void reported.push(checked.orders));
  expect(report.violations).toEqual([]);
  expect(report.checked).toMatchObject({ wallets: 8, orders: 11, entries: 13, transfers: 25, notifications: 8 });
  expect(reported.at(-1)).toBe(11);
  await purgeAudits(ledger);
  expect(await auditNew(ledger.domain, minute)).toBe('finished');
  expect(await auditWhole(ledger.domain, minute)).toBe('finished');
  expect(await foundIn(ledger)).toEqual([]);
});

test('a balance below zero is found even if the CHECK constraint of the table is missing', async () => {
  await purgeAudits(ledger);
  await ledger.byHand('alter table wallet drop constraint wallet_available_check');
  const restore = await ledger.tamper('wallet', "update wallet set available = -1 where merchant_id like 'TH%'");
  await auditNew(ledger.domain, minute);
  expect(await foundIn(ledger)).toContain('balances are not negative');
  await restore();
});

test('a last entry that was rewritten together with all hashes is found, because the audit stored the old hash', async () => {
  await purgeAudits(ledger);
  await auditNew(ledger.domain, minute);
  const rewrite = (change: string): Promise<void> =>
    byHand(ledger.domain.database.pool, async (client) => {
      await client.query(`update wallet_entry e set ${change} from wallet w
        where w.merchant_id like 'TH-%' and e.merchant_id = w.merchant_id and e.entry_no = w.last_entry_no`);
      await hashLedgerAgain(client, ledger.domain.database.orm);
    });
  await rewrite("remark = 'rewritten'");
  await auditNew(ledger.domain, minute);
  // Of the row itself the incremental run cannot say anything: it begins after it.
  expect(await foundIn(ledger)).toEqual(['what was checked once is still there']);
  await rewrite('remark = null');
});

test('the tests of the audit break every rule once, and restores the ledger afterwards', async () => {
  const broken = new Set(tamperings.flatMap(([, , , rules]) => rules));
  expect(auditRuleNames.filter((rule) => !broken.has(rule)).toSorted()).toEqual([
    'balances are not negative',
    // seals/seals.test.ts
    'files of seals are as the seals in the database',
    'no seal is missing',
    // seals/seals.test.ts
    'sealed rows are as they were sealed',
    'seals have the signature of this service',
    // above
    'what was checked once is still there',
  ]);
  expect((await audit(ledger.domain)).violations).toEqual([]);
});
