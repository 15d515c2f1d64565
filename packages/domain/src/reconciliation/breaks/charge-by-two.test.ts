import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from '../../approvals/approve.ts';
import { requestOperation } from '../../approvals/request-operation.ts';
import { audit } from '../../audit/audit.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { anOperator } from '../../testing/operators.ts';
import { aReport, paid, placePayin } from '../../testing/payins.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../../testing/statements.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

test('two operators charge money that never came, and both agree to what the wallet pays', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'PK');
  await domain.commit(aReport(await placePayin(domain, merchantId, 'PK'), paid()));
  const line = aLine({ currency: 'PKR', bookedOn: dayAgo('PK', 0), type: 'fee', direction: 'out', gross: '1.00' });
  await anImport(domain, 'PK', [line]);
  await reconcileAll(domain);
  const { rows } = await domain.database.pool.query<{ no: number }>(
    "select break_no::integer as no from reconciliation_break where kind = 'missing_at_channel'",
  );
  const [ann, bob] = [await anOperator(domain, ['finance']), await anOperator(domain, ['finance'])];
  const input = { country: 'PK', breakNo: rows[0]?.no, outcome: 'charged' };
  const requested = await requestOperation(domain, ann, 'resolveBreak', input, 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error('it does not wait');
  expect(requested.approval.effect?.split('\n')).toContain(`wallet of ${merchantId}: available -97.50 (ADJUSTMENT)`);
  expect(await approve(domain, bob, requested.approval.approvalId)).toMatchObject({ ok: true });
  expect(await readWallet(domain, merchantId)).toMatchObject({ available: '0.00' });
  expect((await audit(domain)).violations).toEqual([]);
});
