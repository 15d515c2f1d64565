import { createPrivateKey, createPublicKey } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { parsePublicKey, verify } from '@tidegate/signature';
import { describe, expect, test } from 'vitest';
import { file, ownFolder, run } from '../../test/command-line-fixture.ts';
import { privateKeyPem, publicKey, scriptedService } from '../../test/scripted-service.ts';
import { delivery, keysServer, newKey, notified } from '../../test/service-side.ts';

ownFolder();

const settings = (url: string) => [
  '--base-url',
  url,
  '--merchant',
  'IN10001',
  '--country',
  'IN',
  '--key',
  file('key.pem', privateKeyPem),
];

describe('keys', () => {
  test('a matching pair is made, and only its owner can read the private key', async () => {
    const { code, out } = await run(['keys', '--folder', file('new'), '--name', 'shop']);
    const pem = readFileSync(file('new/shop-private.pem'), 'utf8');
    expect([code, statSync(file('new/shop-private.pem')).mode & 0o777]).toEqual([0, 0o600]);
    const ours = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' });
    expect(readFileSync(file('new/shop-public.pem'), 'utf8')).toBe(ours);
    expect(parsePublicKey(String(ours)).asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(out).not.toContain('BEGIN');
  });

  test.each(['merchant-private.pem', 'merchant-public.pem'])('%s is not overwritten', async (name) => {
    file(name, 'mine');
    const { code, err } = await run(['keys', '--folder', file('')]);
    expect([code, err, readFileSync(file(name), 'utf8')]).toEqual([
      2,
      expect.stringContaining('not overwritten'),
      'mine',
    ]);
    expect(() =>
      statSync(file(name === 'merchant-public.pem' ? 'merchant-private.pem' : 'merchant-public.pem')),
    ).toThrow();
  });
});

describe('sign', () => {
  const fixed = ['--timestamp', '1790000000', '--nonce', 'abcdefgh'];

  test.each<[string, string[], string, string]>([
    [
      'fields',
      ['amount=100.50', 'metadata.ifsc=H&C'],
      '',
      'amount=100.50&metadata.ifsc=H%26C&nonce=abcdefgh&timestamp=1790000000',
    ],
    [
      'a body from standard input',
      ['--body', '-'],
      '{"amount":100.50}',
      'amount=100.50&nonce=abcdefgh&timestamp=1790000000',
    ],
    ['a query', ['--query', 'orderNo=PI1'], '', 'nonce=abcdefgh&orderNo=PI1&timestamp=1790000000'],
  ])('%s', async (_, typed, stdin, content) => {
    const { code, out, err } = await run(['sign', ...typed, ...fixed, ...settings('https://pay.example')], { stdin });
    expect([code, err]).toEqual([0, expect.stringContaining(`\n${content}\n`)]);
    const headers = Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(': ')),
    );
    expect(headers).toMatchObject({ 'X-Merchant-No': 'IN10001', 'X-Timestamp': '1790000000', 'X-Nonce': 'abcdefgh' });
    expect(verify(content, headers['X-Sign'], publicKey)).toBe(true);
  });

  test('sign prints its result as JSON', async () => {
    const { out } = await run(['sign', '--body', '-', '--json', ...fixed, ...settings('https://pay.example')], {
      stdin: '{"a": 1}',
    });
    expect(JSON.parse(out)).toMatchObject({
      signedContent: 'a=1&nonce=abcdefgh&timestamp=1790000000',
      body: '{"a": 1}',
    });
  });

  test('a key file that others can read is reported', async () => {
    chmodSync(file('key.pem', privateKeyPem), 0o644);
    const { err } = await run(['sign', 'a=1', '--merchant', 'IN10001', '--key', file('key.pem')]);
    expect(err).toContain('chmod 600');
  });
});

