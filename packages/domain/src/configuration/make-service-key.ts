import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { serviceKeyId } from '@tidegate/signature';
import type pg from 'pg';
import type { Vault } from '../database/vault.ts';

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** A key pair for the service to sign with. Takes some 100 ms in the thread pool, so it is made before anything is locked. */
export async function generateServiceKey(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
}

/** What a merchant's service key is called when it is sealed: its id begins with the merchant number. */
export const sealContext = (keyId: string): string => `merchant service key ${keyId}`;

/** The columns of a new row: merchant, key id, public key as PEM, sealed private key. */
export function serviceKeyRow(
  vault: Vault,
  merchantId: string,
  { publicKey, privateKey }: KeyPair,
): [string, string, string, Buffer] {
  const keyId = serviceKeyId(merchantId, publicKey);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return [
    merchantId,
    keyId,
    pem,
    vault.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), sealContext(keyId)),
  ];
}

/** Makes the merchant's service key unless it has one. While the common key signs, the new one waits for its end. */
export async function ensureServiceKey(pool: pg.Pool, vault: Vault, merchantId: string): Promise<void> {
  const { rows } = await pool.query(currentSql, [merchantId]);
  if (rows.length === 0) await pool.query(insertSql, serviceKeyRow(vault, merchantId, await generateServiceKey()));
}

/** Merchants whose keys are made at once: as many as the thread pool has threads. */
const atOnce = 4;

/** Makes the service keys of all merchants that have none; `onProgress` is called with how many were made and how many are left. */
export async function ensureServiceKeys(
  pool: pg.Pool,
  vault: Vault,
  onProgress: (made: number, left: number) => void = () => undefined,
): Promise<number> {
  const { rows } = await pool.query<{ merchantId: string }>(withoutKeySql);
  let made = 0;
  for (let next = 0; next < rows.length; next += atOnce) {
    const some = rows.slice(next, next + atOnce);
    await Promise.all(some.map(({ merchantId }) => ensureServiceKey(pool, vault, merchantId)));
    made += some.length;
    if (made % 100 === 0) onProgress(made, rows.length - made);
  }
  return made;
}

const currentSql = 'select from merchant_service_key where merchant_id = $1 and retires_at is null';

const withoutKeySql = `select merchant_id as "merchantId" from merchant m where merchant_id !~ '^PLATFORM($|-)'
  and not exists (select from merchant_service_key k where k.merchant_id = m.merchant_id and retires_at is null) order by merchant_id`;

const commonRows =
  'from service_key where retires_at is null or retires_at > clock_timestamp() order by retires_at is not null, created_at desc';

/** The common key's rows that are alive, the one that signs first. It stops signing a little before it is no longer published. */
export const commonKeySql = `select key_id as "keyId", private_key as "privateKey",
    (retires_at is null or retires_at > clock_timestamp() + interval '10 s') as signs ${commonRows}`;

/** What is published of them: the REST adapter may read no more. */
export const commonPublicKeySql = `select public_key_pem as "publicKeyPem" ${commonRows}`;

// Two processes at once make it once.
const insertSql = `insert into merchant_service_key (merchant_id, key_id, public_key_pem, private_key, signs_from)
  select $1, $2, $3, $4, case when exists (${commonKeySql}) then null else clock_timestamp() end
  on conflict (merchant_id) where retires_at is null do nothing`;
