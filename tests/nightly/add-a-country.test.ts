import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// docs/developers/add-a-country.md, carried out: a folder and a row in a copy of the repository, over a database that has data already.

const repository = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let copy: string;
let sandbox: RunningSandbox;
beforeAll(async () => {
  copy = copyRepository();
  addVietnam(copy);
  for (const program of ['rest-adapter/src/docs/openapi/print-openapi.ts', 'client/print-types.ts'])
    await run(process.execPath, [join(copy, 'packages', program)]);
  sandbox = await startSandbox({ root: copy });
}, 180_000);
afterAll(async () => {
  await sandbox?.stop();
  rmSync(copy, { recursive: true, force: true });
});

/** A copy of what runs and tests it; the installed packages are shared. */
function copyRepository(): string {
  const to = mkdtempSync(join(tmpdir(), 'tidegate-country-'));
  for (const part of ['packages', 'tools', 'docs', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(repository, part), join(to, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(repository, 'node_modules'), join(to, 'node_modules'));
  return to;
}

function addVietnam(root: string): void {
  cpSync(join(root, 'docs/examples/country-vn'), join(root, 'packages/domain/src/countries/vn'), { recursive: true });
  const list = join(root, 'packages/domain/src/countries/index.ts');
  const text = readFileSync(list, 'utf8');
  const withRow = text
    .replace('import { thailand }', "import { vietnam } from './vn/index.ts';\nimport { thailand }")
    .replace(/(countryDefinitions: .* = \[[^\]]+)\]/, '$1, vietnam]');
  expect(withRow).not.toBe(text);
  writeFileSync(list, withRow);
}

const merchant = () => {
  const found = sandbox.file.merchants.find(({ country }) => country === 'VN');
  if (!found) throw new Error('the sandbox has no merchant of VN');
  return { ...found, client: merchantClient(sandbox.file.restUrl, found.merchantNo, found.privateKeyPem) };
};

/** The verified notification of an order's completion, as the demo merchant's receiver stored it. */
async function completionOf(orderNo: string): Promise<{ verified: boolean; body: Record<string, string> }> {
  type Received = { verified: boolean; body: Record<string, string> };
  let found: Received | undefined;
  const hasCome = async (): Promise<boolean> => {
    const response = await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${orderNo}`);
    found = ((await response.json()) as Received[]).find(({ body }) => body.status === 'completed');
    return found !== undefined;
  };
  await waitUntil(`the notification of ${orderNo}`, hasCome, { timeoutMs: 60_000 });
  if (!found) throw new Error('unreachable');
  return found;
}

test('a payin of the new country goes from its signed request to its verified notification', {
  timeout: 90_000,
}, async () => {
  const { client, currency } = merchant();
  expect(currency).toBe('VND');
  const request = { merchantOrderNo: 'VN-IN-1', amount: '250000', payerName: 'Nguyen Van An' };
  const { code, data } = await client.post('/payin/create', request);
  expect({ code, ...data }).toMatchObject({ code: 0, amount: '250000.00', feeAmount: '6250.00', status: 'processing' });
  const page = await fetch(String(data?.payUrl), { headers: { 'accept-language': 'vi' } });
  expect(await page.text()).toMatch(/<html lang="vi">[\s\S]*Thanh toán cho[\s\S]*250,000\.00 <small>VND<\/small>/);
  const { verified, body } = await completionOf(String(data?.orderNo));
  expect(verified).toBe(true);
  expect(body).toMatchObject({
    orderType: 'payin',
    merchantOrderNo: 'VN-IN-1',
    currency: 'VND',
    netAmount: '243750.00',
  });
  const found = await client.get('/payin/query', { merchantOrderNo: 'VN-IN-1' });
  expect(found.data).toMatchObject({ status: 'completed' });
});

test('a payout of the new country goes from its signed request to its verified notification', {
  timeout: 90_000,
}, async () => {
  const { client } = merchant();
  const request = { merchantOrderNo: 'VN-OUT-1', amount: '120000', bankCode: 'VCB', payeeName: 'Tran Thi Binh' };
  expect(await client.post('/payout/create', request)).toMatchObject({ code: 40001, msg: /payeeAccount/ });
  const { code, data } = await client.post('/payout/create', { ...request, payeeAccount: '0123456789' });
  expect({ code, ...data }).toMatchObject({ code: 0, amount: '120000.00', netAmount: '121205.00', status: 'created' });
  const { verified, body } = await completionOf(String(data?.orderNo));
  expect(verified).toBe(true);
  expect(body).toMatchObject({ orderType: 'payout', merchantOrderNo: 'VN-OUT-1' });
});

test('operators find orders of the new country by GraphQL, the API reference has its schemas, and the audit finds nothing', async () => {
  const answer = await fetch(sandbox.file.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.file.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ orders(filter: { countries: [VN] }) { edges { node { __typename currency country } } }
        merchants(filter: { countries: [VN] }) { edges { node { merchantId wallet { currency } } } } }`,
    }),
  });
  const { data, errors } = (await answer.json()) as {
    data: Record<string, { edges: { node: object }[] }>;
    errors?: unknown;
  };
  expect(errors).toBeUndefined();
  const found = (list: string) => data[list]?.edges.map(({ node }) => node);
  expect(found('orders')).toHaveLength(2);
  expect(found('orders')).toContainEqual({ __typename: 'Payin', currency: 'VND', country: 'VN' });
  expect(found('merchants')).toContainEqual({ merchantId: 'VN10001', wallet: { currency: 'VND' } });
  const reference = await (await fetch(`${sandbox.file.restUrl}/docs/openapi.json`)).text();
  expect(reference).toContain('CreatePayinVN');
  expect(reference).toContain('CreatePayoutVN');
});