describe('operations', () => {
  const order = { orderNo: 'PO1M7Y9XBYV6RVMN69QPWN', merchantOrderNo: 'M-1', amount: '100.00', status: 'processing' };

  test('a payout is created with settings from the environment and a file', async () => {
    const service = await scriptedService(() => ({ code: 0, data: order }));
    const path = file(
      'tidegate.json',
      JSON.stringify({ baseUrl: service.url, merchantNo: 'IN10009', privateKeyFile: 'key.pem' }),
    );
    file('key.pem', privateKeyPem);
    const { code, out } = await run(
      ['payout', 'create', 'merchantOrderNo=M-1', 'amount=100', 'metadata.ifsc=HDFC0001234'],
      {
        env: { TIDEGATE_SETTINGS: path, TIDEGATE_MERCHANT_NO: 'IN10001', TIDEGATE_COUNTRY: 'IN' },
      },
    );
    expect([code, JSON.parse(out)]).toEqual([0, { ...order, recovered: false }]);
    expect(service.seen.map(({ path, isSigned }) => [path, isSigned])).toEqual([['/payout/create', true]]);
    expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual({
      countryCode: 'IN',
      currency: 'INR',
      merchantOrderNo: 'M-1',
      amount: '100',
      metadata: { ifsc: 'HDFC0001234' },
    });
  });

  test('a payin without a merchant order number gets a new one, which is printed', async () => {
    const service = await scriptedService(({ body }) => ({
      code: 0,
      data: { ...order, merchantOrderNo: JSON.parse(body).merchantOrderNo },
    }));
    const { out, err } = await run(['payin', 'create', 'amount=5', ...settings(service.url)]);
    expect(err).toBe(`merchantOrderNo=${JSON.parse(out).merchantOrderNo}\n`);
    expect(JSON.parse(out).merchantOrderNo).toMatch(/^M-[0-9A-Z-]{10,}$/);
  });

  test.each<[string[], string]>([
    [['payin', 'query', 'PI1M7Y9XBYV6RVMN69QPWN'], '/payin/query?orderNo=PI1M7Y9XBYV6RVMN69QPWN'],
    [['payout', 'query', 'M-1'], '/payout/query?merchantOrderNo=M-1'],
    [
      ['payout', 'query', '--merchant-order-no', 'PI1M7Y9XBYV6RVMN69QPWN'],
      '/payout/query?merchantOrderNo=PI1M7Y9XBYV6RVMN69QPWN',
    ],
    [['wallet'], '/wallet?'],
    [['transactions', '--page', '2', '--page-size', '5'], '/wallet/transactions?page=2&pageSize=5'],
  ])('%j', async (typed, requestTarget) => {
    const service = await scriptedService(() => ({ code: 0, data: { some: 'data' } }));
    const { code, out } = await run([...typed, ...settings(service.url)]);
    expect([code, JSON.parse(out)]).toEqual([0, { some: 'data' }]);
    expect(service.seen.map(({ path, query }) => `${path}?${query}`)).toEqual([requestTarget]);
  });

  test('a refusal is printed with its code and request, and what to do about a signature', async () => {
    const service = await scriptedService(() => ({
      code: 40101,
      msg: 'signature invalid',
      data: { signedContent: 'a=1' },
    }));
    const { code, out, err } = await run(['wallet', ...settings(service.url)]);
    expect([code, out]).toEqual([1, '']);
    for (const part of ['40101 signature invalid (request r-1)', 'doctor', '"signedContent": "a=1"'])
      expect(err).toContain(part);
  });

  test("the sandbox's file is enough, with a country or number", async () => {
    const service = await scriptedService(() => ({ code: 0, data: { ok: 'yes' } }));
    const merchants = [
      { merchantNo: 'CN10001', country: 'CN', privateKeyPem: newKey().export({ type: 'pkcs8', format: 'pem' }) },
      { merchantNo: 'IN10001', country: 'IN', privateKeyPem },
    ];
    const path = file('sandbox.json', JSON.stringify({ restUrl: service.url, merchants }));
    for (const which of [
      ['--country', 'IN'],
      ['--merchant', 'IN10001'],
    ]) {
      expect((await run(['wallet', '--settings', path, ...which])).code).toBe(0);
      expect(service.seen.at(-1)?.isSigned).toBe(true);
    }
    expect((await run(['wallet', '--settings', path, '--merchant', 'XX'])).err).toContain('CN10001 (CN), IN10001 (IN)');
    const inEnvironment = await run(['wallet', '--settings', path], { env: { TIDEGATE_MERCHANT_NO: 'IN10001' } });
    expect([inEnvironment.code, service.seen.at(-1)?.isSigned]).toEqual([0, true]);
  });

  test("a merchant that is not in the sandbox's file needs its own key", async () => {
    const service = await scriptedService(() => ({ code: 0, data: { ok: 'yes' } }));
    const path = file('sandbox.json', JSON.stringify({ restUrl: service.url, merchants: [] }));
    const who = ['--settings', path, '--merchant', 'SHOP01'];
    expect((await run(['wallet', ...who, '--key', file('key.pem', privateKeyPem)])).code).toBe(0);
    expect(service.seen.at(-1)?.isSigned).toBe(true);
    expect((await run(['wallet', ...who])).err).toContain('--key');
  });
});

