import { signedHeaders } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { exchange } from '../test/raw-exchange.ts';
import { aBody, anOrder, createPath, merchantKeys, startFixture } from '../test/rest-fixture.ts';

test('at shutdown a server finishes open requests, and accepts no new ones', async () => {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const fixture = await startFixture({
    domain: {
      createPayin: async () => {
        begin();
        await decided;
        return { ok: true, value: anOrder };
      },
    },
  });
  const { merchantId } = fixture.merchant();
  const body = aBody();
  const signed = await signedHeaders({ merchantNo: merchantId, body, key: merchantKeys.privateKey });
  const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
  const request = [
    `POST ${createPath} HTTP/1.1`,
    'Host: a',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...lines,
    '',
    body,
  ].join('\r\n');
  const idle = exchange(fixture.port, []);
  const busy = exchange(fixture.port, [request]);
  await begun;
  const ended = fixture.server.close();
  await expect(fetch(`${fixture.url}/healthz`)).rejects.toThrow();
  decide();
  expect(await busy).toMatchObject({ closed: true, envelopes: [{ code: 0, data: { orderNo: anOrder.orderNo } }] });
  expect((await idle).closed).toBe(true);
  await ended;
  await fixture.close();
});
