import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { delivery, newKey, notified } from '../../test/service-side.ts';
import { expressHandler } from './express-handler.ts';
import { fastifyNotifications } from './fastify-plugin.ts';
import { fetchHandler, honoHandler } from './fetch-handler.ts';
import type { NotificationProblem, ReceiverOptions } from './receive-notification.ts';

const { createPublicKey } = await import('node:crypto');
const key = newKey();
/** Its key cannot be fetched. */
const away = `CN10001.${'a'.repeat(22)}`;

type Post = (
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
) => Promise<{ status: number; text: string }>;

/** Serves the handler, and returns a function that posts to it. */
const fixtures: Record<string, (options: ReceiverOptions) => Promise<Post>> = {
  fetch: async (options) => {
    const handle = fetchHandler(options);
    return (headers, body) => read(handle(new Request('https://m.example/notify', { method: 'POST', headers, body })));
  },
  hono: async (options) => {
    const app = new Hono().post('/notify', honoHandler(options));
    return (headers, body) => read(app.request('/notify', { method: 'POST', headers, body }));
  },
  fastify: async (options) => {
    const app = fastify();
    await app.register(fastifyNotifications({ path: '/notify', ...options }));
    app.post('/json', async (request) => request.body);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => app.close());
    const echo = await fetch(`${url}/json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await echo.json()).toEqual({ a: 1 });
    return posting(`${url}/notify`);
  },
  express: async (options) => {
    const app = express();
    app.post('/notify', expressHandler(options));
    app.use(express.json());
    return listening(app);
  },
  'express after raw()': async (options) => {
    const app = express().post('/notify', express.raw({ type: 'application/json' }), expressHandler(options));
    return listening(app);
  },
  'node:http': async (options) => listening(expressHandler(options)),
};

describe.each(Object.keys(fixtures))('%s', (name) => {
  async function fixture(onNotification: ReceiverOptions['onNotification']) {
    const problems: NotificationProblem[] = [];
    const keys = {
      find: async (id: string) => (id === away ? Promise.reject(new Error('no keys')) : [createPublicKey(key)]),
    };
    const options = {
      merchantNo: 'CN10001',
      keys,
      onNotification,
      onProblem: (problem: NotificationProblem) => problems.push(problem),
    };
    const post = await fixtures[name]?.(options);
    if (!post) throw new Error(name);
    return { post, problems };
  }

  test('the handler answers OK only after the code of the merchant has finished', async () => {
    const events: string[] = [];
    const { post } = await fixture(async (notification) => {
      expect(notification).toEqual(notified);
      await new Promise((resolve) => setImmediate(resolve));
      events.push('stored');
    });
    const { headers, body } = await delivery(key);
    const answer = await post(headers, body);
    events.push('answered');
    expect([answer, events]).toEqual([{ status: 200, text: 'OK' }, ['stored', 'answered']]);
  });

  test('the handler answers 500 when the code of the merchant fails, so that the service delivers again', async () => {
    const { post, problems } = await fixture(() => Promise.reject(new Error('database away')));
    const { headers, body } = await delivery(key);
    expect(await post(headers, body)).toEqual({ status: 500, text: 'failed' });
    expect(problems).toMatchObject([
      { kind: 'handler failed', error: { message: 'database away' }, notification: notified },
    ]);
  });

  test('a notification that the service did not sign gets 401 and does not run the code; without the keys it gets 503', async () => {
    const ran: string[] = [];
    const { post, problems } = await fixture(({ orderNo }) => void ran.push(orderNo));
    const { headers, body } = await delivery(key);
    expect(await post({ ...headers, 'x-sign': 'AAAA' }, body)).toEqual({
      status: 401,
      text: 'not verified: signature wrong',
    });
    expect(await post({ ...headers, 'x-key-id': away }, body)).toEqual({ status: 503, text: 'not checked' });
    expect([ran.length, problems.map(({ kind }) => kind)]).toEqual([0, ['not verified', 'not checked']]);
  });

  test('a body of more than 64 KiB is not read', async () => {
    const { post } = await fixture(() => undefined);
    const { headers } = await delivery(key);
    expect((await post(headers, new Uint8Array(70_000).fill(0x20))).status).toBe(413);
  });
});

test.each([
  ['json()', express.json()],
  ['text()', express.text({ type: '*/*' })],
])('express after %s: a body that was already read is reported as a mistake', async (_, parser) => {
  const errors: unknown[] = [];
  const app = express().use(parser);
  app.post(
    '/notify',
    expressHandler({ merchantNo: 'CN10001', keys: { find: async () => [] }, onNotification: () => undefined }),
  );
  app.use(((error, _request, response, _next) => {
    errors.push(error);
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  const post = await listening(app);
  const { headers, body } = await delivery(key);
  expect((await post(headers, body)).status).toBe(500);
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('before express.json()') })]);
});

async function listening(handler: Parameters<typeof createServer>[1]): Promise<Post> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return posting(`http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`);
}

function posting(url: string): Post {
  return (headers, body) => read(fetch(url, { method: 'POST', headers, body }));
}

async function read(response: Response | Promise<Response>): Promise<{ status: number; text: string }> {
  const answered = await response;
  return { status: answered.status, text: await answered.text() };
}
