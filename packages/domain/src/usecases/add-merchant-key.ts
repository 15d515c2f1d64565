import { keyId, parsePublicKey } from '@tidegate/signature';
import type { Domain } from './domain.ts';

/**
 * Adds a public key with which the merchant may sign, beside those that it has (rotation with overlap, decisions 2.5).
 * Takes SPKI or PKCS#1 PEM or bare base64 DER; throws InvalidKey for anything else. Gives the key's id.
 */
export async function addMerchantKey(domain: Domain, merchantId: string, publicKey: string): Promise<string> {
  const key = parsePublicKey(publicKey);
  const id = keyId(key);
  await domain.database.pool.query(
    'insert into merchant_key (merchant_id, key_id, public_key_pem) values ($1, $2, $3) on conflict (merchant_id, key_id) do update set expires_at = null',
    [merchantId, id, key.export({ type: 'spki', format: 'pem' })],
  );
  return id;
}
