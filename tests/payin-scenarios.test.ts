import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditReport, audit } from '../packages/domain/src/entries/admin.ts';
import { openDomain } from '../packages/domain/src/index.ts';
import { testKeys } from '../packages/domain/src/testing/keys.ts';
import { type Answer, type MerchantClient, merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { payinRequest } from './payin-requests.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

// Every payin scenario of the sandbox in every country, through the real processes, as a merchant sees it.

let sandbox: SharedSandbox;
let domain: Awaited<ReturnType<typeof openDomain>>;

beforeAll(async () => {
  // A hundredth of every wait: a payin expires after 18 s.
  sandbox = await borrowSandbox({ scale: 0.01, merchants: likeDemoMerchants });
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const options = {
    databaseUrl: sandbox.file.databaseUrl,
    keys: testKeys,
    publicBaseUrl: '',
    adapters: {},
    log: quiet,
  };
  domain = await openDomain({ ...options, wakeUp: () => undefined });
}, 180_000);
afterAll(() => domain?.close());

type Country = 'CN' | 'TH' | 'IN' | 'PK';

interface Expected {
  /** Code of the create's answer: the same for all, or by country. China answers before the channel does. */
  code?: number | Partial<Record<Country, number>>;
  ends: string | Record<Country, string>;
  /** Kinds of the cases that are finally open. */
  cases?: string[] | Partial<Record<Country, string[]>>;
}

const unpaid = { CN: 'cancelled', TH: 'timeout', IN: 'timeout', PK: 'cancelled' };
const unanswered = { CN: 'failed', TH: 'timeout', IN: 'timeout', PK: 'failed' };
const notInChina = (code: number): Partial<Record<Country, number>> => ({ TH: code, IN: code, PK: code });

const scenarios: Record<string, Expected> = {
  '.00': { ends: 'completed' },
  '.11': { code: notInChina(50201), ends: 'failed' },
  '.12': { code: notInChina(50401), ends: unanswered },
  '.13': { code: notInChina(50401), ends: unanswered, cases: ['late'] },
  '.14': { ends: 'completed' },
  '.21': { ends: 'failed' },
  '.22': { ends: unpaid },
  '.23': { ends: unpaid },
  '.24': { ends: 'completed' },
  '.25': { ends: 'completed' },
  '.31': { ends: 'completed' },
  '.32': { ends: unpaid, cases: { TH: ['parts_of_unpaid'] } },
  '.41': { ends: 'completed', cases: ['double'] },
  '.42': { ends: unpaid, cases: ['late'] },
  '.51': { ends: unpaid, cases: ['wrong_amount'] },
};

/** Statuses that each country tells its merchants (contract "Events"; decisions 7.1). */
const delivered: Record<Country, string[]> = {
  CN: ['completed', 'failed', 'cancelled'],
  TH: ['completed', 'failed', 'timeout'],
  IN: ['completed', 'failed', 'timeout', 'cancelled'],
  PK: ['completed'],
};

function clientOf(country: Country): { client: MerchantClient; merchantNo: string } {
  const merchant = sandbox.file.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  return {
    client: merchantClient(sandbox.file.restUrl, merchant.merchantNo, merchant.privateKeyPem),
    merchantNo: merchant.merchantNo,
  };
}

async function queried(client: MerchantClient, merchantOrderNo: string): Promise<Record<string, unknown>> {
  const answer: Answer = await client.get('/payin/query', { merchantOrderNo });
  if (answer.code !== 0 || !answer.data) throw new Error(`${answer.code} ${answer.msg}`);
  return answer.data;
}

async function rows(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  return (await domain.database.pool.query(text, values)).rows;
}

const byCountry = <T>(value: T | Partial<Record<Country, T>> | undefined, country: Country): T | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Partial<Record<Country, T>>)[country]
    : (value as T);

describe.concurrent.each(Object.entries(scenarios))('payins with the cents %s', (cents, expected) => {
  test.concurrent.each<Country>(['CN', 'TH', 'IN', 'PK'])('%s', { timeout: 120_000 }, async (country) => {
    const { client, merchantNo } = clientOf(country);
    const merchantOrderNo = `S${cents}-${country}`;
    const notifyUrl = `${sandbox.file.receiverUrl}/notify/${merchantNo}`;
    const body = payinRequest[country]?.(merchantOrderNo, `200${cents}`, notifyUrl) ?? {};
    const created = await client.post('/payin/create', body);
    expect(created).toMatchObject({ code: byCountry(expected.code, country) ?? 0 });

    const ends = byCountry(expected.ends, country) ?? '';
    let order: Record<string, unknown> = {};
    await waitUntil(
      `${merchantOrderNo} ${ends}`,
      async () => {
        order = await queried(client, merchantOrderNo);
        return order.status === ends;
      },
      { timeoutMs: 60_000, everyMs: 200 },
    );

    const wanted = byCountry(expected.cases, country) ?? [];
    const { orderNo } = order as { orderNo: string };
    const cases = (): Promise<Record<string, unknown>[]> =>
      rows('select kind, amount, state from money_case where order_no = $1', [orderNo]);
    await waitUntil(`cases ${wanted} of ${merchantOrderNo}`, async () => (await cases()).length === wanted.length, {
      timeoutMs: 40_000,
    });
    expect((await cases()).map((row) => row.kind)).toEqual(wanted);

    const credits = await rows(`select type, available_change from wallet_entry where order_no = $1`, [orderNo]);
    expect(credits).toEqual(ends === 'completed' ? [{ type: 'PAYIN', available_change: order.netAmount }] : []);
    if (!delivered[country].includes(ends)) return;
    await waitUntil(
      `the notification of ${merchantOrderNo}`,
      async () => {
        const response = await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${orderNo}`);
        const received = (await response.json()) as { verified: boolean; body: { status: string } }[];
        return received.some((one) => one.verified && one.body.status === ends);
      },
      { timeoutMs: 30_000 },
    );
  });
});

test('a Thai payin in two parts is partial_paid after the first, and credited once with the whole amount', {
  timeout: 60_000,
}, async () => {
  const { client, merchantNo } = clientOf('TH');
  const body = payinRequest.TH?.('PARTS-1', '300.31', `${sandbox.file.receiverUrl}/notify/${merchantNo}`) ?? {};
  const { data } = await client.post('/payin/create', body);
  expect(data).toMatchObject({ status: 'processing' });
  const seen = new Set<unknown>();
  await waitUntil(
    'completed',
    async () => {
      const { status } = await queried(client, 'PARTS-1');
      seen.add(status);
      return status === 'completed';
    },
    { timeoutMs: 30_000, everyMs: 100 },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['partial_paid', 'completed']));
  const credits = await rows(`select available_change from wallet_entry where order_no = $1`, [data?.orderNo]);
  expect(credits).toEqual([{ available_change: data?.netAmount }]);
});

// Runs last, because it waits until all tests above are over.
test('after all scenarios the audit finds nothing', { timeout: 60_000 }, async () => {
  const report: AuditReport = await audit(domain);
  expect(report.violations).toEqual([]);
  expect(report.checked.orders).toBeGreaterThanOrEqual(61);
});
