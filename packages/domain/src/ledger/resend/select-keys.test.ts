import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AttemptResult,
  claimNotification,
  type NotificationClaim,
  recordAttempt,
} from '../../notifications/deliver-notification.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aNotification } from '../../testing/notifications.ts';
import { by } from '../../testing/payouts.ts';
import { resendNotifications } from '../resend-notifications.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const failure: AttemptResult = {
  startedAt: Date.now(),
  durationMs: 12,
  address: null,
  httpStatus: 500,
  reply: 'no',
  error: 'status',
  acknowledged: false,
};

test('the wallet of the merchant is not locked while notifications are selected', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  const claim = await claimNotification(domain, await aNotification(domain, merchantId));
  await recordAttempt(domain, claim as NotificationClaim, failure);
  const { pool } = domain.database;
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table notification_attempt in access exclusive mode');
    const range = {
      from: Date.now() - 3_600_000,
      to: Date.now() + 3_600_000,
      states: ['pending'],
      errors: ['status'],
    } as const;
    const resent = resendNotifications(domain, { merchantId, requestKey: 'R' }, range, by('alice'));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%notification_attempt%'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await pool.query('select from wallet where merchant_id = $1 for update nowait', [merchantId]);
    await holder.query('rollback');
    expect(await resent).toEqual({ ok: true, value: { matched: 1, resent: 1, repeated: false } });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});
