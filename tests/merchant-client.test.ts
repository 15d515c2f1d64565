import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../packages/client/src/index.ts';
import { waitUntil } from '../packages/sandbox/src/wait-until.ts';
import { findNode20 } from './packed-client/find-node-20.ts';
import { installPacked, type PackedClient, packClient } from './packed-client/pack-client.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

vi.setConfig({ testTimeout: 240_000 });

// The merchants' client as npm would give it, against what `npm start` starts.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const bin = (name: string) => join(ROOT, 'packages', 'client', 'node_modules', '.bin', name);

let sandbox: SharedSandbox;
let folder = '';
let project = '';
let packed: PackedClient;
let sandboxFile = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-packed-'));
  project = join(folder, 'shop');
  sandboxFile = join(folder, 'sandbox.json');
  const prepare = async () => {
    packed = await packClient(folder);
    await installPacked(project, packed);
  };
  [sandbox] = await Promise.all([borrowSandbox({ merchants: likeDemoMerchants }), prepare()]);
  writeFileSync(sandboxFile, JSON.stringify(sandbox.file), { mode: 0o600 });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  test('the package contains the build, a README and a licence, and nothing else', async () => {
    for (const file of [packed.client, packed.signature]) {
      const { stdout } = await run('tar', ['tf', file]);
      const paths = stdout.trim().split('\n');
      for (const needed of [
        'package/README.md',
        'package/LICENSE',
        'package/package.json',
        'package/dist/index.js',
        'package/dist/index.d.ts',
      ])
        expect(paths).toContain(needed);
      expect(
        paths.filter((path) => !/^package\/(?:README\.md|LICENSE|package\.json|dist\/.*\.(?:js|d\.ts))$/.test(path)),
      ).toEqual([]);
      expect(paths.filter((path) => path.includes('.test.'))).toEqual([]);
    }
    const { dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/@tidegate/client/package.json'), 'utf8'),
    );
    expect(dependencies).toEqual({ '@tidegate/signature': '0.1.0' });
  });

  test.each(['client', 'signature'] as const)('publint and arethetypeswrong find no problem in %s', async (name) => {
    const { stdout } = await run(bin('publint'), ['run', packed[name], '--strict']);
    expect(stdout).toContain('All good!');
    const checked = await run(bin('attw'), [packed[name], '--profile', 'esm-only', '--no-definitely-typed']);
    // `run` throws if attw ends with an exit code other than 0, so it found no problem.
    expect(checked.stdout).toContain('node16 (from ESM): 🟢 (ESM)');
  });

  test("a merchant's compiler accepts the right calls and rejects the wrong ones", async () => {
    copyFileSync(join(ROOT, 'packages/client/test/merchant-project/consumer.ts'), join(project, 'consumer.ts'));
    symlinkSync(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  });
});

describe('the packed client on Node 20', () => {
  test('payins, payouts, verified notifications, wallet and doctor work', async () => {
    const node = await findNode20(join(folder, 'node-20'));
    copyFileSync(join(ROOT, 'packages/client/test/merchant-project/shop.mjs'), join(project, 'shop.mjs'));
    const { stdout } = await run(node, ['shop.mjs', sandboxFile], { cwd: project, timeout: 60_000 });
    const { node: version, stories, doctor } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(version).toMatch(/^20\./);
    expect(doctor).toContain('order');
    const completed = (orderType: string) =>
      expect.objectContaining({
        orderType,
        recovered: false,
        status: 'completed',
        amount: '120.00',
        state: 'completed',
      });
    expect(stories).toEqual([
      { country: 'CN', currency: 'CNY', results: [completed('payin')], types: ['PAYIN'] },
      { country: 'TH', currency: 'THB', results: [completed('payin')], types: ['PAYIN'] },
      {
        country: 'IN',
        currency: 'INR',
        results: [completed('payin'), completed('payout')],
        types: ['PAYOUT', 'PAYOUT_FREEZE', 'PAYIN', 'TOP_UP'],
      },
      {
        country: 'PK',
        currency: 'PKR',
        results: [completed('payin'), completed('payout')],
        types: ['PAYOUT', 'PAYOUT_FREEZE', 'PAYIN', 'TOP_UP'],
      },
    ]);
  });

  test('the command line works', async () => {
    const node = await findNode20(join(folder, 'node-20'));
    const command = join(project, 'node_modules/.bin/tidegate');
    const tidegate = (...typed: string[]) => run(node, [command, ...typed], { cwd: project });
    const settings = ['--settings', sandboxFile, '--country', 'TH'];
    const { stdout } = await tidegate(
      'payin',
      'create',
      'amount=50',
      'bankCode=QR',
      'extJson.accountNo=1',
      ...settings,
    );
    const { orderNo, payQr } = JSON.parse(stdout);
    expect(payQr).toMatch(/^000201/);
    expect(JSON.parse((await tidegate('payin', 'query', orderNo, ...settings)).stdout)).toMatchObject({
      orderNo,
      amount: '50.00',
    });
    expect((await tidegate('keys')).stdout).toContain('merchant-private.pem');
    const refused = await tidegate('wallet', ...settings, '--key', 'merchant-private.pem').catch(
      (failed: object) => failed,
    );
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/40101 signature invalid[\s\S]*doctor[\s\S]*signedContent/),
    });
  });
});

