import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, openApiFixture } from '../test/api-fixture.ts';

let api: ApiFixture;
let port: number;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  port = Number(new URL(await api.serve({ http: { requestMs: 500 } })).port);
  token = await api.letIn('viewer');
});
afterAll(() => api.close());

test.each([
  ['headers', () => 'POST /graphql HTTP/1.1\r\nHost: x\r\n', 'X-More: 1\r\n'],
  [
    'a body',
    () =>
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{`,
    ' ',
  ],
])('a client that sends %s slowly is disconnected with the reason', async (_what, beginning, byte) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const began = performance.now();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.write(beginning());
  const timer = setInterval(() => socket.writable && socket.write(byte), 50);
  await once(socket, 'close');
  clearInterval(timer);
  expect(performance.now() - began).toBeLessThan(2_500);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('REQUEST_TIMEOUT');
});
