import { randomUUID } from 'node:crypto';
import type { MerchantProfile, Rejection, Result } from '@tidegate/domain';
import { takeKeyPair } from '@tidegate/domain/testing';
import { signedHeaders } from '@tidegate/signature';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aBody,
  ask,
  createPath,
  type Fixture,
  merchantKeys,
  publicPem,
  queryPath,
  signedGet,
  signedPost,
  spentBucket,
  startFixture,
} from '../../test/rest-fixture.ts';

let fixture: Fixture;
let production: Fixture;
const rejections = new Map<string, Rejection>();
const createPayin = async ({ merchantId }: MerchantProfile): Promise<Result<never>> => ({
  ok: false,
  rejection: rejections.get(merchantId) ?? 'amount_out_of_range',
});
const unknownKey = takeKeyPair();
const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  fixture = await startFixture();
  production = await startFixture({ environment: 'production', domain: { createPayin } });
});
afterAll(async () => {
  await fixture.close();
  await production.close();
});

/** A valid request, to which the tests add faults. */
interface Draft {
  merchant: Partial<MerchantProfile>;
  method: string;
  body: string;
  signedBody?: string;
  headers: Record<string, string>;
  timestamp: string;
  key: typeof merchantKeys.privateKey;
  nonceIsUsed: boolean;
  rateIsSpent: boolean;
}

/** In the order of decisions 1. The domain refuses every request that gets this far. */
const faults: { name: string; code: number; put: (draft: Draft) => void }[] = [
  { name: 'method', code: 40500, put: (d) => Object.assign(d, { method: 'PUT' }) },
  { name: 'size', code: 41300, put: (d) => Object.assign(d, { body: d.body + ' '.repeat(64 * 1024) }) },
  { name: 'media type', code: 41500, put: (d) => Object.assign(d.headers, { 'Content-Type': 'text/plain' }) },
  { name: 'header form', code: 40100, put: (d) => Object.assign(d.headers, { 'X-Nonce': 'short' }) },
  { name: 'timestamp', code: 40102, put: (d) => Object.assign(d, { timestamp: String(now() - 400) }) },
  { name: 'malformed body', code: 40000, put: (d) => Object.assign(d, { signedBody: '{}', body: `}${d.body}` }) },
  { name: 'signature', code: 40101, put: (d) => Object.assign(d, { key: unknownKey.privateKey }) },
  { name: 'nonce', code: 40103, put: (d) => Object.assign(d, { nonceIsUsed: true }) },
  { name: 'disabled', code: 40301, put: (d) => Object.assign(d.merchant, { status: 'disabled' }) },
  { name: 'ip', code: 40302, put: (d) => Object.assign(d.merchant, { ipAllowList: ['192.0.2.0/24'] }) },
  { name: 'rate', code: 42900, put: (d) => Object.assign(d, { rateIsSpent: true }) },
  { name: 'body form', code: 40001, put: (d) => Object.assign(d, { body: d.body.replace('"100.50"', '"1e2"') }) },
  { name: 'business rule', code: 42203, put: () => undefined },
];

async function send(draft: Draft) {
  const profile = production.merchant();
  const { merchantId } = profile;
  const nonce = randomUUID();
  if (draft.nonceIsUsed) await ask(`${production.url}${createPath}`, await signedPost(merchantId, aBody(), { nonce }));
  production.profiles.set(merchantId, { ...profile, ...draft.merchant });
  // Refilled in the year 2100: the merchant has exceeded its limit for a long time.
  if (draft.rateIsSpent) await production.redis.set(`tidegate:{${merchantId}}:rate`, spentBucket(), 'EX', 60);
  const { key, timestamp, body, signedBody = body } = draft;
  const signed = await signedHeaders({ merchantNo: merchantId, body: signedBody, key, timestamp, nonce });
  const headers = { ...signed, 'Content-Type': 'application/json', ...draft.headers };
  return ask(`${production.url}${createPath}`, { method: draft.method, body, headers });
}

const pairs = faults.flatMap((first, i) => faults.slice(i).map((second) => ({ first, second })));

test.each(pairs)('$first.name decides the answer, also if $second.name fails', async ({ first, second }) => {
  const unused = { merchant: {}, headers: {}, nonceIsUsed: false, rateIsSpent: false };
  const key = merchantKeys.privateKey;
  const draft: Draft = { ...unused, method: 'POST', body: aBody(), timestamp: String(now()), key };
  second.put(draft);
  if (first !== second) first.put(draft);
  const { code, data } = await send(draft);
  expect(code).toBe(first.code);
  expect(data).toBeNull();
});

