import { sign as rsaSign } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { merchantOfServiceKeyId, serviceKeyId } from '@tidegate/signature';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { aMerchant, openTestDomain } from '../testing/open-test-domain.ts';
import { generateServiceKey } from './make-service-key.ts';
import { rotateServiceKey } from './rotate-service-key.ts';
import { openServiceKeys } from './service-keys.ts';

async function fixture(merchants: number) {
  const database = await createTestDatabase();
  const { domain, close } = await openTestDomain(database.url);
  onTestFinished(close);
  const ids: string[] = [];
  for (let i = 0; i < merchants; i += 1) ids.push((await aMerchant(domain, 'IN')).merchantId);
  /** Service keys of another process, and a counter of the statements that it has sent, by name. */
  const another = (capacity?: number) => {
    const sent = new Map<string, number>();
    const query = (statement: pg.QueryConfig | string, values?: unknown[]) => {
      const name = typeof statement === 'string' ? statement : (statement.name ?? '');
      sent.set(name, (sent.get(name) ?? 0) + 1);
      return domain.database.pool.query(statement as string, values);
    };
    const keys = openServiceKeys({ query } as unknown as pg.Pool, domain.vault, capacity);
    return { keys, sent: (name: string) => sent.get(name) ?? 0 };
  };
  return { domain, ids, another };
}

test('each merchant has its own service key, whose id begins with the merchant number, and all processes sign with it', async () => {
  const { ids, another } = await fixture(2);
  const [one, two] = [another().keys, another().keys];
  const ask = (id: string) => [one.signing(id), one.signing(id), two.signing(id)];
  const signers = await Promise.all(ids.flatMap(ask));
  const keyIds = [...new Set(signers.map(({ keyId }) => keyId))];
  expect(keyIds.map(merchantOfServiceKeyId)).toEqual(ids);
  for (const { keyId, key } of signers) {
    const published = await two.published(keyId);
    expect(published).toMatchObject({ kty: 'RSA', kid: keyId, use: 'sig' });
    expect(serviceKeyId(merchantOfServiceKeyId(keyId) ?? '', key)).toBe(keyId);
    expect(Object.keys(published ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  }
});

test('after a rotation the new key signs, and the old one stays published until its end', async () => {
  const { domain, ids, another } = await fixture(1);
  const [merchantId = ''] = ids;
  const { keyId: old } = await domain.serviceKeys.signing(merchantId);
  const { keyId, retiring } = await rotateServiceKey(domain, merchantId, await generateServiceKey(), 60_000);
  expect(retiring).toEqual({ keyId: old, retiresAt: expect.any(Number) });
  // The change is seen within about a second, like every change of a merchant.
  await expect.poll(async () => (await domain.serviceKeys.signing(merchantId)).keyId, { timeout: 5_000 }).toBe(keyId);
  const published = async () => {
    const { keys } = another();
    return [await keys.published(old), await keys.published(keyId)].map((key) => key !== null);
  };
  expect(await published()).toEqual([true, true]);
  const next = await rotateServiceKey(domain, merchantId, await generateServiceKey(), 0);
  // After a leak of any of these keys, none signs any more.
  expect(await published()).toEqual([false, false]);
  expect(await another().keys.published(next.keyId)).not.toBeNull();
});

test('keys are opened once, and their number in memory is limited', async () => {
  const { ids, another } = await fixture(3);
  const { keys, sent } = another(2);
  const [a = '', b = '', c = ''] = ids;
  for (const id of ids) await keys.signing(id);
  const afterFirst = sent('service-keys');
  for (let i = 0; i < 5; i += 1) for (const id of [c, b]) await keys.signing(id);
  expect(sent('service-keys')).toBe(afterFirst);
  await keys.signing(a);
  expect(sent('service-keys')).toBe(afterFirst + 1);
  const { key } = await keys.signing(b);
  expect(rsaSign('sha256', Buffer.from('x'), key)).toHaveLength(256);
});

test('invented key ids cause at most one statement at a time, and malformed key ids cause none', async () => {
  const { ids, another } = await fixture(1);
  const { keys, sent } = another();
  const { keyId } = await keys.signing(ids[0] ?? '');
  for (const wrong of ['', 'x', '../../etc', `${ids[0]}.short`, `${keyId} `, keyId.toLowerCase()])
    expect(await keys.published(wrong)).toBeNull();
  expect(sent('published-service-keys')).toBe(0);
  const madeUp = Array.from({ length: 1_000 }, (_, i) => `${ids[0]}.${String(i).padStart(22, '0')}`);
  const found = await Promise.all([...madeUp, keyId].map((id) => keys.published(id)));
  expect(found.filter((key) => key !== null)).toHaveLength(1);
  expect(sent('published-service-keys')).toBeLessThan(10);
  const before = sent('published-service-keys');
  for (let i = 0; i < 20; i += 1) await keys.published(keyId);
  expect(sent('published-service-keys')).toBe(before);
});

test('an unknown merchant has no key, and nothing is signed for it', async () => {
  const { another } = await fixture(0);
  await expect(another().keys.signing('NOBODY')).rejects.toThrow();
});
