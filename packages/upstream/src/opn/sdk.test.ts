import { createServer } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import omise from 'omise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { basicAuthorization } from './signing.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

type Result = Record<string, unknown> & { id: string; status: string };
interface Sdk {
  account: { retrieve(): Promise<Result> };
  sources: { create(request: object): Promise<Result> };
  charges: {
    create(request: object): Promise<Result>;
    retrieve(id: string): Promise<Result>;
    list(request: object): Promise<Result>;
    expire(id: string): Promise<Result>;
    createRefund(id: string, request: object): Promise<Result>;
    listRefunds(id: string): Promise<Result>;
    retrieveRefund(id: string, refundId: string): Promise<Result>;
  };
  search: { list(request: object): Promise<Result> };
}

/** Opn's own SDK calls port 80 of a host. It takes a proxy from the environment, which leads it to the fake. */
async function openProxy(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const server = createServer();
  server.on('connect', (_request, socket, head) => {
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [socket, upstream]) one.on('error', () => one.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${own}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

// The SDK adds two methods to every promise. They are removed again.
const promisePrototype = Promise.prototype as unknown as Record<string, unknown>;
const makeSdk = omise as unknown as (options: object) => Sdk;
const proxyBefore = process.env.http_proxy;

let opn: OpnSetup;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let sdk: Sdk;
const options = (secretKey: string, publicKey: string) => ({
  secretKey,
  publicKey,
  host: 'api.omise.test',
  scheme: 'http',
  omiseVersion: '2019-05-29',
});
beforeAll(async () => {
  opn = await openOpn();
  proxy = await openProxy(opn.url);
  process.env.http_proxy = proxy.url;
  sdk = makeSdk(options(opn.secretKey, opn.publicKey));
});
afterAll(async () => {
  if (proxyBefore === undefined) delete process.env.http_proxy;
  else process.env.http_proxy = proxyBefore;
  for (const name of ['error', 'done']) delete promisePrototype[name];
  await proxy.close();
  await opn.close();
});

test('the SDK creates, reads, lists, finds and expires charges at the fake', async () => {
  const charge = await sdk.charges.create({
    amount: 8_001,
    currency: 'THB',
    description: 'SDK-1',
    source: { type: 'promptpay' },
    metadata: { anything: 'else' },
  });
  expect(charge).toMatchObject({ object: 'charge', status: 'pending', amount: 8_001, metadata: { anything: 'else' } });
  expect(await sdk.charges.retrieve(charge.id)).toMatchObject({ id: charge.id });
  expect(await sdk.charges.list({ limit: 5 })).toMatchObject({ object: 'list', data: [{ id: charge.id }] });
  expect(await sdk.search.list({ scope: 'charge', query: 'SDK-1' })).toMatchObject({ data: [{ id: charge.id }] });
  expect(await sdk.charges.expire(charge.id)).toMatchObject({ status: 'expired', expired: true });
});

test('the SDK pays with its own source, and refunds', async () => {
  const source = await sdk.sources.create({ type: 'promptpay', amount: 8_001, currency: 'THB' });
  const charge = await sdk.charges.create({ amount: 8_001, currency: 'THB', description: 'SDK-2', source: source.id });
  await opn.control('change', { charge: 'SDK-2', to: 'pay' });
  const refund = await sdk.charges.createRefund(charge.id, { amount: 100 });
  expect(await sdk.charges.listRefunds(charge.id)).toMatchObject({ total: 1, data: [{ id: refund.id }] });
  expect(await sdk.charges.retrieveRefund(charge.id, refund.id)).toMatchObject({ amount: 100 });
});

test('the SDK reads a charge of the adapter with the same values', async () => {
  const order = opn.order({ amount: '99.01' });
  const created = await opn.channel.create(order, within(10_000));
  const charge = await sdk.charges.retrieve('channelRef' in created ? (created.channelRef ?? '') : '');
  expect(charge).toMatchObject({ amount: 9_901, currency: 'THB', description: order.orderNo, livemode: false });
});

test('the SDK gets the errors of Opn from the fake', async () => {
  const unknownAccount = makeSdk(options('skey_test_unknown', 'pkey_test_unknown'));
  await expect(unknownAccount.account.retrieve()).rejects.toMatchObject({
    object: 'error',
    code: 'authentication_failure',
  });
  sdk = makeSdk(options(opn.secretKey, opn.publicKey));
  await expect(sdk.charges.retrieve('chrg_test_gone')).rejects.toMatchObject({ object: 'error', code: 'not_found' });
});

test('the SDK and the adapter send the same authorization for any key', async () => {
  const echo = await startFaultyUpstream((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"account"}');
  });
  const toEcho = await openProxy(echo.url);
  process.env.http_proxy = toEcho.url;
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^skey_(test_)?[0-9a-z]{5,40}$/), async (key) => {
      await makeSdk(options(key, 'pkey_test_x')).account.retrieve();
      expect(echo.seen.at(-1)?.headers.authorization).toBe(basicAuthorization(key));
    }),
    { numRuns: 25 },
  );
  process.env.http_proxy = proxy.url;
  await toEcho.close();
  await echo.close();
});