test('a valid request is answered with the order', async () => {
  const { merchantId } = fixture.merchant();
  const created = await ask(`${fixture.url}${createPath}`, await signedPost(merchantId, aBody()));
  const data = { orderNo: 'PI0000000000000000000000001', status: 'created' };
  expect(created).toMatchObject({ code: 0, msg: 'success', data });
  expect(created.response.status).toBe(200);
  const query = 'merchantOrderNo=M%2B1';
  const found = await ask(`${fixture.url}${queryPath}?${query}`, await signedGet(merchantId, query));
  expect(found).toMatchObject({ code: 0, data: { merchantOrderNo: 'M-1' } });
});

describe('headers', () => {
  const forms: [string, string][] = [
    ['X-Merchant-No', 'cn-lower'],
    ['X-Merchant-No', 'A'.repeat(33)],
    ['X-Timestamp', '179000000'],
    ['X-Timestamp', '1790000000.5'],
    ['X-Nonce', 'no space allowed'],
    ['X-Nonce', 'a'.repeat(65)],
    ['X-Sign', '_-8='],
    ['X-Sign', 'ünlesbar'],
  ];
  test.each(forms)('%s: the refusal of %j names the header', async (name, value) => {
    const { merchantId } = fixture.merchant();
    const init = await signedPost(merchantId, aBody());
    const { code, msg } = await ask(`${fixture.url}${createPath}`, {
      ...init,
      headers: { ...init.headers, [name]: value },
    });
    expect(code).toBe(40100);
    expect(msg).toMatch(new RegExp(`^missing header: ${name} must be`));
  });

  test.each(['X-Merchant-No', 'X-Timestamp', 'X-Nonce', 'X-Sign'])(
    'a request without %s is refused, and the message names the header',
    async (name) => {
      const init = await signedPost(fixture.merchant().merchantId, aBody());
      const headers = new Headers(init.headers);
      headers.delete(name);
      const { code, msg } = await ask(`${fixture.url}${createPath}`, { ...init, headers });
      expect([code, msg]).toEqual([40100, `missing header: ${name}`]);
    },
  );

  const types: [string, number][] = [
    ['application/json', 0],
    ['application/json; charset=utf-8', 0],
    ['Application/JSON;charset="UTF-8"', 0],
    ['application/json; charset=latin1', 41500],
    ['application/json; charset=utf-8; boundary=x', 41500],
    ['application/problem+json', 41500],
    ['application/jsonx', 41500],
    ['/', 41500],
  ];
  test.each(types)('a POST with the Content-Type %j is answered with %i', async (type, expected) => {
    const init = await signedPost(fixture.merchant().merchantId, aBody());
    const { code } = await ask(`${fixture.url}${createPath}`, {
      ...init,
      headers: { ...init.headers, 'Content-Type': type },
    });
    expect(code).toBe(expected);
  });
});

describe('timestamp', () => {
  test.each([
    [-301, 40102],
    [-300, 0],
    [300, 0],
    [301, 40102],
  ])('a timestamp %i seconds from the clock is answered with %i', async (offset, expected) => {
    const at = 1_790_000_000;
    const still = await startFixture({ clock: () => at * 1000 + 999 });
    const { merchantId } = still.merchant();
    const { code } = await ask(
      `${still.url}${createPath}`,
      await signedPost(merchantId, aBody(), { timestamp: String(at + offset) }),
    );
    expect(code).toBe(expected);
    await still.close();
  });
});

