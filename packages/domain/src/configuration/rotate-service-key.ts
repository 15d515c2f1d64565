import type { Within } from '../ledger/index.ts';
import { type KeyPair, serviceKeyRow } from './make-service-key.ts';

export interface ServiceKeyView {
  merchantId: string;
  /** The merchant's current key. */
  keyId: string;
  /** PEM (SPKI). */
  publicKeyPem: string;
}

export interface RotatedServiceKey extends ServiceKeyView {
  /** The key that it replaces, and until when that one stays published, in Unix ms; null where there was none. */
  retiring: { keyId: string; retiresAt: number } | null;
}

/** Keeps a new merchant's first key; it signs at once. */
export async function addFirstServiceKey(within: Within, merchantId: string, pair: KeyPair): Promise<ServiceKeyView> {
  const row = serviceKeyRow(within.vault, merchantId, pair);
  await within.database.pool.query(`${insertSql} values ($1, $2, $3, $4, clock_timestamp())`, row);
  return { merchantId, keyId: row[1], publicKeyPem: row[2] };
}

/**
 * Puts a new key in the place of the merchant's. The old one signs no more, and stays published for `overlapMs` by the database's clock,
 * so that what it signed can be verified meanwhile; with none, those that it had replaced are published no more either. Where it never signed, since the common key still does, neither does the new one yet.
 */
export async function rotateServiceKey(
  within: Within,
  merchantId: string,
  pair: KeyPair,
  overlapMs: number,
): Promise<RotatedServiceKey> {
  const { pool } = within.database;
  if (overlapMs === 0) await pool.query(endOldSql, [merchantId]);
  const { rows } = await pool.query<{ keyId: string; retiresAt: number; signed: boolean }>(
    `update merchant_service_key
     set retires_at = clock_timestamp() + case when signs_from is null then 0 else $2::float8 end * interval '1 ms'
     where merchant_id = $1 and retires_at is null
     returning key_id as "keyId", round(extract(epoch from retires_at) * 1000)::float8 as "retiresAt", signs_from is not null as signed`,
    [merchantId, overlapMs],
  );
  const [old] = rows;
  const row = serviceKeyRow(within.vault, merchantId, pair);
  await pool.query(`${insertSql} values ($1, $2, $3, $4, case when $5 then clock_timestamp() end)`, [
    ...row,
    old?.signed ?? true,
  ]);
  const retiring = old ? { keyId: old.keyId, retiresAt: old.retiresAt } : null;
  return { merchantId, keyId: row[1], publicKeyPem: row[2], retiring };
}

const endOldSql =
  'update merchant_service_key set retires_at = clock_timestamp() where merchant_id = $1 and retires_at > clock_timestamp()';

const insertSql = 'insert into merchant_service_key (merchant_id, key_id, public_key_pem, private_key, signs_from)';
