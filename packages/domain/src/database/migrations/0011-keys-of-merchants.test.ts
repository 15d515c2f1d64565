import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, onTestFinished, test } from 'vitest';
import { addMerchantKey } from '../../configuration/add-merchant-key.ts';
import { audit } from '../../ledger/audit/audit.ts';
import { takeKeyPair } from '../../testing/key-pool.ts';
import { aMerchant, openTestDomain } from '../../testing/open-test-domain.ts';
import { migrateDatabase } from '../migrate-database.ts';

const name = '0011-keys-of-merchants';
const undo = `drop trigger claim_public_key on merchant_key; drop function claim_public_key; drop table public_key_owner;
  drop table merchant_service_key; delete from migration where name = '${name}'`;

test('a key that two merchants already have stays with both, is listed, and is refused for a third merchant', async () => {
  const { url } = await createTestDatabase();
  const { domain, close } = await openTestDomain(url);
  onTestFinished(close);
  const { pool } = domain.database;
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await aMerchant(domain, 'IN')).merchantId);
  const [first = '', second = '', third = ''] = ids;
  await pool.query(undo);
  const { publicKeyPem } = takeKeyPair();
  const shared = await pool.query<{ keyId: string }>(
    `insert into merchant_key (merchant_id, key_id, public_key_pem, created_at) values ($1, 'shared', $3, now() - interval '2 days'),
       ($2, 'shared', $3, now() - interval '1 day') returning key_id as "keyId"`,
    [first, second, publicKeyPem],
  );
  expect(shared.rowCount).toBe(2);
  expect(await migrateDatabase(url)).toEqual([name]);

  const { violations } = await audit(domain);
  expect(violations).toMatchObject([
    { rule: 'a public key belongs to one merchant', merchantId: second, subject: 'key shared' },
  ]);
  const kept = await pool.query(`select merchant_id from merchant_key where key_id = 'shared' and expires_at is null`);
  expect(kept.rowCount).toBe(2);
  const claim = `insert into merchant_key (merchant_id, key_id, public_key_pem) values ($1, 'shared', $2)`;
  await expect(pool.query(claim, [third, publicKeyPem])).rejects.toThrow('registered for another merchant');
  await pool.query(`update merchant_key set expires_at = now() where merchant_id = $1 and key_id = 'shared'`, [second]);
  expect((await audit(domain)).violations).toEqual([]);

  const { publicKeyPem: another } = takeKeyPair();
  const responses = await Promise.all(ids.map((merchantId) => addMerchantKey(domain, merchantId, another)));
  expect(responses.filter((keyId) => keyId !== null)).toHaveLength(1);
});
