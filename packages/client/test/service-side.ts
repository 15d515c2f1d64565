import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceKeyId, signedHeaders, toJwk } from '@tidegate/signature';
import { onTestFinished } from 'vitest';
import { takeKeyPair } from '../../domain/src/testing/key-pool.ts';

export const newKey = (): KeyObject => takeKeyPair().privateKey;

export const notified = {
  orderType: 'payin',
  orderNo: 'PI01M7Y9XBY6RVM000000000001',
  merchantOrderNo: 'M-1',
  status: 'completed',
  amount: '100.00',
  feeAmount: '2.50',
  netAmount: '97.50',
  completedAt: 1790000000,
};
export const NOTIFICATION = JSON.stringify(notified);

/** Makes a notification as the service signs it: headers in lower case, and the body's bytes. */
export async function delivery(
  key: KeyObject,
  options: { body?: string; merchantNo?: string; timestamp?: string; nonce?: string; keyId?: string } = {},
) {
  const { body = NOTIFICATION, merchantNo = 'CN10001', keyId = serviceKeyId(merchantNo, key), ...stamps } = options;
  const signed = { ...(await signedHeaders({ merchantNo, body, key, ...stamps })), 'X-Key-Id': keyId };
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    headers: { ...headers, 'content-type': 'application/json' } as Record<string, string>,
    body: Buffer.from(body),
  };
}

/** A server that publishes these keys for a merchant. It counts the fetches. */
export async function keysServer(published: { keys: KeyObject[]; down?: boolean }, merchantNo = 'CN10001') {
  let calls = 0;
  const answerTo = (path = ''): object | undefined => {
    const found = published.keys.find((key) => path === `/.well-known/keys/${serviceKeyId(merchantNo, key)}`);
    return found && { ...toJwk(found), kid: serviceKeyId(merchantNo, found) };
  };
  const server = createServer((request, response) => {
    calls += 1;
    const answer = answerTo(request.url);
    if (published.down) response.writeHead(503).end();
    else response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { code: 40400 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requestCount: () => calls };
}
