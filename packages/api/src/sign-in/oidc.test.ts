import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOperator } from '@tidegate/domain/admin';
import type { OperatorContext } from '@tidegate/domain/operators';
import { openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import {
  CompactEncrypt,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { IdentityProviderAway } from '../errors/errors.ts';
import type { OperatorOfJwt } from '../graphql/context.ts';
import { type OidcSettings, openOidc } from './oidc.ts';

// Tokens of an identity provider, whose keys come from a real HTTP server.

interface Key {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

let fixture: TestDomain;
let provider: Server;
let published: JWK[] = [];
let fetched = 0;
let answer: () => { status: number; body: string };
let rsa: Key;
let ec: Key;
let forAll: Key;
let settings: OidcSettings;
let operatorOfJwt: OperatorOfJwt;

async function aKey(kid: string, alg: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey };
}
const toJwk = async ({ kid, alg, publicKey }: Key): Promise<JWK> => ({ ...(await exportJWK(publicKey)), kid, alg });
const allIsWell = () => ({ status: 200, body: JSON.stringify({ keys: published }) });

beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  [rsa, ec, forAll] = [await aKey('r1', 'RS256'), await aKey('e1', 'ES256'), await aKey('all', 'RS256')];
  const { alg: _, ...plain } = await toJwk(forAll);
  published = [await toJwk(rsa), await toJwk(ec), plain];
  answer = allIsWell;
  provider = createServer((_request, response) => {
    fetched += 1;
    const { status, body } = answer();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const jwksUrl = `http://127.0.0.1:${port}/keys`;
  settings = { issuer: 'https://id.test/', audience: 'tidegate', jwksUrl, rolesClaim: 'realm.roles' };
  operatorOfJwt = openOidc(settings);
});
afterAll(async () => {
  provider.close();
  await fixture.close();
});

let subjects = 0;
const right = (): { [claim: string]: unknown } => ({
  iss: settings.issuer,
  aud: settings.audience,
  sub: `user-${++subjects}`,
  exp: Math.floor(Date.now() / 1000) + 60,
  name: 'Rita',
  realm: { roles: ['finance', 'painter', 'viewer'] },
});
const sign = (claims: object, key = rsa, header: object = {}): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
const whoIs = (token: string): Promise<OperatorContext | null> => operatorOfJwt(fixture.domain, token);
const rowOf = async (operatorId: string) =>
  (await fixture.domain.database.pool.query('select * from operator where operator_id = $1', [operatorId])).rows[0];

test.each(['RS256', 'ES256'])('a token signed by %s is accepted with its known roles', async (alg) => {
  const who = await whoIs(await sign({ ...right(), email: `Rita-${alg}@id.test` }, alg === 'RS256' ? rsa : ec));
  // Never by an e-mail address, which may belong to another person tomorrow.
  const operatorId = who?.operatorId ?? '';
  expect(operatorId).toMatch(/^id-[0-9a-f]{24}$/);
  const free = { countries: null, merchantIds: null, tokenId: null, expiresAt: expect.any(Number) };
  expect(who).toEqual({ operatorId, roles: ['viewer', 'finance'], ...free, signIn: 'oidc' });
  // Each token states the roles again.
  expect(await rowOf(operatorId)).toMatchObject({ name: 'Rita', roles: [], enabled: true });
});

/** Signs a token with a key that is published without its purpose. */
async function byTheSameKey(alg: string): Promise<string> {
  const privateKey = (await importJWK(await exportJWK(forAll.privateKey), alg)) as CryptoKey;
  return sign(right(), { ...forAll, alg, privateKey });
}

test('a published key without an algorithm is accepted with the allowed algorithms', async () => {
  expect(await whoIs(await byTheSameKey('RS256'))).not.toBeNull();
});

const now = (): number => Math.floor(Date.now() / 1000);
test.each<[string, () => Promise<string> | string]>([
  ['another issuer', () => sign({ ...right(), iss: 'https://id.test' })],
  ['another audience', () => sign({ ...right(), aud: ['elsewhere'] })],
  ['no audience', () => sign({ ...right(), aud: undefined })],
  ['a time that is over', () => sign({ ...right(), exp: now() - 6 })],
  ['no end', () => sign({ ...right(), exp: undefined })],
  ['a time to come', () => sign({ ...right(), nbf: now() + 60 })],
  ['no subject', () => sign({ ...right(), sub: undefined })],
  ['an empty subject', () => sign({ ...right(), sub: '' })],
  ['a subject with a line break', () => sign({ ...right(), sub: 'a\nb' })],
  ['an endless subject', () => sign({ ...right(), sub: 'x'.repeat(256) })],
  ['no role', () => sign({ ...right(), realm: undefined })],
  ['no role of ours', () => sign({ ...right(), realm: { roles: ['painter'] } })],
  ['roles elsewhere', () => sign({ ...right(), realm: undefined, roles: ['admin'] })],
  ['a key that is not published', async () => sign(right(), await aKey('r9', 'RS256'))],
  ["another key under a published one's name", async () => sign(right(), await aKey('r1', 'RS256'))],
  ['a published key by RS512', () => byTheSameKey('RS512')],
  ['a published key by PS256', () => byTheSameKey('PS256')],
  ['no signature', () => new UnsecuredJWT(right()).encode()],
  [
    'the public key as a shared secret',
    async () =>
      new SignJWT(right())
        .setProtectedHeader({ alg: 'HS256', kid: 'r1' })
        .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey))),
  ],
  [
    'a key of its own in its header',
    async () => {
      const own = await aKey('r1', 'RS256');
      return sign(right(), own, { jwk: await exportJWK(own.publicKey) });
    },
  ],
  [
    'encryption',
    async () =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(right())))
        .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
        .encrypt((await generateKeyPair('RSA-OAEP')).publicKey),
  ],
  ['something behind it', async () => `${await sign(right())}x.y`],
  [
    'other claims than those that were signed',
    async () => {
      const [head, , tail] = (await sign(right())).split('.');
      return [
        head,
        Buffer.from(JSON.stringify({ ...right(), realm: { roles: ['admin'] } })).toString('base64url'),
        tail,
      ].join('.');
    },
  ],
  ['a token of ours', () => `tgo_${'a'.repeat(43)}`],
  ['nothing', () => ''],
  ['dots', () => '..'],
  ['too much', async () => sign({ ...right(), padding: 'x'.repeat(8_000) })],
])('%s is refused', async (_, token) => {
  const { rows: before } = await fixture.domain.database.pool.query('select count(*) from operator');
  expect(await whoIs(await token())).toBeNull();
  expect((await fixture.domain.database.pool.query('select count(*) from operator')).rows).toEqual(before);
});

