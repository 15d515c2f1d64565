import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../packages/domain/src/entries/admin.ts';
import { openDomain } from '../packages/domain/src/index.ts';
import { testKeys } from '../packages/domain/src/testing/keys.ts';
import { type MerchantClient, merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { payoutRequest } from './payout-requests.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

// Every payout scenario of the sandbox in both countries, through the real processes, as a merchant sees it.

let sandbox: SharedSandbox;
let domain: Awaited<ReturnType<typeof openDomain>>;

beforeAll(async () => {
  sandbox = await borrowSandbox({ scale: 0.01, merchants: likeDemoMerchants });
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const { databaseUrl } = sandbox.file;
  const options = { databaseUrl, keys: testKeys, publicBaseUrl: '', adapters: {}, log: quiet };
  domain = await openDomain({ ...options, scheduleScale: 0.01, wakeUp: () => undefined });
}, 180_000);
afterAll(() => domain?.close());

type Country = 'IN' | 'PK';

interface Expected {
  ends: string | Record<Country, string>;
  cases?: string[];
}

const scenarios: Record<string, Expected> = {
  '.00': { ends: 'completed' },
  '.11': { ends: 'failed' },
  '.12': { ends: 'completed' },
  '.13': { ends: 'completed' },
  '.14': { ends: 'completed' },
  '.21': { ends: 'failed' },
  '.22': { ends: { IN: 'timeout', PK: 'failed' } },
  '.23': { ends: 'processing' },
  '.24': { ends: 'completed' },
  '.25': { ends: 'completed' },
  '.41': { ends: 'completed', cases: ['payout_returned'] },
  '.51': { ends: 'completed' },
};

/** The statuses about which merchants are notified. */
const notifiedStatuses: Record<Country, string[]> = { IN: ['completed', 'failed', 'timeout'], PK: ['completed'] };
/** The wallet's history of an order with this ending. */
const entries: Record<string, string[]> = {
  completed: ['PAYOUT_FREEZE', 'PAYOUT'],
  failed: ['PAYOUT_FREEZE', 'PAYOUT_RELEASE'],
  timeout: ['PAYOUT_FREEZE', 'PAYOUT_RELEASE'],
  processing: ['PAYOUT_FREEZE'],
};

function merchantOf(country: string, nth = 0): { client: MerchantClient; merchantNo: string } {
  const merchant = sandbox.file.merchants.filter((one) => one.country === country)[nth];
  if (!merchant) throw new Error(`no merchant of ${country}`);
  return {
    client: merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem),
    merchantNo: merchant.merchantNo,
  };
}

async function rows<Row extends Record<string, unknown>>(text: string, values: unknown[]): Promise<Row[]> {
  return (await domain.database.pool.query<Row>(text, values)).rows;
}