test.each<[string, string[], string]>([
  ['no such command', ['pay'], 'There is no command "pay"'],
  ['a command without its second word', ['payin'], '"payin" needs another word. Commands: payin create, payin query'],
  ['a command without its second word, but with flags', ['payout', '--country', 'IN'], 'payout create, payout query'],
  [
    'a command with an unknown second word',
    ['payin', 'make'],
    'There is no command "payin make". Commands: payin create, payin query',
  ],
  ['an argument that the command does not have', ['wallet', 'IN10001'], 'IN10001'],
  ['arguments after doctor', ['doctor', 'refused.http'], 'refused.http'],
  ['no such flag', ['wallet', '--hep'], '--hep'],
  ['a flag twice', ['wallet', '--merchant', 'M1', '--merchant', 'M2'], '--merchant is given twice'],
  ['no merchant', ['wallet', '--base-url', 'https://x.example'], '--merchant is missing (or TIDEGATE_MERCHANT_NO'],
  ['no key', ['wallet', '--base-url', 'https://x.example', '--merchant', 'M1'], '--key is missing'],
  [
    'a key file that is not there',
    ['wallet', '--base-url', 'https://x.example', '--merchant', 'M1', '--key', '/nowhere'],
    '/nowhere cannot be read',
  ],
  [
    'no amount',
    ['payin', 'create', 'a=1', '--merchant', 'M1', '--base-url', 'https://x.example', '--key', '@key'],
    'amount is missing',
  ],
  [
    'a field twice',
    ['payin', 'create', 'a=1', 'a=2', '--merchant', 'M1', '--base-url', 'https://x.example', '--key', '@key'],
    'given before',
  ],
  [
    'no field',
    ['payin', 'create', 'amount', '--merchant', 'M1', '--base-url', 'https://x.example', '--key', '@key'],
    'name=value',
  ],
  ['an unknown country', ['wallet', '--country', 'DE'], 'must be CN, TH, IN or PK'],
  ['two orders', ['payin', 'query', 'A', 'B'], 'the number of one order'],
  ['an invalid port', ['listen', '--port', '99999'], '--port must be'],
  ['doctor without a request', ['doctor'], 'give the request as --request'],
])('%s', async (_, typed, message) => {
  const key = file('key.pem', privateKeyPem);
  const { code, out, err } = await run(typed.map((word) => (word === '@key' ? key : word)));
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('the help names every command, and each command has its own help', async () => {
  const { code, out } = await run(['--help']);
  const names = [...out.matchAll(/^ {2}([a-z]+(?: (?:create|query))?) {2,}/gm)].map(([, name]) => name ?? '');
  expect([code, names]).toEqual([
    0,
    [
      'keys',
      'payin create',
      'payout create',
      'payin query',
      'payout query',
      'wallet',
      'transactions',
      'listen',
      'sign',
      'doctor',
    ],
  ]);
  for (const name of names) {
    const { out } = await run([...name.split(' '), '--help']);
    expect(out).toContain(`tidegate ${name}`);
    // Every flag has its own help line.
    for (const line of out.split('\n').filter((line) => line.startsWith('  --')))
      expect([name, line]).toEqual([name, expect.stringMatching(/^ {2}--[a-z-]+( \S+| "NAME: VALUE")? {2,}\S.{8,}/)]);
  }
  const doctor = (await run(['doctor', '--help'])).out;
  expect(doctor).toMatch(/--public-key FILE +your public key, as the service has it/);
  expect(doctor).toContain('tidegate doctor --request request.txt --public-key merchant-public.pem');
  const half = await run(['payin', '--help']);
  expect([half.code, half.out]).toEqual([
    0,
    expect.stringMatching(/^tidegate payin create [\s\S]*^tidegate payin query /m),
  ]);
});

test('listen verifies and prints notifications, answers OK, and ends after the given number', async () => {
  const key = newKey();
  const { baseUrl } = await keysServer({ keys: [key] });
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const onErr = (text: string) => resolve(/http:\S+\d/.exec(text)?.[0] ?? '');
  const ended = run(['listen', '--port', '0', '--count', '1', '--base-url', baseUrl, '--merchant', 'CN10001'], {
    onErr,
  });
  const url = await listening;
  const post = ({ headers, body }: Awaited<ReturnType<typeof delivery>>) =>
    fetch(url, { method: 'POST', headers, body });
  const forged = await post(await delivery(newKey()));
  expect(forged.status).toBe(401);
  const answer = await post(await delivery(key));
  expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
  const { code, out, err } = await ended;
  expect([code, out]).toEqual([
    0,
    `payin completed  ${notified.orderNo}  M-1  amount ${notified.amount}  fee 2.50  net 97.50\n`,
  ]);
  expect(err).toContain('not verified, key unknown');
});
