import type { Country } from '@tidegate/domain';
import { setChannel } from '@tidegate/domain/admin';
import type { ChannelOrder } from '@tidegate/domain/channels';
import { listReconciliationDays, unrestricted } from '@tidegate/domain/lists';
import {
  aMerchant,
  backdateLedger,
  dayAgo,
  makeDue,
  openTestDomain,
  orderNow,
  placePayin,
  reconcileAll,
  type TestDomain,
} from '@tidegate/domain/testing';
import { pollOrder, submitOrder } from '@tidegate/domain/worker';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { openStatementThreads } from '@tidegate/statements/threads';
import { adaptersFor } from '@tidegate/upstream';
import { fakes } from '@tidegate/upstream/fakes';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setReconciliation } from '../../../domain/src/reconciliation/days/set-reconciliation.ts';
import { type OpenedFake, openFake } from '../../../upstream/src/alipay/testing/open-fake.ts';
import { setControl } from '../../../upstream/src/testing/loopback.ts';
import { fetch } from './fetch.ts';
import type { JobContext } from './job.ts';

// Statements are fetched from fakes of the providers, over HTTP, and imported as uploaded ones are.

const limiter = { take: async () => true };
const twoDays = 48 * 3_600;
const threads = openStatementThreads();
afterAll(threads.close);
let fixture: TestDomain;
beforeEach(async () => {
  const adapters = adaptersFor({ environment: 'sandbox', allowCidrs: ['127.0.0.0/8'], limiter });
  const options = { adapters, statementFormats: threads.formats };
  fixture = await openTestDomain((await createTestDatabase()).url, options);
});
afterEach(() => fixture.close());

const run = () => fetch({ domain: fixture.domain, ending: new AbortController().signal } as JobContext, {});
async function runAll(): Promise<void> {
  while ((await run()) === 'found') await reconcileAll(fixture.domain);
}
const rows = async (text: string) => (await fixture.domain.database.pool.query({ text, rowMode: 'array' })).rows;
/** Lets everything be tried again now. */
const retry = async () => {
  await rows("update statement_fetch set next_at = clock_timestamp() where state = 'due'");
  await runAll();
};
const stateOf = (day: string) => rows(`select state, outcome, attempts from statement_fetch where day = '${day}'`);

/** Two operators set that the channel's statements are fetched from this day on; that of yesterday is there. */
async function fetchFrom(country: Country, channelId: string, format: string, beginsOn: string): Promise<void> {
  const by = { actor: 'ann', approver: 'bob', reason: 'daily' };
  const request = { country, channelId, beginsOn, fetches: true };
  expect(await setReconciliation(fixture.domain, request, by)).toMatchObject({ ok: true });
  await rows(`insert into statement_fetch (merchant_id, channel_id, format, day, state, next_at, give_up_at)
    values ('PLATFORM-${country}', '${channelId}', '${format}', '${dayAgo(country, 1)}', 'fetched', now(), now())`);
}

test('the settlements of Razorpay are fetched after its rate limit is over, and match the ledger', async () => {
  const { domain } = fixture;
  const provider = fakes.find((one) => one.provider === 'razorpay');
  if (!provider) throw new Error('there is no fake of Razorpay');
  const { account, credentials } = provider.makeAccount();
  const fake = await provider.start({ port: 0, account, timeFactor: 0.02 });
  const [channelId, day] = ['razorpay', dayAgo('IN', 2)];
  const channel = { channelId, adapter: 'razorpay', baseUrl: fake.url };
  await setChannel(domain, { ...channel, credentials: { ...credentials, accountNumber: '' } });
  await setControl(fake.url, 'clock', { offsetSeconds: -twoDays });
  const { merchantId } = await aMerchant(domain, 'IN');
  const money = { amount: '80.00', feeAmount: '0.00', netAmount: '80.00' };
  const order = await placePayin(domain, merchantId, 'IN', { channelId, ...money });
  await submitOrder(domain, order);
  await vi.waitFor(
    async () => {
      await makeDue(domain, await orderNow(domain, order));
      await pollOrder(domain, order);
      expect((await orderNow(domain, order)).status).toBe('completed');
    },
    { timeout: 10_000, interval: 50 },
  );
  await backdateLedger(domain, 2);
  await setControl(fake.url, 'clock', { offsetSeconds: 0 });
  await fetchFrom('IN', channelId, 'razorpay-recon', day);
  await setControl(fake.url, 'faults', { fault: 'too_many_requests', path: '/v1/settlements' });
  await reconcileAll(domain);
  await runAll();
  expect(await stateOf(day)).toEqual([['due', 'unknown', 1]]);
  const filter = { from: day, to: day, channelIds: [channelId] };
  const [before] = await listReconciliationDays(domain, unrestricted, filter);
  expect(before).toMatchObject({ isCovered: false, missingStatement: 'razorpay-recon: HTTP 429' });
  await setControl(fake.url, 'faults', { fault: 'truncated', path: '/v1/settlements' });
  await retry();
  expect(await stateOf(day)).toEqual([['due', 'unknown', 2]]);
  expect(await rows('select from statement_file')).toHaveLength(0);
  await retry();
  expect(await stateOf(day)).toEqual([['fetched', null, 3]]);
  const [matched] = await listReconciliationDays(domain, unrestricted, filter);
  expect(matched).toMatchObject({ isCovered: true, missingStatement: null, lines: 1, expectations: 1 });
  const found = await rows("select kind, amount::text from reconciliation_break where state = 'open'");
  expect(found).toEqual([['fee', '-0.24']]);
  await fake.close();
});

test('the bill of Alipay is fetched when it is ready, and an incomplete one is refused and fetched again', async () => {
  const { domain } = fixture;
  const opened: OpenedFake = await openFake();
  const { channel, control } = opened;
  const [channelId, day] = ['alipay', dayAgo('CN', 2)];
  const { credentials } = opened;
  await setChannel(domain, { channelId, adapter: 'alipay', baseUrl: opened.fake.url, credentials });
  await control('clock', { offsetSeconds: -twoDays });
  const order: ChannelOrder = opened.order({ amount: '80.00' });
  await channel.create(order, AbortSignal.timeout(5_000));
  await vi.waitFor(async () => {
    const answer = await channel.query({ ...order, channelRef: order.orderNo }, AbortSignal.timeout(5_000));
    expect(answer.outcome).toBe('paid');
  }, 5_000);
  await fetchFrom('CN', channelId, 'alipay-bill', day);
  await runAll();
  expect(await stateOf(day)).toEqual([['due', 'not_ready', 1]]);
  await control('bills', { isReady: true, fault: 'cut_off' });
  await retry();
  await retry();
  expect(await stateOf(day)).toEqual([['due', 'refused', 3]]);
  expect(await rows('select state from statement_file')).toEqual([['refused']]);
  await control('bills', { isReady: true });
  await retry();
  expect(await stateOf(day)).toEqual([['fetched', null, 4]]);
  const found = await rows("select kind, amount::text from reconciliation_break where state = 'open' order by 1");
  expect(found).toEqual([
    ['fee', '-0.48'],
    ['missing_in_ledger', '80.00'],
  ]);
  await opened.close();
});
