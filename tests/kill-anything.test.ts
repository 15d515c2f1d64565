import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, openDomain } from '../packages/domain/src/index.ts';
import { type MerchantClient, merchantClient } from '../packages/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../packages/sandbox/src/wait-until.ts';
import { payinRequest } from './payin-requests.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// kill -9 of any process at any moment, then `npm start` again: every order that was answered with code 0 comes to its
// right end, is credited once and notified at least once.

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.05 });
}, 180_000);
afterAll(() => sandbox?.stop(), 60_000);

const countries = ['CN', 'TH', 'IN', 'PK'];
const victims = ['worker', 'rest', 'upstream', 'receiver', 'api', 'redis', 'postgres'] as const;

interface Acknowledged {
  country: string;
  merchantOrderNo: string;
  orderNo: string;
  netAmount: string;
}

/** Creates payins without pause until told to stop; keeps those that were answered with code 0. */
async function load(name: string, signal: AbortSignal): Promise<Acknowledged[]> {
  const kept: Acknowledged[] = [];
  for (let i = 0; !signal.aborted && i < 400; i++) {
    const country = countries[i % countries.length] ?? 'CN';
    const merchant = sandbox.file.merchants.find((one) => one.country === country);
    const merchantOrderNo = `K-${name}-${i}`;
    const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchant?.merchantNo}`;
    const body = payinRequest[country]?.(merchantOrderNo, `${10 + i}.00`, notifyUrl) ?? {};
    const client = clientOf(country);
    // While something is down, requests fail: they promise nothing.
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
    secret: '00'.repeat(32),
    publicBaseUrl: '',
    adapters: {},
    log: quiet,
  };
  const domain = await openDomain({ ...options, nudge: () => undefined });
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

test('kill -9 of every process in turn, under load', { timeout: 300_000 }, async () => {
  const end = new AbortController();
  const loads = ['a', 'b', 'c', 'd'].map((name) => load(name, end.signal));
  for (const victim of victims) {
    await delay(300 + Math.random() * 400);
    const pid = sandbox.pidOf(victim);
    process.kill(pid, 'SIGKILL');
    await waitUntil(`another ${victim}`, async () => isBack(victim, pid), { timeoutMs: 30_000 });
    const ready = async (): Promise<boolean> =>
      fetch(`${sandbox.file.restUrl}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
    await waitUntil('a ready service', ready, { timeoutMs: 30_000 });
  }
  end.abort();
  const acknowledged = (await Promise.all(loads)).flat();
  expect(acknowledged.length).toBeGreaterThan(50);
  await checkAll(acknowledged);
});

function isBack(victim: (typeof victims)[number], before: number): boolean {
  try {
    return sandbox.pidOf(victim) !== before;
  } catch {
    return false;
  }
}

test('kill -9 of npm start itself under load, then npm start again', { timeout: 300_000 }, async () => {
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