test('a clock difference of some seconds is accepted, of a minute is not', async () => {
  expect(await whoIs(await sign({ ...right(), exp: now() - 2 }))).not.toBeNull();
});

test('twenty first requests of one person at the same time create one operator, with one record', async () => {
  const claims = { ...right(), preferred_username: 'twenty' };
  const tokens = await Promise.all(Array.from({ length: 20 }, () => sign(claims)));
  const ids = (await Promise.all(tokens.map(whoIs))).map((who) => who?.operatorId);
  expect(new Set(ids).size).toBe(1);
  const { rows } = await fixture.domain.database.pool.query(
    "select actor, reason, detail from audit_record where action = 'createOperatorOfIdentity' and subject = $1",
    [ids[0]],
  );
  expect(rows).toMatchObject([{ actor: 'identity provider', reason: expect.stringContaining(settings.issuer) }]);
});

test('two identities with the same name are two operators', async () => {
  await createOperator(fixture.domain, { operatorId: 'boss@id.test', name: 'Boss', roles: ['admin'] });
  const who = await whoIs(await sign({ ...right(), email: 'boss@id.test' }));
  expect(who?.operatorId).toMatch(/^id-[0-9a-f]{24}$/);
  const strange = await whoIs(await sign({ ...right(), email: 'Ü <script>' }));
  expect(strange?.operatorId).toMatch(/^id-[0-9a-f]{24}$/);
});