describe.concurrent.each(Object.entries(scenarios))('payouts with the cents %s', (cents, expected) => {
  test.concurrent.each<Country>(['IN', 'PK'])('%s', { timeout: 120_000 }, async (country) => {
    const { client } = merchantOf(country);
    const merchantOrderNo = `P${cents}-${country}`;
    const created = await client.post('/payout/create', payoutRequest[country]?.(merchantOrderNo, `100${cents}`) ?? {});
    expect(created).toMatchObject({ code: 0, data: { status: country === 'IN' ? 'processing' : 'created' } });
    const { orderNo } = created.data as { orderNo: string };

    const ends = typeof expected.ends === 'string' ? expected.ends : expected.ends[country];
    let order: Record<string, unknown> = {};
    const hasEnded = async (): Promise<boolean> => {
      order = (await client.get('/payout/query', { merchantOrderNo })).data ?? {};
      return order.status === ends;
    };
    await waitUntil(`${merchantOrderNo} ${ends}`, hasEnded, { timeoutMs: 60_000, everyMs: 200 });

    const wanted = expected.cases ?? [];
    const cases = () => rows('select kind from money_case where order_no = $1', [orderNo]);
    await waitUntil(`cases of ${merchantOrderNo}`, async () => (await cases()).length === wanted.length, {
      timeoutMs: 30_000,
    });
    expect((await cases()).map((row) => row.kind)).toEqual(wanted);
    const history = await rows('select type from wallet_entry where order_no = $1 order by entry_no', [orderNo]);
    expect(history.map((row) => row.type)).toEqual(entries[ends]);
    // However often the payout was submitted, the upstream has it once, or not at all if it refused it.
    const response = await fetch(`${sandbox.file.upstreamUrl}/orders?limit=10000`);
    const { orders } = (await response.json()) as { orders: { orderNo: string; payments?: unknown[] }[] };
    const there = orders.filter((one) => one.orderNo === orderNo);
    expect(there.length).toBeLessThanOrEqual(1);
    expect(there[0]?.payments ?? []).toHaveLength(ends === 'completed' ? 1 : 0);

    if (!notifiedStatuses[country].includes(ends)) return;
    const isReceived = async (): Promise<boolean> => {
      const received = await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${orderNo}`);
      const list = (await received.json()) as { verified: boolean; body: { status: string; orderType: string } }[];
      return list.some((one) => one.verified && one.body.status === ends && one.body.orderType === 'payout');
    };
    await waitUntil(`the notification of ${merchantOrderNo}`, isReceived, { timeoutMs: 30_000 });
  });
});

test('of 200 concurrent payouts from a wallet with money for 50 exactly 50 succeed, and no balance is negative', {
  timeout: 120_000,
}, async () => {
  const { client, merchantNo } = merchantOf('IN', 1);
  const [wallet] = await rows<{ available: string }>('select available from wallet where merchant_id = $1', [
    merchantNo,
  ]);
  // 1 % + 5.00 on 100.00 freezes 106.00; what is above 50 of them goes into one that stays open.
  const rest = (Number(wallet?.available) - 50 * 106 - 5) / 1.01;
  const first = await client.post('/payout/create', payoutRequest.IN?.('ALL-BUT-50', `${Math.floor(rest)}.23`) ?? {});
  expect(first.code).toBe(0);
  let isOver = false;
  const lows: string[] = [];
  const watching = (async () => {
    while (!isOver) {
      const { data } = await client.get('/wallet', {});
      if (String(data?.available).startsWith('-') || String(data?.frozen).startsWith('-'))
        lows.push(JSON.stringify(data));
    }
  })();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      client.post('/payout/create', payoutRequest.IN?.(`RACE-${i}`, '100.00') ?? {}),
    ),
  );
  isOver = true;
  await watching;
  expect(lows).toEqual([]);
  expect(answers.filter((answer) => answer.code === 0)).toHaveLength(50);
  const refused = answers.filter((answer) => answer.code !== 0);
  expect(new Set(refused.map(({ status, code, msg }) => `${status} ${code} ${msg}`))).toEqual(
    new Set(['422 42201 merchant balance insufficient']),
  );
  const [orders] = await rows<{ count: number }>(
    `select count(*)::integer as count from orders where merchant_id = $1 and merchant_order_no like 'RACE-%'`,
    [merchantNo],
  );
  expect(orders?.count).toBe(50);
});

test('wallet and transactions are answered exactly as in the contract', async () => {
  const { client, merchantNo } = merchantOf('PK', 1);
  const created = await client.post('/payout/create', payoutRequest.PK?.('MARKET-1', '200.00') ?? {});
  expect(created.data).toEqual({
    orderNo: expect.stringMatching(/^PO/),
    merchantOrderNo: 'MARKET-1',
    amount: '200.00',
    feeAmount: '7.00',
    netAmount: '207.00',
    status: 'market_available',
    payoutTaskId: expect.stringMatching(/^PT/),
    createdAt: expect.stringMatching(/Z$/),
  });
  const { data } = await client.get('/wallet', {});
  expect(data).toEqual({
    merchantNo,
    currency: 'PKR',
    balance: '1000000.00',
    available: '999793.00',
    frozen: '207.00',
    updatedAt: expect.any(Number),
  });
  const page = await client.get('/wallet/transactions', { pageSize: '1' });
  expect(page.data).toEqual({
    list: [
      {
        transactionNo: 'WT000000000002',
        type: 'PAYOUT_FREEZE',
        amount: '0.00',
        frozenChange: '207.00',
        balance: '1000000.00',
        available: '999793.00',
        frozen: '207.00',
        orderNo: created.data?.orderNo,
        merchantOrderNo: 'MARKET-1',
        createdAt: expect.any(Number),
      },
    ],
    page: 1,
    pageSize: 1,
    total: 2,
  });
  const second = await client.get('/wallet/transactions', { page: '2', pageSize: '1' });
  expect(second.data).toMatchObject({
    list: [{ type: 'TOP_UP', amount: '1000000.00', balance: '1000000.00' }],
    total: 2,
  });
  expect((await client.get('/wallet/transactions', { page: '99' })).data).toMatchObject({ list: [], total: 2 });
  for (const query of [{ page: '0' }, { pageSize: '101' }, { page: 'x' }, { pageSize: '-1' }, { page: '1.5' }]) {
    expect(await client.get('/wallet/transactions', query as Record<string, string>)).toMatchObject({
      status: 400,
      code: 40001,
    });
  }
});

test('merchants of China and Thailand have a wallet, but no payouts', async () => {
  for (const country of ['CN', 'TH']) {
    const { client } = merchantOf(country);
    expect(await client.get('/wallet', {})).toMatchObject({ code: 0, data: { available: '0.00', frozen: '0.00' } });
    expect(await client.post('/payout/create', payoutRequest.IN?.('X', '1.00') ?? {})).toMatchObject({
      status: 403,
      code: 40303,
    });
    expect(await client.get('/payout/query', { orderNo: 'PO1' })).toMatchObject({ status: 403, code: 40303 });
  }
});

test('a bank code without a mapping gets 42202, and one in lower case 40001', async () => {
  const { client } = merchantOf('PK');
  const body = payoutRequest.PK?.('CODE-1', '10.00') ?? {};
  const bank = { payee_account: '1234567890' };
  expect(await client.post('/payout/create', { ...body, ...bank, bankCode: 'NOBANK' })).toMatchObject({
    status: 422,
    code: 42202,
  });
  expect(await client.post('/payout/create', { ...body, bankCode: 'jazzcash' })).toMatchObject({
    status: 400,
    code: 40001,
  });
});

// The last test of this file, because the audit counts the orders of all tests above.
test('after all scenarios the audit finds nothing', { timeout: 60_000 }, async () => {
  const report = await audit(domain);
  expect(report.violations).toEqual([]);
  const ofScenarios = 2 * Object.keys(scenarios).length;
  // The 50 of the 200 payouts that succeeded, and the one before that left money for just 50.
  const ofWallet = 51;
  const onMarket = 1;
  expect(report.checked.orders).toBeGreaterThanOrEqual(ofScenarios + ofWallet + onMarket);
});
