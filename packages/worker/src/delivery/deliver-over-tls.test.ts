import { createServer as createHttpsServer } from 'node:https';
import tls, { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterAll, expect, test, vi } from 'vitest';
import { makeAuthority } from '../../test/certificate.ts';
import { answering, closeAll, deliverWith, listen, serve, to } from '../../test/delivery-fixture.ts';

// Real TLS servers on the loopback, with certificates of an authority made here and trusted by the connector.

const authority = makeAuthority();
const unknownAuthority = makeAuthority('Unknown authority');
const shop = authority.issue({ names: ['shop.example'] });
const deliver = deliverWith({ ca: authority.pem, resolve: async () => ['127.0.0.1'] });
afterAll(closeAll);

/** A self-signed certificate. */
function selfSigned(): TlsOptions {
  const { key, pem } = makeAuthority('shop.example');
  return { key, cert: pem };
}

/** The requests, by the name that the client sent (SNI). */
const handshakes: { servername: unknown; protocol: string | null }[] = [];
async function serveTls(options: TlsOptions): Promise<number> {
  const server = createHttpsServer(options, (request, response) => {
    const socket = request.socket as TLSSocket & { servername?: unknown };
    handshakes.push({ servername: socket.servername, protocol: socket.getProtocol() });
    response.end('OK');
  });
  return Number(new URL(await listen(server)).port);
}

test.each<[what: string, options: TlsOptions, host: string]>([
  ['a certificate for the name', shop, 'shop.example'],
  ['the same name with a dot at its end, and in capitals', shop, 'SHOP.example.'],
  ['one of several names', authority.issue({ names: ['a.example', 'shop.example'] }), 'shop.example'],
  ['a wildcard', authority.issue({ names: ['*.shop.example'] }), 'pay.shop.example'],
  ['an IP address, where the URL has one', authority.issue({ names: ['127.0.0.1'] }), '127.0.0.1'],
  ['TLS 1.2', { ...shop, maxVersion: 'TLSv1.2' }, 'shop.example'],
])('a notification is delivered over TLS: %s', async (_what, options, host) => {
  const port = await serveTls(options);
  handshakes.length = 0;
  const result = await deliver(to(`https://${host}:${port}/`));
  expect(result).toMatchObject({ acknowledged: true, address: `127.0.0.1:${port}` });
  const servername = host === '127.0.0.1' ? false : host.toLowerCase().replace(/\.$/, '');
  expect(handshakes).toMatchObject([{ servername, protocol: expect.stringMatching(/^TLSv1\.[23]$/) }]);
});

const oldTls: TlsOptions = { ...shop, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' };

test.each<[what: string, options: TlsOptions, host: string, error?: string]>([
  ['another name', authority.issue({ names: ['other.example'] }), 'shop.example', 'tls_wrong_name'],
  ['a longer name that ends with this name', authority.issue({ names: ['example'] }), 'shop.example', 'tls_wrong_name'],
  [
    'a wildcard for another level of names',
    authority.issue({ names: ['*.example'] }),
    'a.shop.example',
    'tls_wrong_name',
  ],
  [
    'the IP address, where the URL has a name',
    authority.issue({ names: ['127.0.0.1'] }),
    'shop.example',
    'tls_wrong_name',
  ],
  ['a name, where the URL has an IP address', shop, '127.0.0.1', 'tls_wrong_name'],
  [
    'an expired certificate',
    authority.issue({ names: ['shop.example'], fromDay: -9, toDay: -1 }),
    'shop.example',
    'tls_expired',
  ],
  [
    'a certificate that is not valid yet',
    authority.issue({ names: ['shop.example'], fromDay: 1, toDay: 9 }),
    'shop.example',
    'tls_not_yet_valid',
  ],
  [
    'a certificate of an unknown authority',
    unknownAuthority.issue({ names: ['shop.example'] }),
    'shop.example',
    'tls_unknown_issuer',
  ],
  ['a self-signed certificate', selfSigned(), 'shop.example', 'tls_self_signed'],
  ['TLS 1.1', oldTls, 'shop.example'],
  ['HTTP/2 only', { ...shop, ALPNProtocols: ['h2'] }, 'shop.example', 'http2_only'],
])('a notification fails with its cause before anything is sent: %s', async (_what, options, host, error = 'tls') => {
  const port = await serveTls(options);
  handshakes.length = 0;
  const result = await deliver(to(`https://${host}:${port}/`));
  expect(result).toMatchObject({ acknowledged: false, error, httpStatus: null, address: `127.0.0.1:${port}` });
  expect(handshakes).toEqual([]);
});

test('neither an environment variable nor a default of the process weakens the check of certificates', async () => {
  const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
  try {
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    tls.DEFAULT_CIPHERS = 'ALL:@SECLEVEL=0';
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const weakened = deliverWith({ ca: authority.pem, resolve: async () => ['127.0.0.1'] });
    const [unknown, old] = [
      await serveTls(unknownAuthority.issue({ names: ['shop.example'] })),
      await serveTls(oldTls),
    ];
    for (const port of [unknown, old]) {
      const error = port === old ? 'tls' : 'tls_unknown_issuer';
      expect(await weakened(to(`https://shop.example:${port}/`))).toMatchObject({ error, httpStatus: null });
      // The same environment variables do weaken the client of Node itself.
      const socket = tls.connect({ port, host: '127.0.0.1', servername: 'shop.example' });
      await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
      expect(socket.getProtocol()).toBe(port === old ? 'TLSv1.1' : 'TLSv1.3');
      socket.destroy();
    }
  } finally {
    Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
    vi.unstubAllEnvs();
  }
});

test('without a configured authority the authorities of Node are used', async () => {
  const port = await serveTls(shop);
  const result = await deliverWith({ resolve: async () => ['127.0.0.1'] })(to(`https://shop.example:${port}/`));
  expect(result).toMatchObject({ acknowledged: false, error: 'tls_unknown_issuer' });
});

test('a flood of data within TLS is cut off like a flood without TLS', async () => {
  const server = createTlsServer(shop, (socket) => {
    socket.on('error', () => undefined);
    const more = (): void => void (socket.destroyed || socket.write('\r\n'.repeat(8_192), () => setImmediate(more)));
    socket.once('data', more);
  });
  const { port } = new URL(await listen(server));
  const result = await deliver(to(`https://shop.example:${port}/`));
  expect(result).toMatchObject({ acknowledged: false, error: 'too_large' });
  expect(result.durationMs).toBeLessThan(3_000);
});

test('a kept connection is used for the name of its certificate, and not for another name at the same address', async () => {
  const port = await serveTls(authority.issue({ names: ['shop.example'] }));
  expect(await deliver(to(`https://shop.example:${port}/`))).toMatchObject({ acknowledged: true });
  expect(await deliver(to(`https://other.example:${port}/`))).toMatchObject({
    acknowledged: false,
    error: 'tls_wrong_name',
  });
});

test('an https URL is never called by http, nor the other way round', async () => {
  const secure = await serveTls(shop);
  expect(await deliver(to(`http://shop.example:${secure}/`))).toMatchObject({ acknowledged: false, error: 'reset' });
  const { port } = new URL(await serve(answering(200, 'OK')));
  expect(await deliver(to(`https://shop.example:${port}/`))).toMatchObject({ acknowledged: false, error: 'no_tls' });
});