describe('signature', () => {
  test('an unknown merchant number gets the same answer as a wrong signature', async () => {
    const { merchantId } = production.merchant();
    const keyless = production.merchant({ keys: [] });
    const answer = async (merchantNo: string) => {
      const { response, ...envelope } = await ask(
        `${production.url}${createPath}`,
        await signedPost(merchantNo, aBody(), { key: unknownKey.privateKey }),
      );
      return { status: response.status, ...envelope };
    };
    const known = await answer(merchantId);
    expect(known).toEqual({ status: 401, code: 40101, msg: 'signature invalid', data: null });
    expect(await answer('NO-SUCH-MERCHANT')).toEqual(known);
    expect(await answer(keyless.merchantId)).toEqual(known);
  });

  test('the sandbox returns the text that should have been signed', async () => {
    const { merchantId } = fixture.merchant();
    const signing = { key: unknownKey.privateKey, timestamp: String(now()), nonce: 'nonce-0001' };
    const answer = await ask(
      `${fixture.url}${createPath}`,
      await signedPost(merchantId, '{"b":1.50,"a":"x&y"}', signing),
    );
    expect(answer).toMatchObject({
      code: 40101,
      data: { signedContent: `a=x%26y&b=1.50&nonce=nonce-0001&timestamp=${signing.timestamp}` },
    });
  });

  test('every key of a merchant that has not expired verifies a signature, and its use is recorded', async () => {
    const used: string[] = [];
    const rotating = await startFixture({ domain: { keyUsed: (_, keyId) => void used.push(keyId) } });
    const key = (keyId: string, { publicKey }: typeof unknownKey, expiresAt: number | null) => ({
      keyId,
      publicKeyPem: publicPem(publicKey),
      expiresAt,
    });
    const expired = takeKeyPair();
    const { merchantId } = rotating.merchant({
      keys: [
        key('expired', expired, Date.now() - 1),
        key('old', merchantKeys, Date.now() + 60_000),
        key('new', unknownKey, null),
      ],
    });
    const codeWith = async (by: typeof unknownKey) =>
      (await ask(`${rotating.url}${createPath}`, await signedPost(merchantId, aBody(), { key: by.privateKey }))).code;
    expect(await codeWith(expired)).toBe(40101);
    expect(await codeWith(merchantKeys)).toBe(0);
    expect(await codeWith(unknownKey)).toBe(0);
    expect(used).toEqual(['old', 'new']);
    await rotating.close();
  });

  test('another encoding of the same query parameters keeps its signature valid, and another parameter does not', async () => {
    const { merchantId } = fixture.merchant();
    const init = async () => signedGet(merchantId, 'merchantOrderNo=M-1');
    expect((await ask(`${fixture.url}${queryPath}?merchantOrderNo=%4D-1`, await init())).code).toBe(0);
    expect((await ask(`${fixture.url}${queryPath}?merchantOrderNo=M-1&x=1`, await init())).code).toBe(40101);
    expect((await ask(`${fixture.url}${queryPath}?merchantOrderNo=M-1&merchantOrderNo=M-1`, await init())).code).toBe(
      40000,
    );
  });
});

describe('nonce', () => {
  test('of 50 concurrent requests with one nonce one is accepted', async () => {
    const { merchantId } = fixture.merchant();
    const init = await signedPost(merchantId, aBody());
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(`${fixture.url}${createPath}`, init)));
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === 40103)).toHaveLength(49);
  });

  test('a nonce is stored for 15 minutes, for its merchant only, and only after the signature was verified', async () => {
    const [one, other] = [fixture.merchant(), fixture.merchant()];
    const nonce = randomUUID();
    const use = async (merchantId: string, key = merchantKeys.privateKey) =>
      (await ask(`${fixture.url}${createPath}`, await signedPost(merchantId, aBody(), { nonce, key }))).code;
    expect(await use(one.merchantId, unknownKey.privateKey)).toBe(40101);
    expect(await use(one.merchantId)).toBe(0);
    expect(await use(one.merchantId)).toBe(40103);
    expect(await use(other.merchantId)).toBe(0);
    const merchants = [one, other].map(({ merchantId }) => fixture.redis.keys(`*${merchantId}*nonces*`));
    const keys = (await Promise.all(merchants)).flat();
    expect(keys).toHaveLength(2);
    // All nonces of three minutes are deleted together.
    for (const key of keys) expect(await fixture.redis.ttl(key)).toBeGreaterThanOrEqual(900);
    for (const key of keys) expect(await fixture.redis.ttl(key)).toBeLessThanOrEqual(1_080);
  });
});

describe('ip allow list', () => {
  test.each([
    [['127.0.0.1'], 0],
    [['10.0.0.0/8', '127.0.0.0/8'], 0],
    [['10.0.0.0/8', '::1/128'], 40302],
    [['nonsense'], 40302],
  ])('a request from a client with the allow list %j is answered with %i', async (ipAllowList, expected) => {
    const { merchantId } = fixture.merchant({ ipAllowList });
    expect((await ask(`${fixture.url}${createPath}`, await signedPost(merchantId, aBody()))).code).toBe(expected);
  });

  test('only entries of trusted proxies in X-Forwarded-For count', async () => {
    const behindOne = await startFixture({ trustedProxies: 1 });
    const codeAt = async (at: Fixture, forwarded: string) => {
      const { merchantId } = at.merchant({ ipAllowList: ['203.0.113.7'] });
      const init = await signedPost(merchantId, aBody());
      return (
        await ask(`${at.url}${createPath}`, { ...init, headers: { ...init.headers, 'X-Forwarded-For': forwarded } })
      ).code;
    };
    expect(await codeAt(fixture, '203.0.113.7')).toBe(40302);
    expect(await codeAt(behindOne, '198.51.100.1, 203.0.113.7')).toBe(0);
    expect(await codeAt(behindOne, '203.0.113.7, 198.51.100.1')).toBe(40302);
    expect(await codeAt(behindOne, 'unknown')).toBe(40302);
    await behindOne.close();
  });
});
