import { aMerchant } from '@tidegate/domain/testing';
import { connectRedis, openQueue } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { openAdminFixture } from '../test/admin-fixture.ts';

const why = ['--reason', 'a test'];
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

test('confirmed funds wake the worker for the notification; without Redis the notification stays due', async () => {
  const fixture = await openAdminFixture();
  const redisStore = await createTestRedis();
  const redis = connectRedis(redisStore.url, 'commands', log);
  const notify = openQueue('notify', redis);
  try {
    const { merchantId } = await aMerchant(fixture.domain, 'TH');
    // As two operators, because these commands need an approval.
    const both = { env: { TIDEGATE_APPROVER_TOKEN: fixture.tokens.bob } };
    await fixture.json(['set-channel', 'manual', '--adapter', 'manual', ...why], both);
    const route = ['set-route', merchantId, '1', '--kind', 'payin', '--channel', 'manual', '--mode', 'manual'];
    await fixture.json([...route, ...why], both);
    await fixture.json(['set-merchant', merchantId, '--default-notify-url', 'http://127.0.0.1:9999/n', ...why], both);
    const confirm = async (env: Record<string, string>): Promise<string> => {
      const { orderNo } = await fixture.order(merchantId, 'payin', '100.00');
      await fixture.json(['confirm-funds', orderNo, '--amount', '100', '--reference', `B-${orderNo}`, ...why], { env });
      return orderNo;
    };
    const woken = await confirm({ REDIS_URL: redisStore.url });
    const notWoken = await confirm({ REDIS_URL: 'redis://127.0.0.1:1' });
    const jobs = await notify.getJobs();
    expect(jobs.map((job) => job.data.orderNo)).toEqual([woken]);
    const { rows } = await fixture.domain.database.pool.query<{ orderNo: string }>(
      `select order_no as "orderNo" from notification where state = 'pending' and next_attempt_at <= clock_timestamp() order by created_at`,
    );
    expect(rows.map((row) => row.orderNo)).toEqual([woken, notWoken]);
  } finally {
    await notify.close();
    redis.disconnect();
    await fixture.close();
  }
});