test('a disabled operator is refused, and restrictions come from the database', async () => {
  const claims: { [claim: string]: unknown } = { ...right(), email: 'kept@id.test' };
  await whoIs(await sign(claims));
  const set = (text: string) =>
    fixture.domain.database.pool.query(`update operator set ${text} where external_id = $1`, [
      `${claims.iss} ${claims.sub}`,
    ]);
  await set("countries = '{PK}'");
  expect(await whoIs(await sign(claims))).toMatchObject({ countries: ['PK'] });
  await set('enabled = false');
  expect(await whoIs(await sign(claims))).toBeNull();
});

test('a published key that is too short verifies nothing, and the other keys of the set still do', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
  const short = { ...publicKey.export({ format: 'jwk' }), kid: 'short', alg: 'RS256' };
  const before = published;
  const warned = vi.spyOn(fixture.domain.log, 'warn');
  published = [short, { kty: 'RSA', n: 'AQ', kid: 'broken', alg: 'RS256' }, ...before];
  operatorOfJwt = openOidc(settings);
  try {
    const claims = right();
    const content = [{ alg: 'RS256', kid: 'short' }, claims].map((one) =>
      Buffer.from(JSON.stringify(one)).toString('base64url'),
    );
    const signature = signBytes('RSA-SHA256', Buffer.from(content.join('.')), privateKey).toString('base64url');
    expect(await whoIs([...content, signature].join('.'))).toBeNull();
    expect(await whoIs(await sign(right()))).not.toBeNull();
    const keys = [
      { kid: 'short', problem: 'key too short: an RSA key needs 2048 bits or more' },
      { kid: 'broken', problem: 'it cannot be read' },
    ];
    expect(warned.mock.calls).toEqual([[{ keys }, 'keys of the identity provider are not used']]);
  } finally {
    published = before;
    warned.mockRestore();
  }
});

test('the keys are fetched once; a new one is found after the cooldown, and unknown keys cause no flood', async () => {
  const next = await aKey('r2', 'RS256');
  operatorOfJwt = openOidc({ ...settings, cooldownMs: 1_500 });
  fetched = 0;
  for (let i = 0; i < 5; i += 1) expect(await whoIs(await sign(right()))).not.toBeNull();
  expect(fetched).toBe(1);
  for (let i = 0; i < 20; i += 1) expect(await whoIs(await sign(right(), next))).toBeNull();
  expect(fetched).toBe(1);
  published.push(await toJwk(next));
  await expect.poll(async () => whoIs(await sign(right(), next)), { timeout: 5_000 }).not.toBeNull();
  expect(fetched).toBe(2);
});

test.each<[string, typeof answer]>([
  ['an error', () => ({ status: 500, body: '' })],
  ['no keys', () => ({ status: 200, body: '{"keys":"none"}' })],
  ['no JSON', () => ({ status: 200, body: 'hello' })],
])(
  'while the provider answers with %s, a token is neither accepted nor rejected: the provider is reported as unavailable',
  async (_, given) => {
    operatorOfJwt = openOidc({ ...settings, retryMs: 0 });
    answer = given;
    try {
      await expect(whoIs(await sign(right()))).rejects.toThrow(IdentityProviderAway);
    } finally {
      answer = allIsWell;
    }
    expect(await whoIs(await sign(right()))).not.toBeNull();
  },
);

test('while the provider is unavailable tokens cause no flood of fetches', async () => {
  operatorOfJwt = openOidc({ ...settings, retryMs: 60_000 });
  answer = () => ({ status: 500, body: '' });
  fetched = 0;
  try {
    for (let i = 0; i < 20; i += 1) await expect(whoIs(await sign(right()))).rejects.toThrow(IdentityProviderAway);
    expect(fetched).toBe(1);
  } finally {
    answer = allIsWell;
  }
});

test('an unreachable provider is reported as unavailable', async () => {
  operatorOfJwt = openOidc({ ...settings, jwksUrl: 'http://127.0.0.1:1/keys' });
  await expect(whoIs(await sign(right()))).rejects.toThrow(IdentityProviderAway);
});
