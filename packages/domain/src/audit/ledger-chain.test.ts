import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTamperedLedger, type TamperedLedger } from '../../test/tampered-ledger.ts';
import { placePayin } from '../testing/payins.ts';
import { auditNew } from './audit-new.ts';
import { auditWhole } from './audit-whole.ts';
import { openFindings } from './open-findings.ts';

const minute = 60_000;
let ledger: TamperedLedger;
let th: string;

beforeEach(async () => {
  ledger = await openTamperedLedger();
  th = ledger.merchants[0] ?? '';
});
afterEach(() => ledger.close());

async function auditAll(): Promise<string[]> {
  await auditNew(ledger.domain, minute);
  await ledger.byHand("update audit_run set finished_at = null where run = 'whole'");
  expect(await auditWhole(ledger.domain, minute)).toBe('finished');
  return (await openFindings(ledger.domain, 100)).map(({ rule, subject }) => `${rule}: ${subject}`);
}

const copied = (table: string, changes: string, where: string): string =>
  `insert into ${table} select (jsonb_populate_record(t, '${changes}')).* from ${table} t where ${where} limit 1`;
test('an order that was inserted by hand is found at a merchant whose rows are in the chain', async () => {
  await placePayin(ledger.domain, th, 'TH', { merchantOrderNo: 'real' });
  const restore = await ledger.tamper(
    'orders',
    copied('orders', '{"order_no": "PI0NEW", "merchant_order_no": "new"}', "merchant_order_no = 'real'"),
  );
  expect(await auditAll()).toContain('every row is in the ledger batch that it names: o:PI0NEW');
  await restore();
});
