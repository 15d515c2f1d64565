import { gzipSync } from 'node:zlib';
import { afterAll, expect, test, vi } from 'vitest';
import { answering, closeAll, deliverWith, loopback, serve, serveRaw, to } from '../../test/delivery-fixture.ts';
import { chunked, endless, expectDripsGivenUp, ok } from '../../test/floods.ts';

// Attacks of an endpoint by its reply: endless data, or almost none without an end.

const deliver = deliverWith();
afterAll(closeAll);

test.each<[flood: string, start: string, again: string]>([
  ['header fields', ok, 'X-More: and more\r\n'],
  ['one header field', `${ok}X-Long: `, 'and more '],
  ['a name of a header field', `${ok}X`, '-x'],
  ['folded header lines', `${ok}X-Long: a\r\n`, ' and more\r\n'],
  ['a status line', 'HTTP/1.1 200 ', 'OK '],
  ['blank lines', '\r\n', '\r\n'],
  ['informational replies', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
  ['replies 100 Continue', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['a reply 100 Continue', 'HTTP/1.1 100 Continue\r\n', 'X-More: and more\r\n'],
  ['empty informational replies', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['a body without Content-Length', `${ok}Connection: close\r\n\r\n`, 'OK'],
  ['a body with a large Content-Length', `${ok}Content-Length: 99999999999\r\n\r\n`, 'OK'],
  ['small chunks', chunked, '1\r\nO\r\n'],
  ['blanks around OK', `${chunked}2\r\nOK\r\n`, '4\r\n    \r\n'],
  ['a chunk extension', `${chunked}2;a=`, 'bbbb'],
  ['trailers', `${chunked}2\r\nOK\r\n0\r\n`, 'X-More: and more\r\n'],
])('a reply of %s without an end is cut off at once', async (_flood, start, again) => {
  const result = await deliver(to(await serveRaw(endless(start, again))));
  expect(result).toMatchObject({ acknowledged: false });
  expect(['too_large', 'reset', 'bad_http']).toContain(result.error);
  expect(result.reply?.length ?? 0).toBeLessThanOrEqual(1_024);
  expect(result.durationMs).toBeLessThan(3_000);
});

test('after 1 KiB of a body the rest is not waited for', async () => {
  const url = await serveRaw((socket) =>
    socket.once('data', () => socket.write(`${ok}Content-Length: 9999\r\n\r\n${'OK'.repeat(600)}`)),
  );
  const result = await deliver(to(url));
  expect(result).toMatchObject({ acknowledged: false, error: 'too_large', reply: 'OK'.repeat(512) });
  expect(result.durationMs).toBeLessThan(3_000);
});

test.each([
  [8, null],
  [20, 'too_large'],
])('a reply with %i KiB of header fields has the error %s', async (size, error) => {
  const url = await serve(answering(200, 'OK', { 'X-Long': 'x'.repeat(size * 1_024) }));
  expect(await deliver(to(url))).toMatchObject({ error });
});

test('a reply that comes byte by byte is given up after the total time', () =>
  expectDripsGivenUp(deliverWith({}, loopback, 1_500), 1_500));

test('the total time of an attempt is 10 s', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await deliver(to(await serve(answering(200, 'OK'))));
  const waits = timers.mock.calls.map(([, ms]) => ms);
  timers.mockRestore();
  expect(waits).toContain(10_000);
});

test('a compressed reply is neither requested nor unpacked', async () => {
  const requests: unknown[] = [];
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '), { level: 9 });
  const small = gzipSync('OK');
  let reply = bomb;
  const url = await serve((request, response) => {
    requests.push(request.headers['accept-encoding']);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(reply);
  });
  const before = process.memoryUsage().arrayBuffers;
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'too_large' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  // Not even a small one. An `OK` has to be uncompressed.
  reply = small;
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'not_ok' });
  expect(requests).toEqual(['identity', 'identity']);
});

test.each<[reply: string, text: string, error?: string]>([
  [
    'a protocol that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  ],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_http'],
  ['bytes that are not HTTP', '220 mail.example ESMTP\r\n', 'bad_http'],
  ['HTTP/0.9', 'OK', 'bad_http'],
  ['two lengths', `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nOK!`],
  ['a length and chunks', `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`],
  ['fewer bytes than Content-Length', `${ok}Content-Length: 3\r\n\r\nOK`],
])('a reply is not an acknowledgement: %s', async (_reply, text, error = 'reset') => {
  const url = await serveRaw((socket) => socket.once('data', () => socket.end(text)));
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error });
});

test('a reply without a request is not used for the next request', async () => {
  let requests = 0;
  const url = await serveRaw((socket) =>
    socket.on('data', () => {
      requests += 1;
      const reply = `${ok}Content-Length: 2\r\n\r\n`;
      socket.write(requests === 1 ? `${reply}OK${reply}OK` : `${reply}no`);
    }),
  );
  await deliver(to(url));
  expect(await deliver(to(url))).toMatchObject({ acknowledged: false, error: 'not_ok', reply: 'no' });
});
