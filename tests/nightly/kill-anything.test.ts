import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { openDomain } from '../../packages/domain/src/index.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import { type MerchantClient, merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// kill -9 of any process at any moment, then `npm start` again: every order that was answered with code 0 reaches its
// expected status, is credited once and notified at least once.

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.05, ownStores: true });
}, 180_000);
afterAll(() => sandbox?.stop(), 60_000);

const countries = ['CN', 'TH', 'IN', 'PK'];
const targets = ['worker', 'rest', 'upstream', 'receiver', 'api', 'redis', 'postgres'] as const;

interface Acknowledged {
  country: string;
  merchantOrderNo: string;
  orderNo: string;
  netAmount: string;
}

/** Creates payins without pause until it is stopped; adds those that were answered with code 0 to `kept`, at most 400. */
async function load(name: string, signal: AbortSignal, kept: Acknowledged[] = []): Promise<Acknowledged[]> {
  for (let i = 0; !signal.aborted && kept.length < 400; i++) {
    const country = countries[i % countries.length] ?? 'CN';
    const merchant = sandbox.file.merchants.find((one) => one.country === country);
    const merchantOrderNo = `K-${name}-${i}`;
    const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchant?.merchantNo}`;
    const body = payinRequest[country]?.(merchantOrderNo, `${10 + i}.00`, notifyUrl) ?? {};
    const client = clientOf(country);
    // Requests that fail while a process is down promise nothing.
    const answer = await client.post('/payin/create', body).catch(() => null);
    if (answer?.code === 0 && answer.data)
      kept.push({ country, merchantOrderNo, ...(answer.data as { orderNo: string; netAmount: string }) });
    else await delay(20);
  }
  return kept;
}

function clientOf(country: string): MerchantClient {
  const merchant = sandbox.file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  return merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem);
}

async function checkAll(acknowledged: Acknowledged[]): Promise<void> {
  for (const { country, merchantOrderNo, orderNo } of acknowledged) {
    const client = clientOf(country);
    await waitUntil(
      `${merchantOrderNo} completed`,
      async () => {
        const answer = await client.get('/payin/query', { orderNo });
        return answer.data?.status === 'completed';
      },
      { timeoutMs: 60_000 },
    );
    await waitUntil(
      `${merchantOrderNo} notified`,
      async () => {
        const response = await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${orderNo}`);
        return ((await response.json()) as { verified: boolean }[]).some((one) => one.verified);
      },
      { timeoutMs: 60_000 },
    );
  }
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const options = {
    databaseUrl: sandbox.file.databaseUrl,
    keys: testKeys,
    publicBaseUrl: '',
    adapters: {},
    log: quiet,
  };
  const domain = await openDomain({ ...options, wakeUp: () => undefined });
  try {
    const report = await audit(domain);
    expect(report.violations).toEqual([]);
    const { rows } = await domain.database.pool.query<{ order_no: string; available_change: string }>(
      `select order_no, available_change from wallet_entry where type = 'PAYIN' and order_no = any($1)`,
      [acknowledged.map((one) => one.orderNo)],
    );
    const credited = new Map(rows.map((row) => [row.order_no, row.available_change]));
    expect(rows).toHaveLength(acknowledged.length);
    expect(credited).toEqual(new Map(acknowledged.map((one) => [one.orderNo, one.netAmount])));
  } finally {
    await domain.close();
  }
}

test('every process is killed in turn under load, and no order is lost', { timeout: 300_000 }, async () => {
  const end = new AbortController();
  const acknowledged: Acknowledged[] = [];
  const loads = ['a', 'b', 'c', 'd'].map((name) => load(name, end.signal, acknowledged));
  for (const target of targets) {
    await delay(300 + Math.random() * 400);
    const pid = sandbox.pidOf(target);
    process.kill(pid, 'SIGKILL');
    await waitUntil(`another ${target}`, async () => isBack(target, pid), { timeoutMs: 90_000 });
    const ready = async (): Promise<boolean> =>
      fetch(`${sandbox.file.restUrl}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
    await waitUntil('a ready service', ready, { timeoutMs: 90_000 });
  }
  await waitUntil('more than 50 orders', async () => acknowledged.length > 50, { timeoutMs: 90_000 });
  end.abort();
  await Promise.all(loads);
  await checkAll(acknowledged);
});

function isBack(target: (typeof targets)[number], before: number): boolean {
  try {
    return sandbox.pidOf(target) !== before;
  } catch {
    return false;
  }
}

test('npm start is killed under load and started again, and no order is lost', { timeout: 300_000 }, async () => {
  const end = new AbortController();
  const loads = ['x', 'y'].map((name) => load(name, end.signal));
  await delay(1_000 + Math.random() * 500);
  await sandbox.killSupervisor();
  end.abort();
  const acknowledged = (await Promise.all(loads)).flat();
  expect(acknowledged.length).toBeGreaterThan(5);
  await sandbox.startAgain();
  await checkAll(acknowledged);
});

test('of 200 payouts from a wallet with money for 50 exactly 50 succeed, while the worker is killed repeatedly', {
  timeout: 300_000,
}, async () => {
  const { merchantNo } = sandbox.file.merchants.filter((one) => one.country === 'IN')[1] ?? { merchantNo: '' };
  const privateKeyPem = sandbox.file.merchants.find((one) => one.merchantNo === merchantNo)?.privateKeyPem ?? '';
  const client = merchantClient(sandbox.file.restUrl, merchantNo, privateKeyPem);
  // 1 % + 5.00: of 1000000.00 this payout leaves 10.00 × 50 frozen net of 10.00 each, and less than one more.
  const whole = await client.post('/payout/create', payoutRequest.IN?.('K-WHOLE', '989599.01') ?? {});
  expect(whole).toMatchObject({ code: 0, data: { netAmount: '999500.00' } });
  const creating = Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      client.post('/payout/create', payoutRequest.IN?.(`K-OUT-${i}`, '4.95') ?? {}),
    ),
  );
  for (let i = 0; i < 3; i++) {
    const pid = sandbox.pidOf('worker');
    process.kill(pid, 'SIGKILL');
    await waitUntil('another worker', async () => isBack('worker', pid), { timeoutMs: 90_000 });
  }
  const answers = await creating;
  const accepted = answers.filter((answer) => answer.code === 0);
  expect(accepted).toHaveLength(50);
  expect(accepted.every((answer) => answer.data?.netAmount === '10.00')).toBe(true);
  expect(new Set(answers.filter((answer) => answer.code !== 0).map((answer) => answer.code))).toEqual(new Set([42201]));
  const hasSettled = async (): Promise<boolean> => {
    const { data } = await client.get('/wallet', {});
    return data?.available === '0.00' && data.frozen === '0.00';
  };
  await waitUntil('every payout settled', hasSettled, { timeoutMs: 90_000, everyMs: 200 });
  const response = await fetch(`${sandbox.file.upstreamUrl}/orders?limit=10000`);
  const { orders } = (await response.json()) as { orders: { orderNo: string; payments?: unknown[] }[] };
  const paid = new Map(orders.map((order) => [order.orderNo, order.payments?.length ?? 0]));
  for (const { data } of [whole, ...accepted])
    expect([data?.orderNo, paid.get(String(data?.orderNo))]).toEqual([data?.orderNo, 1]);
  await checkAll([]);
});
