import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, OutcomeUnknownError } from '../packages/client/src/index.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { borrowSandbox, likeDemoMerchants } from './run-services/ask-services.ts';
import type { SharedSandbox } from './run-services/shared-sandboxes.ts';

vi.setConfig({ testTimeout: 240_000 });

// The merchants' client, and curl with openssl, against what `npm start` starts. tests/nightly/packed-client.test.ts tests the package that npm would give.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

let sandbox: SharedSandbox;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-client-'));
  sandbox = await borrowSandbox({ merchants: likeDemoMerchants });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  // The client gives up after three, and resumes.
  [3, ['/payout/create 0', ...Array(3).fill('/payout/create 40901'), '/payout/query 0']],
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
  const request = { merchantOrderNo, amount: '100.23', ...payee };
  const order = await client.payout.create(request).catch((error) => {
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    return client.payout.create(request, { resume: true });
  });
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
