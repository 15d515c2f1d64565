import { createTestDatabase } from '@tidegate/sandbox/testing';
import { openTestDomain, type TestDomain } from './open-test-domain.ts';
import { aReport, paid, placePayin } from './payins.ts';
import { aFundedMerchant, placePayout } from './payouts.ts';

/**
 * A domain with three merchants that have three rows of everything: one in India, two in Pakistan, one of them on the
 * task market.
 */
export interface ThreeMerchants extends TestDomain {
  india: string;
  market: string;
  pakistan: string;
}

export async function openThreeMerchants(): Promise<ThreeMerchants> {
  // Every payout counts as stuck at once.
  const fixture = await openTestDomain((await createTestDatabase()).url, { scheduleScale: 1e-9 });
  const { domain } = fixture;
  const { merchantId: india } = await aFundedMerchant(domain, 'IN');
  const { merchantId: market } = await aFundedMerchant(domain, 'PK', '10000.00', 'market');
  const { merchantId: pakistan } = await aFundedMerchant(domain, 'PK');
  for (const [merchantId, country] of [
    [india, 'IN'],
    [market, 'PK'],
    [pakistan, 'PK'],
  ] as const) {
    for (let n = 0; n < 3; n += 1) {
      const order = await placePayin(domain, merchantId, country);
      await domain.commit(aReport(order, paid(`P${n}`)));
      await domain.commit(aReport(order, paid(`D${n}`)));
      await placePayout(domain, merchantId, country, merchantId === market ? { mode: 'market' } : {});
    }
    // Afterwards, because a finding stops payouts. The stops are released below, as by two operators.
    for (let n = 0; n < 3; n += 1) await addApprovalAndFinding(fixture, merchantId, n);
  }
  await addApprovalAndFinding(fixture, 'PLATFORM', 9);
  await domain.database.pool.query('update payout_stop set released_at = clock_timestamp()');
  return { ...fixture, india, market, pakistan };
}

/** The first of a merchant's approvals has expired. */
async function addApprovalAndFinding({ domain }: TestDomain, merchantId: string, n: number): Promise<void> {
  const { pool } = domain.database;
  await pool.query(
    `insert into approval (merchant_id, approval_id, operation, subject, input, asked_by, reason, asked_at, expires_at)
     values ($1, $2, 'adjust', 'x', '{"amount": "1.00"}', 'anna', 'a test', now() - interval '1 day', now() + ($3 - 0.5) * interval '1 hour')`,
    [merchantId, `AP${merchantId}${n}`, n],
  );
  await pool.query(
    `insert into audit_finding (merchant_id, rule, subject, detail) values ($1, 'a rule', $2, 'wrong')`,
    [merchantId, `order ${n}`],
  );
}