test('the client library knows the new country: its types compile, and its calls work', {
  timeout: 120_000,
}, async () => {
  const { merchantNo, privateKeyPem } = merchant();
  const folder = join(copy, 'packages/client/test');
  const example = join(folder, 'client-vn.ts');
  cpSync(join(copy, 'docs/examples/client-vn.ts'), example);
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ extends: '../../../tsconfig.json', include: [example] }));
  const compiled = await run(join(repository, 'node_modules/.bin/tsc'), ['-p', project]).catch((failed) => failed);
  expect(compiled.stdout).toBe('');
  const env = { ...process.env, MERCHANT_NO: merchantNo, PRIVATE_KEY: privateKeyPem, BASE_URL: sandbox.file.restUrl };
  const { stdout } = await run(process.execPath, [example], { env });
  expect(JSON.parse(stdout)).toEqual({
    payin: { orderNo: expect.stringMatching(/^PI/), status: 'processing', payUrl: expect.stringContaining('http') },
    payout: 'created',
    currency: 'VND',
  });
});

test('the new country does not change the other countries', { timeout: 90_000 }, async () => {
  const thai = sandbox.file.merchants.find(({ country }) => country === 'TH');
  if (!thai) throw new Error('no merchant of TH');
  const client = merchantClient(sandbox.file.restUrl, thai.merchantNo, thai.privateKeyPem);
  const extJson = { accountNo: '1234567890' };
  const { data } = await client.post('/payin/create', {
    merchantOrderNo: 'TH-1',
    amount: '5',
    bankCode: 'QR',
    extJson,
  });
  expect((await completionOf(String(data?.orderNo))).verified).toBe(true);
});

test('the test of the new country and the tests of every country pass', { timeout: 120_000 }, async () => {
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--reporter=dot', 'packages/domain/src/countries/vn', 'countries/definitions'];
  const { stdout } = await run(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, TIDEGATE_TEST_TIER: 'unit', TIDEGATE_TEST_PROCESSES: 'sources', VITEST: undefined },
  });
  expect(stdout).toMatch(/Test Files .*2 passed/);
});