test('the fields that the README lists for each country are enough for a create', async () => {
  const readme = readFileSync(join(project, 'node_modules/@tidegate/client/README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (CN|TH|IN|PK) \| (.*) \| (.*) \|$/gm)];
  const received = rows.flatMap(([, country = '', payin = '', payout = '']) =>
    Object.entries({ payin, payout }).flatMap(([kind, fields]) =>
      fields === 'none' ? [] : [{ country, kind, fields }],
    ),
  );
  expect(received.map(({ country, kind }) => `${kind} ${country}`)).toEqual([
    'payin CN',
    'payin TH',
    'payin IN',
    'payout IN',
    'payin PK',
    'payout PK',
  ]);
  for (const { country, kind, fields } of received) {
    const typed =
      fields === 'nothing more'
        ? ''
        : fields.replaceAll('`', '').replace('https://shop.example', sandbox.file.receiverUrl);
    const command = `node_modules/.bin/tidegate ${kind} create amount=100.23 ${typed} --settings ${sandboxFile} --country ${country}`;
    const { stdout } = await run('sh', ['-c', command], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ amount: '100.23', recovered: false });
  }
});

/** A way to the service on which the answers to the first `losses` creates are lost, after the service has given them. */
async function lossyWay(losses: number): Promise<{ url: string; passed: string[] }> {
  const passed: string[] = [];
  let lossesLeft = losses;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const kept = Object.entries(headers).filter(([name]) => /^(?:x-|content-type)/.test(name));
    const answer = await fetch(sandbox.file.restUrl + url, {
      method,
      headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      ...(method === 'POST' && { body }),
    });
    const text = await answer.text();
    passed.push(`${url.replace('/api/v1/merchant', '').replace(/\?.*/, '')} ${JSON.parse(text).code}`);
    if (method === 'POST' && lossesLeft > 0) {
      lossesLeft -= 1;
      response.destroy();
    } else response.writeHead(answer.status).end(text);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
}

test.each([
  [1, ['/payout/create 0', '/payout/create 40901', '/payout/query 0']],
  [3, ['/payout/create 0', '/payout/create 40901', '/payout/create 40901', '/payout/query 0']],
])('after %i lost answers to a payout create there is one order and one freeze', async (losses, expected) => {
  const { url, passed } = await lossyWay(losses);
  const merchant = sandbox.file.merchants.filter(({ country }) => country === 'IN')[1];
  if (!merchant) throw new Error('no second merchant of IN');
  const { merchantNo, privateKeyPem: privateKey } = merchant;
  const client = createClient({ country: 'IN', merchantNo, privateKey, baseUrl: url });
  const before = await client.wallet.balance();
  passed.length = 0;
  const merchantOrderNo = `LOST-${randomUUID()}`;
  const payee = { receiverName: 'Asha Rao', receiverAccount: '12345678901', metadata: { ifsc: 'HDFC0001234' } };
  // .23 stays open: its money stays frozen.
  const order = await client.payout.create({ merchantOrderNo, amount: '100.23', ...payee });
  expect(order).toMatchObject({ recovered: true, merchantOrderNo, amount: '100.23', status: 'processing' });
  expect(passed).toEqual(expected);
  const { list } = await client.wallet.transactions({ pageSize: 100 });
  expect(list.filter((entry) => entry.merchantOrderNo === merchantOrderNo)).toMatchObject([
    { type: 'PAYOUT_FREEZE', orderNo: order.orderNo },
  ]);
  expect((await client.wallet.balance()).balance).toBe(before.balance);
});

test('with curl and openssl only a payin is created, paid and queried', async () => {
  const merchant = sandbox.file.merchants.find(({ country }) => country === 'TH');
  if (!merchant) throw new Error('no merchant of TH');
  const keyFile = join(folder, 'th-private.pem');
  writeFileSync(keyFile, merchant.privateKeyPem, { mode: 0o600 });
  const env = {
    ...process.env,
    TIDEGATE_URL: sandbox.file.restUrl,
    TIDEGATE_MERCHANT_NO: merchant.merchantNo,
    TIDEGATE_PRIVATE_KEY_FILE: keyFile,
  };
  const send = async (...typed: string[]): Promise<{ code: number; data: Record<string, string> }> =>
    JSON.parse((await run('sh', [join(ROOT, 'docs/signing/sign.sh'), ...typed], { env })).stdout);
  const merchantOrderNo = `CURL-${randomUUID()}`;
  const remark = 'remark=50% of "a\\b" & c=d, สวัสดี';
  const fields = [
    `merchantOrderNo=${merchantOrderNo}`,
    'amount=80.00',
    'bankCode=QR',
    'extJson.accountNo=1234567890',
    remark,
  ];
  expect(await send('POST', 'payin/create', ...fields, 'payer_email=')).toMatchObject({
    code: 0,
    data: { amount: '80.00', merchantOrderNo },
  });
  const isPaid = async () =>
    (await send('GET', 'payin/query', `merchantOrderNo=${merchantOrderNo}`)).data.status === 'completed';
  await waitUntil('the payin is paid', isPaid, { timeoutMs: 30_000 });
  expect(await send('GET', 'wallet')).toMatchObject({ code: 0, data: { currency: 'THB' } });
});
